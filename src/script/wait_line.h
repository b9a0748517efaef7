/* Tasks that wait for one object: for the next event of a stream, a line of a program, an answer.
 *
 * The object has a line, and each task a place in it, in the order in which they came. A place lies
 * on the stack of its task, and so does the object. Main thread only. */
#ifndef PERIGEE_SCRIPT_WAIT_LINE_H
#define PERIGEE_SCRIPT_WAIT_LINE_H

#include <lua.h>
#include <stdint.h>

#include "base/list.h"

struct wait_line {
    struct link places; /* list_init() it */
};

enum wait_turn {
    WAIT_TRY,  /* push what is there */
    WAIT_LATE, /* the same; if nothing is there, push nil, text, code: the time is over */
    WAIT_BUSY, /* push nil, text, code: another task waits already */
};

/* A reason to wait: a function that takes what tasks wait for. */
struct wait_kind {
    const char *what; /* "an event": as in struct op */
    /* Pushes the results and returns their number; 0: wait. The stack is as wait_in_line() found
     * it, with one value on top. */
    int (*take)(lua_State *L, enum wait_turn turn);
    bool many; /* tasks may wait beside each other; else the second one gets WAIT_BUSY */
};

#define WAIT_FOREVER UINT64_MAX

/* Takes what is there, or parks the task until there is something, at most `ms` (0: not at all).
 * Its results are those of `take`. `key` is for wait_line_wake_ready(). */
int wait_in_line(lua_State *L, struct wait_line *line, const struct wait_kind *kind, uint32_t key,
                 uint64_t ms);

/* An argument in seconds, 0 or more, as milliseconds; WAIT_FOREVER if there is none. */
uint64_t wait_argument(lua_State *L, int arg);

/* From within `take`: the wait ends after `ms` at the latest. */
void wait_at_most(lua_State *L, uint64_t ms);

/* True if a task waits for this key. */
bool wait_line_busy(const struct wait_line *line, uint32_t key);

/* The first task in line, or all of them, try again. They touch no Lua; for callbacks of the
 * loop. */
void wait_line_wake(struct wait_line *line);
void wait_line_wake_all(struct wait_line *line);
/* So do those for whose key ready(arg, key) is true. */
void wait_line_wake_ready(struct wait_line *line, bool (*ready)(const void *arg, uint32_t key),
                          const void *arg);

#endif
