/* Where a session's messages go: the transport hands one to the protocol. */
#ifndef PERIGEE_PROTOCOL_SINK_H
#define PERIGEE_PROTOCOL_SINK_H

#include "base/buf.h"

struct sink {
    /* The buffer to append one message's JSON text to. What is in it before
     * must stay as it is. Between begin and end nothing else is written. */
    struct buf *(*begin)(struct sink *sink);
    void (*end)(struct sink *sink);
};

#endif
