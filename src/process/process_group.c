/* A flat table of lock-free atomics, because a fatal signal may arrive in the
 * middle of any change to it: each slot is 0, a whole group id, or the negative of the id of a
 * group that notices the end of its input. It is shared with a guardian, which ends the groups if
 * this process was killed. */
#include "process/process_group.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/util.h"
#include "process/guardian.h"

/* The guardian's steps, after the end of this process. A child that waits for the end of
 * its input may have something to finish: the helper of an office saves what is unsaved. */
enum { STEP_MS = 20, END_MS = 2000, PATIENT_ASK_MS = 10000, PATIENT_END_MS = 12000 };

typedef atomic_int group_table[PROCESS_GROUP_MAX];

static group_table own_slots; /* if there is none to share */
static _Atomic(group_table *) slots = &own_slots;
static int used;                           /* main thread only */
static _Thread_local atomic_int *reserved; /* the slot of the next child of this thread */
static _Thread_local bool reserved_patient;

bool process_group_full(void)
{
    return used == PROCESS_GROUP_MAX;
}

static atomic_int *slot(size_t i)
{
    return &(*atomic_load(&slots))[i];
}

static atomic_int *slot_of(int value)
{
    for (size_t i = 0; i < PROCESS_GROUP_MAX; i++)
        if (atomic_load(slot(i)) == value)
            return slot(i);
    return NULL;
}

static bool replace_slot(int from, int to)
{
    atomic_int *found = slot_of(from);

    if (found)
        atomic_store(found, to);
    return found;
}

/* --- the guardian ------------------------------------------------------------------------ */

/* Sends the signal to each group that still is, of the patient ones or of the others; 0 only looks.
 * Returns how many there are. */
static int signal_groups(bool patient, int signal)
{
    int count = 0;

    for (size_t i = 0; i < PROCESS_GROUP_MAX; i++) {
        int value = atomic_load(slot(i));

        if (!value || (value < 0) != patient)
            continue;
        if (kill(patient ? value : -value, signal) == 0 || errno != ESRCH)
            count++;
        else
            atomic_store(slot(i), 0); /* its number may soon be another's */
    }
    return count;
}

/* In the guardian. */
static void end_groups(void)
{
    static const struct timespec step = { 0, (long)STEP_MS * 1000 * 1000 };

    for (int ms = 0; ms <= PATIENT_END_MS; ms += STEP_MS) {
        int others = signal_groups(false, ms == 0 ? SIGTERM : ms >= END_MS ? SIGKILL : 0);
        int patient = signal_groups(true, ms == PATIENT_ASK_MS   ? SIGTERM
                                          : ms == PATIENT_END_MS ? SIGKILL
                                                                 : 0);

        if (others + patient == 0)
            return;
        nanosleep(&step, NULL);
    }
}

/* In each child of fork(), as its first step. */
static void take_reserved(void)
{
    if (!reserved)
        return;
    setsid();
    atomic_store(reserved, reserved_patient ? -getpid() : getpid());
}

static void start_guardian(void)
{
    static bool started;
    void *shared;

    if (started)
        return;
    started = true;
    shared = mmap(NULL, sizeof own_slots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
    if (shared == MAP_FAILED)
        return;
    atomic_store(&slots, (group_table *)shared);
    guardian_start(end_groups, -1); /* the descriptor is for the life of this process */
    pthread_atfork(NULL, NULL, take_reserved);
}

/* --- the table ---------------------------------------------------------------------------- */

void process_group_begin(bool patient)
{
    start_guardian();
    reserved = slot_of(0);
    reserved_patient = patient;
}

void process_group_cancel(void)
{
    if (reserved)
        atomic_store(reserved, 0); /* a child that could not run its program has ended */
    reserved = NULL;
}

void process_group_add(int pgid, bool patient)
{
    start_guardian();
    if (!reserved)
        reserved = slot_of(0);
    if (reserved) {
        atomic_store(reserved, patient ? -pgid : pgid);
        used++;
    }
    reserved = NULL;
}

void process_group_remove(int pgid)
{
    if (replace_slot(pgid, 0) || replace_slot(-pgid, 0))
        used--;
}

void process_group_kill_all(void)
{
    int saved = errno;

    for (size_t i = 0; i < PROCESS_GROUP_MAX; i++) {
        int value = atomic_load(slot(i));

        if (value)
            kill(value > 0 ? -value : value, SIGKILL);
    }
    errno = saved;
}
