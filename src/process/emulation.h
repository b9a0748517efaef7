/* Whether another program emulates this one's processor, as qemu's user emulation does. Such a
 * program passes most system calls on and lacks some. */
#ifndef PERIGEE_PROCESS_EMULATION_H
#define PERIGEE_PROCESS_EMULATION_H

#include <stdbool.h>

struct emulation {
    char by[64];      /* the emulator's file name, such as "qemu-aarch64-static" */
    char machine[16]; /* the processor that it runs on, such as "x86_64"; empty: not known */
};

/* False: none was found. The kernel is asked which file this process runs, and an emulator answers
 * only the usual way of asking itself. One that answers them all is not found. Tried: qemu 7.2. */
bool emulation_find(struct emulation *found);

#endif
