/* Where messages go: the transport hands sinks to the protocol.
 *
 * A session has one for what belongs to no request (list_changed), and every message arrives
 * with one: its reply goes there, and all that is said while it is worked on (progress, log
 * lines, questions to the client). Over stdio both are the same. Over HTTP the second is the
 * answer to that POST, and lives until the last request in it lets go of it. */
#ifndef PERIGEE_MCP_SINK_H
#define PERIGEE_MCP_SINK_H

#include "base/buf.h"
#include "base/wakeup.h"

enum sink_kind {
    SINK_REPLY,   /* a result or an error: the last word on its request (or batch) */
    SINK_NOTICE,  /* a notification */
    SINK_REQUEST, /* a request to the client; its response comes back by session_receive() */
};

/* The kind of a message, for transports that treat kinds differently. */
struct sink_mark {
    enum sink_kind kind;
    int refused; /* for a reply: the error code when the request itself was not acceptable (unknown
                    method, wrong envelope, ...); 0: it was, however it ended */
};

struct sink {
    /* The buffer to append one message's JSON text to. What is in it before
     * must stay as it is. Between begin and end nothing else is written. */
    struct buf *(*begin)(struct sink *sink);
    void (*end)(struct sink *sink, struct sink_mark mark);

    /* A function that sends later holds the sink until then; with the last drop it may be freed.
     * Both NULL: it lives as long as its session. */
    void (*hold)(struct sink *sink);
    void (*drop)(struct sink *sink);

    /* For those who send much that nobody asked for: false if so much is unsent that they had
     * better wait; then `wakeup` is told when there is room again. NULL: there always is. */
    bool (*has_room)(struct sink *sink, struct wakeup *wakeup);

    /* True if nobody is connected who reads it. NULL: somebody is, as long as it lives. */
    bool (*is_gone)(const struct sink *sink);
};

static inline void sink_hold(struct sink *sink)
{
    if (sink->hold)
        sink->hold(sink);
}

static inline void sink_drop(struct sink *sink)
{
    if (sink->drop)
        sink->drop(sink);
}

static inline bool sink_has_room(struct sink *sink, struct wakeup *wakeup)
{
    return !sink->has_room || sink->has_room(sink, wakeup);
}

#endif
