#include "platform/worker/watch_elements.h"

#include <uv.h>

enum { BEGIN_MS = 10000 };

static bool woken(const struct deadline *deadline)
{
    return atomic_load(&deadline->stop) == DEADLINE_CANCELLED;
}

static void tell_events(const struct watch_told *told, const struct element_events *events)
{
    if (events->missed)
        told->missed(told->arg, (size_t)events->missed);
    for (size_t i = 0; i < events->count; i++) {
        struct watch_event event = { .what = WATCH_ELEMENT_CHANGED,
                                     .at = uv_hrtime(),
                                     .element = events->items[i] };

        told->event(told->arg, &event);
    }
}

/* Listens to events from now on, without waiting. */
static bool begin_listening(const struct element_ops *ops, struct desktop *desktop, uint64_t *mark,
                            struct error *err)
{
    struct deadline deadline = deadline_of(BEGIN_MS);
    struct element_events none;

    if ((ops->hear && !ops->hear(desktop, &deadline, err)) ||
        !ops->events(desktop, &deadline, 0, 0, 0, &none, err))
        return false;
    *mark = none.next;
    element_events_free(&none);
    return true;
}

bool watch_elements(const struct platform_ops *ops, struct desktop *desktop, uint64_t *mark,
                    const struct watch_wanted *wanted, int wake_fd, const struct watch_told *told,
                    struct error *err)
{
    struct deadline deadline = { .wake_fd = wake_fd, .wake_ends = true };
    bool ok = true;

    (void)wanted;
    if (!*mark && !begin_listening(ops->elements, desktop, mark, err))
        return false;
    told->begun(told->arg);
    while (ok && !woken(&deadline)) {
        struct element_events events;

        ok = ops->elements->events(desktop, &deadline, 0, *mark, UINT64_MAX, &events, err);
        if (!ok)
            break;
        tell_events(told, &events);
        *mark = events.next;
        element_events_free(&events);
    }
    return ok || woken(&deadline);
}
