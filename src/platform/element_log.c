/* A ring: the number of an event is its place. */
#include "platform/element_log.h"

#include "base/util.h"
#include "base/wake_pipe.h"

/* A caller that waits, in deadline_wait(), which takes descriptors. */
struct log_waiter {
    int fds[2];
    struct log_waiter *next;
};

void element_log_wake(struct element_log *log)
{
    for (const struct log_waiter *each = log->waiters; each; each = each->next)
        wake_pipe_wake(each->fds);
}

void element_log_add(struct element_log *log, const struct element_event *event)
{
    struct element_event *place;

    pthread_mutex_lock(&log->lock);
    place = &log->kept[++log->last % ELEMENT_LOG_KEPT];
    *place = *event;
    place->number = log->last;
    element_log_wake(log);
    pthread_mutex_unlock(&log->lock);
}

uint64_t element_log_next(const struct element_log *log)
{
    return log->last + 1;
}

void element_log_copy(const struct element_log *log, int pid, uint64_t since,
                      struct element_events *out)
{
    uint64_t next = element_log_next(log);
    uint64_t oldest = next > ELEMENT_LOG_KEPT ? next - ELEMENT_LOG_KEPT : 1;
    size_t room = 0;

    out->missed = since < oldest ? oldest - since : 0;
    for (uint64_t n = since < oldest ? oldest : since; n < next; n++) {
        const struct element_event *event = &log->kept[n % ELEMENT_LOG_KEPT];

        if (pid && event->pid != pid)
            continue;
        if (out->count == room) {
            room = room ? room * 2 : 32;
            out->items = mem_resize(out->items, room * sizeof *out->items);
        }
        out->items[out->count++] = *event;
    }
    out->next = next;
}

static void drop_waiter(struct element_log *log, const struct log_waiter *waiter)
{
    struct log_waiter **at = &log->waiters;

    while (*at != waiter)
        at = &(*at)->next;
    *at = waiter->next;
    wake_pipe_close(waiter->fds);
}

bool element_log_wait(struct element_log *log, struct deadline *deadline, uint64_t until,
                      struct error *err)
{
    enum { SLICE_MS = 50 }; /* without a descriptor */
    struct log_waiter waiter = { { -1, -1 }, log->waiters };
    bool woken = wake_pipe_open(waiter.fds), ok;
    uint64_t soon = deadline_now() + SLICE_MS;

    if (woken)
        log->waiters = &waiter; /* cppcheck-suppress autoVariables ; it is taken back below */
    else
        until = until && until < soon ? until : soon;
    pthread_mutex_unlock(&log->lock);
    ok = deadline_wait(deadline, woken ? waiter.fds[0] : -1, until, err);
    pthread_mutex_lock(&log->lock);
    if (woken)
        drop_waiter(log, &waiter);
    return ok;
}

void element_log_hear(struct element_log *log, bool *hears, bool on)
{
    if (*hears != on)
        atomic_fetch_add(&log->hearers, on ? 1 : -1);
    *hears = on;
}
