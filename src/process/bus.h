/* Calls of methods over D-Bus.
 *
 * Nothing is ever started by a call: a service that does not run is an error of that call. Values
 * are JSON on both sides: strings, object paths and signatures are strings, numbers numbers, arrays
 * and structs arrays, a dictionary with keys of strings an object and any other one an array of
 * pairs. A variant is its value in an answer and [signature, value] in an argument.
 *
 * libdbus is in the module `libdbus`, opened with the first call. On a Mac, which lacks the module,
 * every call fails with "module_missing". */
#ifndef PERIGEE_PROCESS_BUS_H
#define PERIGEE_PROCESS_BUS_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/error.h"

enum {
    BUS_CALLS_MAX = 4096,
    BUS_ANSWER_MAX = 16 << 20, /* bytes of JSON of all answers */
};

/* Makes the calls one after the other without waiting in between, and appends to `out` a JSON array
 * with what came of each, in their order: {"values":[...]}, or {"error":NAME,"text":MESSAGE} for
 * one that failed, also for one that had no answer in time.
 *
 *   address  of the bus; NULL: the session's, as DBUS_SESSION_BUS_ADDRESS or XDG_RUNTIME_DIR says;
 *            "system": the system's. Its connection is kept open. Borrowed.
 *   calls    an array of objects with the strings to, path, interface, member, and where there are
 *            arguments signature and args, an array. Borrowed; only read.
 *   ms       for all of it
 *
 * On any thread; calls of one bus wait for each other. False: "no_bus" (there is none, or it is
 * gone), "timeout" (it does not take us, or other calls took the time), "bad_call" (naming it),
 * "too_large", "module_missing". `out` may hold a part then. */
bool bus_calls(const char *address, const cJSON *calls, uint64_t ms, struct buf *out,
               struct error *err);

enum bus_next { BUS_NOTHING, BUS_CAME, BUS_LOST };

/* A connection of its own, on which messages of every kind go both ways: it calls, is called, sends
 * signals and hears those that it has asked the bus for (AddMatch). Messages are JSON objects:
 *
 *   {"kind":"call","to":,"path":,"interface":,"member":,"signature":,"args":,"start":true}
 *   {"kind":"signal","path":,"interface":,"member":,"signature":,"args":}, "to" for one receiver
 *   {"kind":"answer","to":,"reply_to":SERIAL,"signature":,"args":}, or "error" and "text"
 *
 * and what comes has kind, sender, signature and values; calls and signals have path, interface and
 * member; a call has serial, and answered, false if the caller wants no answer; an answer that is
 * an error has error and text. With "start" the bus starts a service that does not run.
 *
 * All functions but bus_wire_open() are for one thread and never wait. */
enum {
    BUS_WIRE_QUEUE = 1000,       /* messages that nobody has taken yet, unless told otherwise */
    BUS_WIRE_QUEUE_MAX = 100000, /* ... that may be asked for */
    BUS_WIRE_BYTES = 32 << 20,   /* JSON of all these messages */
    BUS_WIRE_MESSAGE = 16 << 20, /* bytes of one message; the bus is left where one is larger */
    BUS_WIRE_CALLS = 1000,       /* calls without an answer */
    BUS_WIRE_UNSENT = 16 << 20,  /* bytes that the bus has not taken */
};

struct bus_wire_options {
    size_t queue; /* 0: BUS_WIRE_QUEUE */
    int values;   /* for one that becomes a monitor ("org.freedesktop.DBus.Monitoring" of the D-Bus
                     specification): so many arguments of a message are told, as the rest may be
                     large, and no call is answered, since none is for it. 0: an ordinary one */
};

/* address as in bus_calls(). On any thread but the main one: it waits for the bus, at most `ms`.
 * NULL: "no_bus", "timeout". */
struct bus_wire *bus_wire_open(const char *address, const struct bus_wire_options *options,
                               uint64_t ms, struct error *err);
void bus_wire_close(struct bus_wire *wire);             /* accepts NULL */
int bus_wire_fd(struct bus_wire *wire);                 /* -1: it is lost */
const char *bus_wire_name(const struct bus_wire *wire); /* ":1.7"; borrowed */
/* Is there something to write when the descriptor can be written to? */
bool bus_wire_unsent(struct bus_wire *wire);

/* Reads and writes what goes now, some of it if there is much: the descriptor stays readable then.
 * Where the queue is full the oldest signal makes room; a call for which there is none gets the
 * error LimitsExceeded, and so does the caller of an answer for which there is none. */
void bus_wire_turn(struct bus_wire *wire);
/* Its serial; 0: "bad_call", "no_bus", "too_many" (calls without an answer, or bytes that the bus
 * does not take). With `answered` a call's answer is kept for bus_wire_next(). */
uint32_t bus_wire_send(struct bus_wire *wire, const cJSON *message, bool answered,
                       struct error *err);
/* The answer of that call is not wanted any more. */
void bus_wire_forget(struct bus_wire *wire, uint32_t serial);

/* The answer to this call; 0: the next call or signal that came. bus_wire_ready(): is there one, or
 * is the wire lost? Appended to `out` as JSON. BUS_LOST: "no_bus", and only closing is left. */
bool bus_wire_ready(struct bus_wire *wire, uint32_t serial);
enum bus_next bus_wire_next(struct bus_wire *wire, uint32_t serial, struct buf *out,
                            struct error *err);
/* Signals that were lost, because the queue was full. */
uint64_t bus_wire_dropped(const struct bus_wire *wire);

/* Opens the module: from the main thread, once before the first bus_calls(). */
bool bus_ready(struct error *err);

/* The input method that is active now and makes other text of keys, as IBus or Fcitx names it:
 * "libpinyin". "": there is none, or the module was not opened. On any thread; 0.2 s at most for
 * each question, mostly less than a millisecond. */
void bus_input_method(char *name, size_t size);

/* The module's side. */
struct bus_ops {
    bool (*calls)(const char *address, const cJSON *calls, uint64_t ms, struct buf *out,
                  struct error *err);
    void (*input_method)(char *name, size_t size);
    struct bus_wire *(*wire_open)(const char *address, const struct bus_wire_options *options,
                                  uint64_t ms, struct error *err);
    int (*wire_fd)(struct bus_wire *wire);
    const char *(*wire_name)(const struct bus_wire *wire);
    bool (*wire_unsent)(struct bus_wire *wire);
    void (*wire_turn)(struct bus_wire *wire);
    uint32_t (*wire_send)(struct bus_wire *wire, const cJSON *message, bool answered,
                          struct error *err);
    void (*wire_forget)(struct bus_wire *wire, uint32_t serial);
    bool (*wire_ready)(struct bus_wire *wire, uint32_t serial);
    enum bus_next (*wire_next)(struct bus_wire *wire, uint32_t serial, struct buf *out,
                               struct error *err);
    uint64_t (*wire_dropped)(const struct bus_wire *wire);
    void (*wire_close)(struct bus_wire *wire);
};

#endif
