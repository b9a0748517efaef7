/* A ring: the number of an event is its place. */
#include "platform/element_log.h"

#include "base/util.h"

void element_log_add(struct element_log *log, const struct element_event *event)
{
    uint64_t number = element_log_next(log);
    struct element_event *place = &log->kept[number % ELEMENT_LOG_KEPT];

    *place = *event;
    place->number = number;
    log->last = number;
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
