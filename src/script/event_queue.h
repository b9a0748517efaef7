/* A Lua function that is told of events, one after the other.
 *
 * Each call runs in a task, so the function may wait; events that come
 * meanwhile are kept for it, and when there are too many the oldest are lost.
 * Main thread only; to be called from the loop. */
#ifndef PERIGEE_SCRIPT_EVENT_QUEUE_H
#define PERIGEE_SCRIPT_EVENT_QUEUE_H

#include <lua.h>

#include "base/util.h"

struct event_queue;
struct task;

/* For the function at that index. parent: NULL, or the task whose deadline the
 * calls share; it must outlive the queue. May raise (memory), and then nothing
 * was made. Owned by the caller. */
struct event_queue *event_queue_new(lua_State *L, int index, const char *name, struct task *parent);

/* function(text) */
void event_queue_text(struct event_queue *queue, const char *text, size_t len);

/* function(text, value): the value of a JSON text, NULL is nil. */
void event_queue_json(struct event_queue *queue, const char *text, const char *json);

/* function(done, total | nil, message | nil): NaN and NULL are nil. */
void event_queue_progress(struct event_queue *queue, double done, double total,
                          const char *message);

/* A call that is running is cancelled; no other follows. Accepts NULL. */
void event_queue_free(struct event_queue *queue);

#endif
