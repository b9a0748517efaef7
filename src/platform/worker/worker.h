/* Desktop work off the loop: jobs, run by the threads of a few queues.
 *
 * A queue has its own threads, each with its own connection to the desktop,
 * opened when first needed and again after it was lost.
 *
 * A job that does not end by its deadline is given up: the caller gets "timeout", the
 * connection is interrupted, another thread takes over the queue, and what is left of the job
 * is freed when its thread comes back. All functions are for the loop's thread. */
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

/* Starts no thread yet. The loop is kept alive only while there are jobs. */
struct worker *worker_new(uv_loop_t *loop, const struct worker_options *options);

/* Cancels all jobs and ends the threads; one that hangs is left behind. The loop has to turn once
 * more. NULL is fine. */
void worker_free(struct worker *worker);

/* Takes the job, also on failure (then destroy() was called): "desktop_hung" when too many threads
 * hang already, "stopped" for input and for what acts, after worker_stop_input() and where the
 * desktop is stopped. What acts while the desktop is held waits; when its time is over first, it
 * ends with "held". done() is never called from here. */
bool worker_start(struct worker *worker, struct job *job, struct error *err);

/* done() will not be called. The job must not be touched afterwards. */
void worker_cancel(struct worker *worker, struct job *job);

/* The panic stop: ends running and waiting input, and what else acts, with "stopped", lets go of
 * what is held down, and refuses what is new until worker_allow_input(). Says how many actions it
 * ended. Only this process is meant: stop_mark.h is for all. */
int worker_stop_input(struct worker *worker);
void worker_allow_input(struct worker *worker);
bool worker_input_stopped(struct worker *worker, struct error *err); /* err: "stopped" */

/* Whether the desktop tells of elements, which are made ready; otherwise err. */
bool worker_elements(struct worker *worker, struct error *err);

/* Threads that were given up and have not come back. */
int worker_hung(struct worker *worker);

/* Lets go of every key and button this process holds down. For handlers of fatal signals. */
void worker_release_in_signal(void);

#endif
