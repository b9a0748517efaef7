/* One call of a tool (or rendering of a prompt), whoever asked for it.
 *
 * Arguments are expected to have passed entry->input. The call holds a
 * reference on its entry, so it finishes on the code it started with. */
#ifndef PERIGEE_REGISTRY_CALL_CALL_H
#define PERIGEE_REGISTRY_CALL_CALL_H

#include <cjson/cJSON.h>
#include <lua.h>

#include "base/wakeup.h"
#include "registry/entry.h"
#include "script/task.h"

struct audit;
struct caller;
struct elicitation;
struct call;
struct outcome;

enum { CALL_TIMEOUT_MS = 60000 }; /* when neither the file nor the caller says */

struct call_spec {
    struct entry *entry;
    const cJSON *args;   /* an object, or NULL: {}; copied into Lua */
    uint64_t timeout_ms; /* 0: the entry's, else CALL_TIMEOUT_MS */
    size_t memory;       /* bytes; 0: no limit of its own */
    struct task *parent; /* NULL, or the task that waits for this one */
    /* Pushes a function and its arguments, instead of the entry's own and args; gives how many
     * values. By vm_call(): it may raise. NULL: not so. */
    int (*push)(lua_State *L, const void *pushed);
    const void *pushed;
    bool with_call;  /* that function gets the call object as its last argument */
    const char *uri; /* a resource's URI, for the policy; borrowed for the start */
    bool unlimited;  /* no time limit */
    bool completes;  /* it only suggests values: nothing of `uri` is read */
    bool own;        /* the engine's own, that nobody asked for: no policy is asked */

    /* The caller; NULL: that of the call which `parent` belongs to, or else the person at the
     * terminal. The call takes a reference. */
    struct caller *caller;
    struct str source; /* the text of its client's request, borrowed until done; or empty */
    size_t cap;        /* bytes of a text of its result; 0: no limit */

    /* Any may be NULL but done. All come from the loop or from inside
     * call_start(). `total` is NaN and `message` NULL when not given. */
    void (*progress)(void *arg, double done, double total, const char *message);
    void (*log)(void *arg, const char *level, const char *logger, lua_State *L, int data);
    /* Puts questions to the client (registry/call/elicitation.h). True: elicitation_done() is
     * called when each has its answer, unless each has one at return. False: err. unask: nobody
     * waits any more.
     */
    bool (*ask)(void *arg, struct elicitation *elicitation, struct error *err);
    void (*unask)(void *arg, struct elicitation *elicitation);
    bool (*can)(void *arg, int kind); /* enum ask_kind: would the client answer it? ASK_AWAY */
    /* Sends a notification of our own to the client of a console: "notifications/perigee/NAME" with
     * this JSON object as params. False: so much is unsent that nothing was sent; `wakeup` is told
     * when there is room. NULL: it has no such client. */
    bool (*tell)(void *arg, const char *name, struct str params, struct wakeup *wakeup);
    void (*updated)(void *arg);                             /* call:updated() */
    void (*done)(void *arg, const struct outcome *outcome); /* last, exactly once */
    void *arg;

    /* Gets the output of its code; as task_spec.print. */
    void (*print)(void *context, const char *text, size_t len);
};

/* Where content is from that is not our own. What a call's calls brought is its result's, too. */
enum content_source {
    FROM_SCREEN = 1, /* titles, elements, pictures */
    FROM_CLIPBOARD = 2,
    FROM_WEB = 4,
    FROM_MOUNT = 8, /* a mounted server */
    FROM_FILE = 16,
};

/* Facts about an outcome on the wire. */
struct outcome_written {
    size_t bytes;
    bool error; /* it says that it is an error, though the tool did not fail */
};

/* How it ended. Borrowed for the call of `done`; its values live on L. */
struct outcome {
    struct entry *entry;
    enum task_end end;
    bool failed;      /* the tool said so, or it was stopped */
    struct error err; /* the error of a failure; of an error result, the refusal */
    lua_State *L;
    int value;     /* index of what run() returned, or of a failure's text; 0: nothing */
    size_t cap;    /* bytes of a text on the wire; 0: OUTCOME_BYTES */
    int meta;      /* index of the table that becomes a failure's _meta; 0: none */
    unsigned from; /* enum content_source */
    unsigned ref;  /* the number by which its session keeps it; 0: none does */
    struct outcome_written
        *written; /* filled in by the function that writes it; NULL: not needed */
};

/* NULL only when it already ended (done was called), also because memory lacks for a start.
 * Borrowed until done. Never raises. */
struct call *call_start(struct vm *vm, const struct call_spec *spec);
void call_cancel(struct call *call);

/* The caller; NULL: not known. Borrowed. */
struct caller *call_caller(struct call *call);

/* The call that this task runs; NULL: it runs none. Borrowed. */
struct call *call_of_task(const struct task *task);

/* The same, or the one that it works for; of NULL none. */
struct call *call_above(const struct task *task);

/* The tool's name. Borrowed. */
const char *call_name(const struct call *call);
bool call_of_console(const struct call *call); /* is it a tool of the console? */

/* The caller of this task's calls; NULL: not known. Borrowed. */
struct caller *call_caller_of(const struct task *task);

/* The call that made this one; NULL: none did. */
struct call *call_parent(const struct call *call);

/* How many calls are in one another, down to this one; 0 for NULL. */
unsigned call_depth(const struct call *call);

/* The call whose client hears of this one: itself, or the one that made it, and so on. NULL: none
 * has a client. */
struct call *call_with_client(struct call *call);

/* How many ended, are under way, and failed since the program began; neither the console's tools
 * nor the engine's own work count. */
enum { CALL_BUCKETS = 10 };

struct call_counts {
    uint64_t total, active, failed;
    uint64_t took[CALL_BUCKETS]; /* how many took at most 1, 4, 16, ... 4^9 ms */
    double seconds;              /* the time of all together */
};
struct call_counts call_counts(void);

/* From now on each call is told in the log when it ends:
 *   [time][server][tool=NAME] args={...} -> ANSWER (12 ms) */
void call_log_all(void);

/* From now on, until it is taken back, each call of a tool is told to those who watch the log
 * (base/log_feed.h), too; counted. */
void call_log_watched(bool on);

/* A call that was not made: its tool (as asked for), who asked (NULL: nobody said), arguments
 * (NULL: {}), why and with which code. For the log, if it tells calls, and the audit log. */
struct call_refused {
    const char *tool;
    struct caller *caller;
    const cJSON *args;
    const char *why, *code;
};
void call_refused(const struct call_refused *refused);

/* Registers the metatables of the `call` object; once per VM, by vm_run(). */
int call_init(lua_State *L);

/* Is the value at index one that call:result(), or call:contents(), made? */
bool call_is_result(lua_State *L, int index);
bool call_is_contents(lua_State *L, int index);

#endif
