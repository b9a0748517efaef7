/* Processes as /proc shows them. */
#ifndef PERIGEE_PLATFORM_FREEDESKTOP_PROC_H
#define PERIGEE_PLATFORM_FREEDESKTOP_PROC_H

#include "base/util.h"

/* Clock ticks from boot to the start of the process: together with the id, a name that is never
 * given again. 0: no such process. parent (or NULL) gets its parent's id. A zombie counts as
 * ended. */
uint64_t proc_started(int pid, int *parent);

/* The state of its first thread: 'R' runs or waits for a processor, 'S' sleeps, 'T' is stopped, and
 * so on (proc(5)). 0: no such process. */
char proc_state(int pid);

/* True if one of its threads runs, or waits for a processor or a disk. */
bool proc_at_work(int pid);

/* The processor time that all its threads have had so far, in milliseconds, counted in clock
 * ticks. */
uint64_t proc_cpu_ms(int pid);

/* The present time, in the unit of proc_started(). */
uint64_t proc_now(void);

/* The path of its executable, owned by the caller; "" when it cannot be known. */
char *proc_path(int pid);

/* True if `pid` is the process `root`, or descends from it. */
bool proc_descends(int pid, int root);

/* Finds these parts of paths ("/libgtk-4.so") among the files that it has mapped. All false for
 * another user's process. */
void proc_has_loaded(int pid, const char *const *names, size_t count, bool *loaded);

#endif
