/* The process groups of our living children, in a table that a signal handler
 * may read. Fixed size: it is also the limit on how many live at once.
 *
 * They end with this process, also if it is killed: a guardian, which is started with the first of
 * them, then sends SIGTERM, and after two seconds SIGKILL. Patient ones notice the end of their
 * input, and have ten seconds to end by themselves. */
#ifndef PERIGEE_PROCESS_PROCESS_GROUP_H
#define PERIGEE_PROCESS_PROCESS_GROUP_H

#include <stdbool.h>

enum { PROCESS_GROUP_MAX = 1024 };

bool process_group_full(void);

/* Called before a child is started: starts the guardian, if there is none. On Linux the next child
 * that this thread forks then leads a group, and is in the table before it runs its program: this
 * process may be killed in that moment. Until process_group_add() or process_group_cancel(). The
 * table must not be full. */
void process_group_begin(bool patient);
void process_group_cancel(void); /* no child was started */

/* The table must not be full. */
void process_group_add(int pgid, bool patient);
void process_group_remove(int pgid);

/* SIGKILL for each group in the table. Async-signal-safe. */
void process_group_kill_all(void);

#endif
