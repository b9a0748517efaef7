/* Desktop work off the loop: jobs, run by the threads of a few queues.
 *
 * A queue has its own threads, each with its own connection to the desktop, opened when first
 * needed and again after it was lost.
 *
 * A job that does not end by its deadline is given up: the caller gets "timeout", the connection is
 * interrupted, another thread takes over the queue, and the job is freed when its thread comes
 * back. All functions are for the loop's thread. */
#ifndef PERIGEE_PLATFORM_WORKER_WORKER_H
#define PERIGEE_PLATFORM_WORKER_WORKER_H

#include <uv.h>

#include "platform/worker/acting_right.h"
#include "platform/worker/job.h"

struct worker;

struct worker_options {
    const struct platform_ops *ops;
    void *shared;                 /* for ops->open(); borrowed */
    struct acting_right *right;   /* taken; NULL: one that knows of no files */
    void (*stopped)(void *owner); /* on the loop: the user asked for a stop; or NULL */
    void *owner;
};

/* Makes a worker, which starts no thread yet. The loop is kept alive only while there are jobs. */
struct worker *worker_new(uv_loop_t *loop, const struct worker_options *options);

/* Cancels all jobs and ends the threads; one that hangs is left behind. The loop has to turn once
 * more. NULL is fine. */
void worker_free(struct worker *worker);

/* Takes the job, even on failure (then destroy() was called): "desktop_hung" when too many threads
 * hang already, "stopped" for input and other actions, after worker_stop_input() and while the
 * desktop is stopped. An action waits while the desktop is held; if its time is over first, it ends
 * with "held". done() is never called from here. */
bool worker_start(struct worker *worker, struct job *job, struct error *err);

/* Cancels the job. done() will not be called, and the job must not be touched afterwards. */
void worker_cancel(struct worker *worker, struct job *job);

/* The panic stop: ends running and waiting input, and other actions, with "stopped", lets go of all
 * that is held down, and refuses new actions until worker_allow_input(). Returns how many actions
 * it ended. It stops only this process: stop_mark.h is for all. */
int worker_stop_input(struct worker *worker);
void worker_allow_input(struct worker *worker);
bool worker_input_stopped(struct worker *worker, struct error *err); /* err: "stopped" */

/* True if the desktop has elements, which are made ready; otherwise err. */
bool worker_elements(struct worker *worker, struct error *err);

/* Threads that were given up and have not come back. */
int worker_hung(struct worker *worker);

/* Lets go of every key and button this process holds down. For handlers of fatal signals. */
void worker_release_in_signal(void);

#endif
