/* Threads change the stop without a lock. */
#include "platform/worker/gate.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "platform/deadline.h"

struct gate {
    struct place_files files;
    _Atomic bool stopped;
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
    atomic_store(&gate->stopped, true);
}

void gate_allow(struct gate *gate)
{
    atomic_store(&gate->stopped, false);
}

bool gate_stopped(struct gate *gate, struct error *err)
{
    struct deadline stopped = { .stop = DEADLINE_PANIC, .wake_fd = -1 };

    return atomic_load(&gate->stopped) && !deadline_ok(&stopped, err);
}
