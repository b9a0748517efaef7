/* Elements over AT-SPI, the accessibility bus of Linux desktops.
 *
 * Bounds are as the application reports them ("raw"): only the display server knows where its
 * windows are, so the backend that uses this maps the bounds by the facts about each top-level
 * element (atspi_place.h). The interfaces are those of at-spi2-core's xml folder. */
#ifndef PERIGEE_PLATFORM_ATSPI_H
#define PERIGEE_PLATFORM_ATSPI_H

#include "platform/element.h"

struct atspi; /* a connection, for one thread */

/* A top-level element: a window of the application. */
struct atspi_frame {
    uint64_t id;
    int pid;
    bool placed;
    struct rect raw;
    char *name;
};

struct atspi_frames {
    struct atspi_frame *items;
    size_t count;
};

struct atspi_keys {
    int pid;    /* the application */
    int looked; /* answers of the application: after two it has handed on all keys that it had */
    uint64_t handed; /* deadline_now() at that */
    bool answered;   /* the registry has answered for these */
    bool taken;      /* and the application has its answers, or no keys are handed on */
};

/* The same as the operations of struct element_ops; element_info.window is the id of the top-level
 * element around the element. element_query.window is not used: query.root is. */
struct atspi_ops {
    /* Opens a connection. NULL: "no_accessibility". Nothing is sent yet. display_bus(arg) gives the
     * accessibility bus's address as the display has it, or NULL; it is asked if the session does
     * not know one, and its answer is freed. */
    struct atspi *(*open)(char *(*display_bus)(void *arg), void *arg, struct error *err);
    void (*close)(struct atspi *atspi);
    /* Switches accessibility on for applications that are started from now on. */
    bool (*wake)(struct atspi *atspi, struct deadline *deadline, struct error *err);
    bool (*tree)(struct atspi *atspi, struct deadline *deadline, const struct element_query *query,
                 struct element_tree *out, struct atspi_frames *frames, struct error *err);
    bool (*get)(struct atspi *atspi, struct deadline *deadline, const uint64_t *ids, size_t count,
                struct element_tree *out, struct atspi_frames *frames, struct error *err);
    bool (*act)(struct atspi *atspi, struct deadline *deadline, uint64_t id,
                const struct element_change *change, struct element_outcome *out,
                struct error *err);
    bool (*text)(struct atspi *atspi, struct deadline *deadline, uint64_t id, int from, int to,
                 struct element_text *out, struct error *err);
    /* Connects if an accessibility bus runs; *runs says whether. Starts none. */
    bool (*runs)(struct atspi *atspi, struct deadline *deadline, bool *runs, struct error *err);
    /* As element_ops.field(), after runs(): `pid` is the application that has the keyboard. */
    bool (*field)(struct atspi *atspi, struct deadline *deadline, int pid,
                  const struct element_field_query *query, struct element_field *out,
                  struct error *err);
    bool (*events)(struct atspi *atspi, struct deadline *deadline, int pid, uint64_t since,
                   uint64_t until, struct element_events *out, struct error *err);
    bool (*hear)(struct atspi *atspi, struct deadline *deadline, struct error *err);
    /* Asks, for `ms` at most, whether an application has taken the keys that it had handed to the
     * registry before (x11/input/settle.c); to be called again until keys->taken. Starts nothing.
     */
    void (*keys)(struct atspi *atspi, struct atspi_keys *keys, uint64_t ms);
};

void atspi_frames_free(struct atspi_frames *frames);

/* The operations, from the module `libdbus`, which the first call opens, on the main thread. NULL:
 * "module_missing". */
const struct atspi_ops *atspi_ready(struct error *err);

#endif
