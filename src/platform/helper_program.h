/* A process of this program's own that does one thing for another, over its stdin: `perigee
 * --osa-helper`, `--input-guard`, `--event-process`. platform_extra() finds it in a desktop's
 * module. */
#ifndef PERIGEE_PLATFORM_HELPER_PROGRAM_H
#define PERIGEE_PLATFORM_HELPER_PROGRAM_H

struct helper_program {
    int (*run)(void); /* runs until stdin ends; returns an exit code. Main thread only */
};

#endif
