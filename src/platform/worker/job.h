/* A piece of desktop work, and the queue in which it waits.
 *
 * QUEUE_WAIT is for jobs that wait for an application (its window, its end), so that questions, on
 * QUEUE_QUERY, never wait behind them. QUEUE_INPUT has one thread, so input never mixes;
 * QUEUE_CLIPBOARD has one that lives long, because it answers other programs. QUEUE_ELEMENTS talks
 * to the applications themselves: an application that hangs takes two of its threads at most. */
#ifndef PERIGEE_PLATFORM_WORKER_JOB_H
#define PERIGEE_PLATFORM_WORKER_JOB_H

#include "base/list.h"
#include "platform/platform.h"

enum worker_queue {
    QUEUE_QUERY,
    QUEUE_WAIT,
    QUEUE_INPUT,
    QUEUE_CLIPBOARD,
    QUEUE_CAPTURE,
    QUEUE_ELEMENTS,
    QUEUE_COUNT
};

/* Says whether elements are made ready (element_ops.ready) before the job is queued. */
enum job_elements { ELEMENTS_UNUSED, ELEMENTS_WELCOME, ELEMENTS_NEEDED };

/* The caller embeds it in a struct of its own and fills the first part. From worker_start() on it
 * belongs to the worker. */
struct job {
    enum worker_queue queue;
    uint64_t timeout_ms; /* from worker_start(), waiting for its turn included; 0: 10 000 */
    bool acts;           /* as in struct deadline: the user's stop and holds apply to it */
    enum job_elements elements;
    int pid; /* the process that has to answer: few jobs of one process run at a time; 0: none */

    /* Does the work, on a thread of the queue. Touches nothing that the loop may touch
     * meanwhile. */
    bool (*run)(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                struct deadline *deadline, struct error *err);
    /* Called on the loop, once, unless the job is cancelled before; err is NULL after success. If
     * job->hung, run() may still be running: its results must not be read. */
    void (*done)(struct job *job, const struct error *err);
    /* Frees the job; the last call, on any thread. */
    void (*destroy)(struct job *job);

    bool hung;

    /* For the worker only. */
    struct link link;
    struct deadline deadline;
    struct error error;
    uint64_t overdue; /* the time when it is given up */
    bool ok, cancelled, given_up, delivered, returned;
};

#endif
