/* The state of the process is one number, because threads change it without a lock. */
#include "platform/worker/acting_right.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "platform/deadline.h"

/* STOP_FILED: stopped, and a file has confirmed it since. */
enum { STOP_NONE, STOP_MEMORY, STOP_FILED };

struct acting_right {
    struct place_files files;
    _Atomic int stop;
};

struct acting_right *acting_right_new(void)
{
    return mem_zero(sizeof(struct acting_right));
}

void acting_right_free(struct acting_right *right)
{
    if (right)
        place_files_finish(&right->files);
    free(right);
}

void acting_right_at(struct acting_right *right, const char *place)
{
    if (strcmp(place, PLACE_ALL) == 0)
        place = PLACE_NONE;
    if (right->files.place && strcmp(right->files.place, place) == 0)
        return;
    place_files_finish(&right->files);
    place_files_init(&right->files, place);
}

const struct place_files *acting_right_files(const struct acting_right *right)
{
    return &right->files;
}

void acting_right_stop(struct acting_right *right)
{
    atomic_store(&right->stop, STOP_MEMORY);
    acting_right_stopped(right, NULL); /* remembers a file, if there is one */
}

void acting_right_allow(struct acting_right *right)
{
    atomic_store(&right->stop, STOP_NONE);
}

bool acting_right_stopped(struct acting_right *right, struct error *err)
{
    struct deadline stopped = { .stop = DEADLINE_PANIC, .wake_fd = -1 };
    int memory = STOP_MEMORY, filed = STOP_FILED;
    struct stop_mark mark;

    if (stop_mark_find(&right->files, &mark)) {
        atomic_compare_exchange_strong(&right->stop, &memory, STOP_FILED);
        stop_mark_refuse(&mark, err);
        return true;
    }
    atomic_compare_exchange_strong(&right->stop, &filed, STOP_NONE);
    if (atomic_load(&right->stop) == STOP_NONE)
        return false;
    deadline_ok(&stopped, err);
    return true;
}
