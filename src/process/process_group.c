/* A flat table of lock-free atomics, because a fatal signal may arrive in the
 * middle of any change to it: each slot is either 0 or a whole group id. It is shared with a
 * guardian, which ends the groups if this process was killed. */
#include "process/process_group.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/util.h"
#include "process/guardian.h"

/* A child that waits for its stdin ends by itself when this process does, and may have something to
 * finish. */
enum { STEP_MS = 20, BY_THEMSELVES_MS = 500, POLITELY_MS = 2000 };

typedef atomic_int group_table[PROCESS_GROUP_MAX];

static group_table own_slots; /* until there is one to share */
static _Atomic(group_table *) slots = &own_slots;
static int used; /* main thread only */

bool process_group_full(void)
{
    return used == PROCESS_GROUP_MAX;
}

static atomic_int *slot(size_t i)
{
    return &(*atomic_load(&slots))[i];
}

static bool replace_slot(int from, int to)
{
    for (size_t i = 0; i < PROCESS_GROUP_MAX; i++) {
        if (atomic_load(slot(i)) == from) {
            atomic_store(slot(i), to);
            return true;
        }
    }
    return false;
}

/* --- the guardian ------------------------------------------------------------------------ */

/* Sends the signal to each group that still is; 0 only looks. Returns how many there are. */
static int signal_groups(int signal)
{
    int count = 0;

    for (size_t i = 0; i < PROCESS_GROUP_MAX; i++) {
        int pgid = atomic_load(slot(i));

        if (pgid <= 0)
            continue;
        if (kill(-pgid, signal) == 0 || errno != ESRCH)
            count++;
        else
            atomic_store(slot(i), 0); /* its number may soon be another's */
    }
    return count;
}

static bool groups_end_within(int ms)
{
    static const struct timespec step = { 0, STEP_MS * 1000 * 1000 };

    for (; ms > 0 && signal_groups(0) > 0; ms -= STEP_MS)
        nanosleep(&step, NULL);
    return signal_groups(0) == 0;
}

/* In the guardian. */
static void end_groups(void)
{
    if (groups_end_within(BY_THEMSELVES_MS))
        return;
    signal_groups(SIGTERM);
    if (!groups_end_within(POLITELY_MS))
        signal_groups(SIGKILL);
}

void process_group_begin(void)
{
    static bool started;
    void *shared;

    if (started)
        return;
    started = true;
    shared = mmap(NULL, sizeof own_slots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
    if (shared == MAP_FAILED)
        return;
    memcpy(shared, &own_slots, sizeof own_slots);
    atomic_store(&slots, (group_table *)shared);
    guardian_start(end_groups, -1); /* the descriptor is for the life of this process */
}

/* --- the table ---------------------------------------------------------------------------- */

void process_group_add(int pgid)
{
    process_group_begin();
    if (replace_slot(0, pgid))
        used++;
}

void process_group_remove(int pgid)
{
    if (replace_slot(pgid, 0))
        used--;
}

void process_group_kill_all(void)
{
    int saved = errno;

    for (size_t i = 0; i < PROCESS_GROUP_MAX; i++) {
        int pgid = atomic_load(slot(i));

        if (pgid > 0)
            kill(-pgid, SIGKILL);
    }
    errno = saved;
}
