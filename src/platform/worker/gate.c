/* The state of the process is one number, since threads change it without a lock. */
#include "platform/worker/gate.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "platform/deadline.h"

/* STOP_FILED: stopped, and a file said so since. */
enum { STOP_NONE, STOP_MEMORY, STOP_FILED };

struct gate {
    struct place_files files;
    _Atomic int stop;
};

struct gate *gate_new(void)
{
    return mem_zero(sizeof(struct gate));
}

void gate_free(struct gate *gate)
{
    if (gate)
        place_files_finish(&gate->files);
    free(gate);
}

void gate_at(struct gate *gate, const char *place)
{
    if (strcmp(place, PLACE_ALL) == 0)
        place = PLACE_NONE;
    if (gate->files.place && strcmp(gate->files.place, place) == 0)
        return;
    place_files_finish(&gate->files);
    place_files_init(&gate->files, place);
}

const struct place_files *gate_files(const struct gate *gate)
{
    return &gate->files;
}

void gate_stop(struct gate *gate)
{
    atomic_store(&gate->stop, STOP_MEMORY);
    gate_stopped(gate, NULL); /* remembers that there is a file, if there is */
}

void gate_allow(struct gate *gate)
{
    atomic_store(&gate->stop, STOP_NONE);
}

bool gate_stopped(struct gate *gate, struct error *err)
{
    struct deadline stopped = { .stop = DEADLINE_PANIC, .wake_fd = -1 };
    int memory = STOP_MEMORY, filed = STOP_FILED;
    struct stop_mark mark;

    if (stop_mark_find(&gate->files, &mark)) {
        atomic_compare_exchange_strong(&gate->stop, &memory, STOP_FILED);
        stop_mark_refuse(&mark, err);
        return true;
    }
    atomic_compare_exchange_strong(&gate->stop, &filed, STOP_NONE);
    if (atomic_load(&gate->stop) == STOP_NONE)
        return false;
    deadline_ok(&stopped, err);
    return true;
}
