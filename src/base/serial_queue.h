/* Jobs that a thread of libuv's pool does one after another, in the order in which they came.
 *
 * What comes while others run is the next round. All functions are for the loop's thread; run() is
 * called on the pool's, one at a time. */
#ifndef PERIGEE_BASE_SERIAL_QUEUE_H
#define PERIGEE_BASE_SERIAL_QUEUE_H

#include <uv.h>

#include "base/list.h"

struct serial_job {
    struct link link; /* for the queue */
    void (*run)(struct serial_job *job);
    void (*done)(struct serial_job *job); /* on the loop, always */
};

struct serial_queue {
    uv_loop_t *loop;

    /* For the implementation only. */
    struct link waiting, round;
    bool busy;
    uv_work_t work;
};

void serial_queue_init(struct serial_queue *queue, uv_loop_t *loop);

/* The last job's done() may free the queue. */
void serial_queue_add(struct serial_queue *queue, struct serial_job *job);

#endif
