#include "guest/child/channel.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024 };

/* Ends the process: the engine has closed its end, or speaks another language. */
static _Noreturn void leave_unheard(void)
{
    _exit(EXIT_FAILURE);
}

static short await_channel(const struct channel *channel, short events, int wait_ms)
{
    struct pollfd fd = { channel->fd, events, 0 };

    while (poll(&fd, 1, wait_ms) < 0) {
        if (errno != EINTR)
            leave_unheard();
    }
    return fd.revents;
}

bool channel_fill(struct channel *channel, int wait_ms)
{
    for (;;) {
        ssize_t got;

        if (wait_ms != 0)
            await_channel(channel, POLLIN, wait_ms);
        got = read(channel->fd, buf_reserve(&channel->in, READ_BYTES), READ_BYTES);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            leave_unheard();
        if (got > 0)
            channel->in.len += (size_t)got;
        if (got > 0 || wait_ms >= 0)
            return got > 0;
    }
}

void channel_send(struct channel *channel, struct buf *out)
{
    size_t sent = 0;

    channel->sending = true;
    while (sent < out->len) {
        ssize_t n = write(channel->fd, out->data + sent, out->len - sent);

        if (n > 0)
            sent += (size_t)n;
        else if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            leave_unheard();
        else if (await_channel(channel, POLLIN | POLLOUT, -1) & (POLLIN | POLLHUP | POLLERR))
            channel_fill(channel, 0);
    }
    channel->sending = false;
    out->len = 0;
}

bool channel_next(struct channel *channel, struct frame *frame)
{
    enum frame_read read;

    if (channel->at > 0 && (channel->at == channel->in.len || channel->at > READ_BYTES)) {
        buf_drop(&channel->in, channel->at);
        channel->at = 0;
    }
    read = frame_next(&channel->in, &channel->at, FRAME_MAX, frame, NULL);
    if (read == FRAME_BAD)
        leave_unheard();
    return read == FRAME_READ;
}

struct buf channel_await(struct channel *channel, enum frame_kind kind, uint32_t id)
{
    size_t at = channel->at;
    struct buf payload = { 0 };
    struct frame frame;

    for (;;) {
        size_t begin = at;
        enum frame_read read = frame_next(&channel->in, &at, FRAME_MAX, &frame, NULL);

        if (read == FRAME_BAD)
            leave_unheard();
        if (read == FRAME_WANTS_MORE) {
            channel_fill(channel, -1);
        } else if (frame.kind == kind && frame.id == id) {
            buf_add(&payload, frame.payload.left.ptr, frame.payload.left.len);
            memmove(channel->in.data + begin, channel->in.data + at, channel->in.len - at);
            channel->in.len -= at - begin;
            return payload;
        }
    }
}
