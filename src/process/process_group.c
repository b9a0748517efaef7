/* A flat table of lock-free atomics, because a fatal signal may arrive in the
 * middle of any change to it: each slot is either 0 or a whole group id. */
#include "process/process_group.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/util.h"

static atomic_int slots[PROCESS_GROUP_MAX];
static int used; /* main thread only */

bool process_group_full(void)
{
    return used == PROCESS_GROUP_MAX;
}

static bool replace_slot(int from, int to)
{
    for (size_t i = 0; i < countof(slots); i++) {
        if (atomic_load(&slots[i]) == from) {
            atomic_store(&slots[i], to);
            return true;
        }
    }
    return false;
}

void process_group_add(int pgid)
{
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

    for (size_t i = 0; i < countof(slots); i++) {
        int pgid = atomic_load(&slots[i]);

        if (pgid > 0)
            kill(-pgid, SIGKILL);
    }
    errno = saved;
}
