/* Facts about the processes of this user, from /proc (proc(5)). */
#ifndef PERIGEE_PROCESS_OTHER_PROCESS_H
#define PERIGEE_PROCESS_OTHER_PROCESS_H

#include "base/buf.h"

enum { OTHER_PROCESS_ANCESTORS = 32 }; /* so many are asked at most */

/* Appends /proc/PID/NAME; nothing where it cannot be read. `proc` is "/proc". */
void other_process_read(const char *proc, int pid, const char *name, struct buf *out);
/* The value in NAME=value\0NAME=value\0, as `environ` has it; NULL: there is none. Borrowed. */
const char *other_process_variable(struct buf *vars, const char *name);
/* The process that started it; 0: there is none, or it cannot be read. */
int other_process_parent(const char *proc, int pid);
/* "process 4711 (gnome-shell)"; the caller frees. */
char *other_process_describe(const char *proc, int pid);
/* Whether the entry `name` of /proc belongs to this user. */
bool other_process_is_ours(const char *proc, const char *name);

#endif
