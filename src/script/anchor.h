/* Tasks that belong to something which lasts, a script or a detached task, and end with it: what a
 * handle of a watcher or a timer stands for. Dropping the handle ends nothing. */
#ifndef PERIGEE_SCRIPT_ANCHOR_H
#define PERIGEE_SCRIPT_ANCHOR_H

#include <lua.h>

#include "base/error.h"
#include "base/list.h"

struct anchors;
struct task;

/* The task lasts: it, and what it starts, may anchor others. Its `ended` calls anchors_end(). */
struct anchors *anchors_begin(struct task *owner);

/* Ends all that belong to it. NULL is fine. */
void anchors_end(struct anchors *anchors);

/* Ends all that belongs to the running task now. */
void anchors_release(lua_State *L);

/* The name of what the running task belongs to; NULL: it ends with its call. Borrowed. */
const char *anchors_owner(lua_State *L);

/* How many tasks belong to what has this name. */
size_t anchors_count(const char *owner);

/* Returns the values on the stack, once no task belongs to the running task any more, and with
 * `held` nothing else either. */
int anchors_linger(lua_State *L, bool held);

/* Something else that ends with what the running task belongs to, such as a process. */
struct anchor_hold {
    struct link link; /* list_init() it before anything else */
    struct anchors *anchors;
    void (*end)(struct anchor_hold *hold); /* the owner has ended; it holds nothing any more */
};

/* Nothing is held where the running task ends with its call. */
void anchor_hold(lua_State *L, struct anchor_hold *hold);
/* It has ended by itself. Twice is harmless. */
void anchor_let_go(struct anchor_hold *hold);

struct anchored {
    struct link link;
    struct anchors *anchors;                  /* NULL: its owner has ended */
    struct task *task;                        /* NULL: it has ended */
    void (*ended)(struct anchored *anchored); /* its task has */
    int failed;                               /* ... by an error, which the log has */
};

/* Takes the function on top of the stack and runs it in a task of its own, which belongs to what
 * the running one belongs to, and is told of in the log by `name` (copied). False: err, with
 * "not_lasting" where it would end at once. The memory is the caller's until ended(). */
bool anchor(lua_State *L, const char *name, struct anchored *anchored, struct error *err);

#endif
