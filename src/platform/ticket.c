/* Waiting that always ends: for an event, for a time, or for being called off. */
#include "platform/ticket.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

uint64_t ticket_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t ticket_left(const struct ticket *ticket)
{
    uint64_t now = ticket_now();

    if (!ticket->deadline)
        return UINT64_MAX;
    return ticket->deadline > now ? ticket->deadline - now : 0;
}

bool ticket_ok(const struct ticket *ticket, struct error *err)
{
    switch (atomic_load(&ticket->stop)) {
    case TICKET_CANCELLED:
        return error_set(err, "cancelled", "the call was cancelled");
    case TICKET_PANIC:
        return error_set(err, "stopped",
                         "input was stopped by the user (Ctrl+Alt+Esc or `perigee stop`); nothing "
                         "more is sent until the user allows it again: `perigee stop --allow`");
    default:
        break;
    }
    if (ticket_left(ticket) == 0)
        return error_set(err, "timeout", "the desktop did not answer in the time of this call");
    return true;
}

static int wait_ms(const struct ticket *ticket, uint64_t until)
{
    uint64_t left = ticket_left(ticket), now = ticket_now();

    if (until && (until <= now || until - now < left))
        left = until <= now ? 0 : until - now;
    if (ticket->recheck_max && left > ticket->recheck_max)
        left = ticket->recheck_max;
    return left > 60000 ? 60000 : (int)left;
}

bool ticket_wait(struct ticket *ticket, int fd, uint64_t until, struct error *err)
{
    struct pollfd fds[2] = { { .fd = fd, .events = POLLIN },
                             { .fd = ticket->wake_fd, .events = POLLIN } };

    for (;;) {
        if (!ticket_ok(ticket, err))
            return false;
        if (until && ticket_now() >= until)
            return true;
        int rc = poll(fds, 2, wait_ms(ticket, until));
        if (rc < 0 && errno != EINTR)
            return error_errno(err, errno, "waiting for the desktop");
        if (rc > 0 && fds[0].revents)
            return ticket_ok(ticket, err);
    }
}
