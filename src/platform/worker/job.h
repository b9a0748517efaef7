/* A piece of desktop work, and the queue that it stands in.
 *
 * QUEUE_WAIT is for what waits for an application (its window, its end), so that questions, on
 * QUEUE_QUERY, never stand behind it. QUEUE_INPUT has one thread, so input never mixes;
 * QUEUE_CLIPBOARD has one that lives long, because it answers other programs. QUEUE_ELEMENTS talks
 * to the applications themselves: one that hangs takes two of its threads at most. */
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

/* Whether elements are made ready (element_ops.ready) before it is queued. */
enum job_elements { ELEMENTS_UNUSED, ELEMENTS_WELCOME, ELEMENTS_NEEDED };

/* The caller embeds it in what it needs and fills the first part. From worker_start() on it
 * belongs to the worker. */
struct job {
    enum worker_queue queue;
    uint64_t timeout_ms; /* from worker_start(), waiting for its turn included; 0: 10 000 */
    bool acts;           /* as in struct deadline: the user's stop and holds apply to it */
    enum job_elements elements;
    int pid; /* the process that answers, or not: few jobs of one run at a time; 0: none */

    /* On a thread of the queue. Touches nothing that the loop may touch meanwhile. */
    bool (*run)(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                struct deadline *deadline, struct error *err);
    /* On the loop, once, unless it is cancelled before; err is NULL after success. When
     * job->hung, run() may still be running: its results must not be read. */
    void (*done)(struct job *job, const struct error *err);
    /* Frees the job; the last call, on any thread. */
    void (*destroy)(struct job *job);

    bool hung;

    /* The worker's own. */
    struct link link;
    struct deadline deadline;
    struct error error;
    uint64_t overdue; /* when it is given up */
    bool ok, cancelled, given_up, delivered, returned;
};

#endif
