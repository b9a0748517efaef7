/* Passes events of the desktop to each stream that wants them. There is one hub for the VM. */
#ifndef PERIGEE_SYS_EVENTS_HUB_H
#define PERIGEE_SYS_EVENTS_HUB_H

#include <lua.h>

#include "base/list.h"
#include "platform/watch.h"

/* An event that waits in one or more streams. */
struct shared_event {
    int refs;
    struct watch_event event;
};

void shared_event_unref(struct shared_event *event); /* NULL is fine */

enum stream_state { STREAM_OPENING, STREAM_OPEN, STREAM_REFUSED, STREAM_CLOSED };

/* A listener. Its owner keeps it in its own memory until hub_leave(). */
struct stream {
    struct link link;
    unsigned kinds;             /* enum watch_kind; of WATCH_HOTKEYS only its own; WATCH_ELEMENTS
                                 * alone */
    struct watch_hotkey hotkey; /* number 0: none */
    int pid;                    /* WATCH_ELEMENTS: only this process; 0: all */
    unsigned element_kinds;     /* WATCH_ELEMENTS: 1 << enum element_event_kind */
    enum stream_state state;
    uint64_t number;             /* the number of the newest wish for this stream */
    struct error why;            /* why it is REFUSED */
    struct shared_event **queue; /* owned; a ring of `capacity` */
    size_t capacity, first, count;
    size_t dropped; /* events for which there was no room, since it was opened */
    void (*woken)(struct stream *stream); /* called when it has an event, or another state */
};

/* Adds the stream, which is OPENING, and later OPEN or REFUSED. False: err, and the stream does not
 * listen. */
bool hub_join(lua_State *L, struct stream *stream, struct error *err);

/* Removes the stream and frees what it holds. Twice is harmless. */
void hub_leave(struct stream *stream);

/* Takes the oldest event; the caller owns the reference. NULL: there is none. */
struct shared_event *stream_take(struct stream *stream);

/* The stream in this process that has bound these keys. NULL: none. */
const struct stream *hub_bound(const struct chord *chord);

/* Calls each() for all streams that have keys bound. It changes none. */
void hub_each_bound(void (*each)(void *arg, const struct stream *stream), void *arg);

#endif
