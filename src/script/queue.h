/* A Lua function that is told of events, one after the other.
 *
 * Each call runs in a task, so the function may wait; events that come
 * meanwhile are kept for it, and when there are too many the oldest are lost.
 * Main thread only; to be called from the loop. */
#ifndef PERIGEE_SCRIPT_QUEUE_H
#define PERIGEE_SCRIPT_QUEUE_H

#include <lua.h>

#include "base/util.h"

struct lua_queue;
struct task;

/* For the function at that index. parent: NULL, or the task whose deadline the
 * calls share; it must outlive the queue. May raise (memory), and then nothing
 * was made. Owned by the caller. */
struct lua_queue *lua_queue_new(lua_State *L, int index, const char *name, struct task *parent);

/* function(text) */
void lua_queue_text(struct lua_queue *queue, const char *text, size_t len);

/* function(text, value): the value of a JSON text, NULL is nil. */
void lua_queue_json(struct lua_queue *queue, const char *text, const char *json);

/* function(done, total | nil, message | nil): NaN and NULL are nil. */
void lua_queue_progress(struct lua_queue *queue, double done, double total, const char *message);

/* A call that is running is cancelled; no other follows. Accepts NULL. */
void lua_queue_free(struct lua_queue *queue);

#endif
