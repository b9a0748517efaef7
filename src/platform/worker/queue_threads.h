/* The threads of the queues. Called with the worker's lock held. */
#ifndef PERIGEE_PLATFORM_WORKER_QUEUE_THREADS_H
#define PERIGEE_PLATFORM_WORKER_QUEUE_THREADS_H

#include "platform/worker/worker_impl.h"

/* Ends the thread's sleep. */
void queue_wake(struct queue_thread *thread);

/* Wakes a thread that sleeps, or adds one if there may be more, for a new job. False: no thread can
 * be had. */
bool queue_grow(struct worker *worker, enum worker_queue queue, struct error *err);

#endif
