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

/* Starts the guardian, if there is none: called before a child is started, so that hardly a moment
 * is left in which a child is not in the table. */
void process_group_begin(void);

/* The table must not be full. */
void process_group_add(int pgid, bool patient);
void process_group_remove(int pgid);

/* SIGKILL for each group in the table. Async-signal-safe. */
void process_group_kill_all(void);

#endif
