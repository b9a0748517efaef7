/* Waiting that always ends: at an event, at a time, or when the work is called off. */
#include "platform/deadline.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

uint64_t deadline_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t deadline_left(const struct deadline *deadline)
{
    uint64_t now = deadline_now();

    if (!deadline->at)
        return UINT64_MAX;
    return deadline->at > now ? deadline->at - now : 0;
}

bool deadline_passed(bool acts, struct error *err)
{
    return error_set(
        err, "timeout",
        "the desktop did not respond within the time limit of this call: the display "
        "server is busy, or an application that hangs has locked it. %s",
        acts ? "Whether this was done is unknown: take a screenshot before you try again"
             : "Try again");
}

bool deadline_ok(const struct deadline *deadline, struct error *err)
{
    switch (atomic_load(&deadline->stop)) {
    case DEADLINE_CANCELLED:
        return error_set(err, "cancelled", "the call was cancelled");
    case DEADLINE_PANIC:
        return error_set(err, "stopped",
                         "the user stopped input (Ctrl+Alt+Esc or `perigee stop`). Ask the user "
                         "to allow it again with `perigee stop --allow`");
    default:
        break;
    }
    if (deadline_left(deadline) == 0)
        return deadline_passed(deadline->acts, err);
    return true;
}

static int wait_ms(const struct deadline *deadline, uint64_t until)
{
    uint64_t left = deadline_left(deadline), now = deadline_now();

    if (until && (until <= now || until - now < left))
        left = until <= now ? 0 : until - now;
    if (deadline->recheck_max && left > deadline->recheck_max)
        left = deadline->recheck_max;
    return left > 60000 ? 60000 : (int)left;
}

bool deadline_wait(struct deadline *deadline, int fd, uint64_t until, struct error *err)
{
    struct pollfd fds[2] = { { .fd = fd, .events = POLLIN },
                             { .fd = deadline->wake_fd, .events = POLLIN } };

    for (;;) {
        if (!deadline_ok(deadline, err))
            return false;
        if (until && deadline_now() >= until)
            return true;
        int rc = poll(fds, 2, wait_ms(deadline, until));
        if (rc < 0 && errno != EINTR)
            return error_errno(err, errno, "waiting for the desktop");
        if (rc > 0 && fds[1].revents && deadline->wake_ends)
            atomic_store(&deadline->stop, DEADLINE_CANCELLED);
        if (rc > 0 && fds[0].revents)
            return deadline_ok(deadline, err);
    }
}
