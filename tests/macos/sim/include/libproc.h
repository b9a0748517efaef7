/* Own declarations of what Perigee calls of xnu's libproc.h. */
#ifndef SIM_LIBPROC_H
#define SIM_LIBPROC_H

#include <stdint.h>
#include <sys/proc_info.h>

int proc_pidinfo(int pid, int flavor, uint64_t arg, void *buffer, int size);
int proc_pidpath(int pid, void *buffer, uint32_t size);

#endif
