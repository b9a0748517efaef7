/* The guest's end of its socket.
 *
 * Sending blocks until the engine has taken it, and meanwhile receives from the engine: if both
 * only waited for the other to read, they would wait for ever. */
#ifndef PERIGEE_GUEST_CHILD_CHANNEL_H
#define PERIGEE_GUEST_CHILD_CHANNEL_H

#include "guest/frame.h"

struct channel {
    int fd;
    struct buf in; /* whole frames and a part of one */
    size_t at;     /* place of the first frame that was not taken */
    bool sending;  /* a frame may be half sent */
};

/* Sends and empties `out`. The process ends when the engine is gone. */
void channel_send(struct channel *channel, struct buf *out);

/* Receives input, and waits for it for at most `wait_ms` milliseconds (-1: without a limit). True
 * if some has arrived. */
bool channel_fill(struct channel *channel, int wait_ms);

/* Returns the next frame, if a whole one is there; borrowed until the next call of this or of
 * channel_fill(). */
bool channel_next(struct channel *channel, struct frame *frame);

/* Waits for the frame of this kind and id, and keeps the others, in their order, for
 * channel_next(). Its payload is owned by the caller: buf_free(). */
struct buf channel_await(struct channel *channel, enum frame_kind kind, uint32_t id);

#endif
