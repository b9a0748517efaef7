/* The process groups of our living children, in a table that a signal handler
 * may read. Fixed size: it is also the limit on how many live at once. */
#ifndef PERIGEE_PROCESS_PROCESS_GROUP_H
#define PERIGEE_PROCESS_PROCESS_GROUP_H

#include <stdbool.h>

enum { PROCESS_GROUP_MAX = 1024 };

bool process_group_full(void);

/* The table must not be full. */
void process_group_add(int pgid);
void process_group_remove(int pgid);

/* SIGKILL for each group in the table. Async-signal-safe. */
void process_group_kill_all(void);

#endif
