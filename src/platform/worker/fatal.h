/* The last action of a process on its desktop: nothing stays pressed when it crashes. */
#ifndef PERIGEE_PLATFORM_WORKER_FATAL_H
#define PERIGEE_PLATFORM_WORKER_FATAL_H

/* Installs handlers; called once, from main: SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT let go of
 * keys and buttons first and do then what they did before (a core dump, a sanitizer's report). */
void fatal_signals_install(void);

#endif
