/* Ctrl-C for a command that waits on the loop: the first cancels, the second kills.
 *
 * SIGTERM and SIGHUP count as well. A signal that was ignored when the program
 * started (nohup, a shell's background job) stays ignored. */
#ifndef PERIGEE_CLI_INTERRUPT_H
#define PERIGEE_CLI_INTERRUPT_H

#include <uv.h>

/* `fn` comes from the loop after the first signal; the second ends the program
 * at once, with every child. Also keeps uv_run() waiting. One at a time. */
void interrupt_start(uv_loop_t *loop, void (*fn)(void *arg), void *arg);

/* The signals do again what they did, unless one came; the loop must run once more. */
void interrupt_stop(void);

/* Makes a uv_run(UV_RUN_ONCE) that is under way return, also from one of its first timers. */
void interrupt_wake(void);

/* The signal that came; 0: none. Stays after interrupt_stop(), and counts as the first of the
 * next start. */
int interrupt_signal(void);

/* As if none had come: for a prompt, where each line is an undertaking of its own. */
void interrupt_clear(void);

/* The exit code of a program that ended because of this signal: 130 for SIGINT. */
int interrupt_status(void);

#endif
