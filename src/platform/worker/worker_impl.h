/* The inside of the worker, shared by the loop's side (worker.c) and the threads'
 * (queue_threads.c). */
#ifndef PERIGEE_PLATFORM_WORKER_WORKER_IMPL_H
#define PERIGEE_PLATFORM_WORKER_WORKER_IMPL_H

#include <pthread.h>

#include "platform/worker/worker.h"

enum {
    WORKER_TIMEOUT_MS = 10000,
    WORKER_GRACE_MS = 300, /* from a job's deadline to giving up its thread */
    WORKER_HUNG_MAX = 8,
    WORKER_SHARE = 2, /* jobs of one process that run at a time */
    WORKER_FAREWELL_MS = 2000,
    WORKER_TURN_MS = 25, /* between two turns of the backend while there are jobs */
    WORKER_HELD_MS = 20, /* between two checks whether a hold has ended */
};

/* A thread; its memory is its own. Fields are guarded by worker->lock, except as noted. */
struct queue_thread {
    struct link link; /* in worker->threads until it is given up or ends */
    struct worker *worker;
    enum worker_queue queue;
    int wake[2];             /* a wake_pipe.h: there is work for the thread */
    struct job *job;         /* being run */
    struct desktop *desktop; /* changed by the thread only, under the lock */
    bool idle, lost, quit;
    bool release;         /* input was stopped: the thread has to let go of everything */
    struct acting acting; /* while it runs an action; the thread's own */
};

struct worker {
    uv_loop_t *loop;
    uv_async_t async;
    uv_timer_t timer; /* for the earliest deadline */
    uv_timer_t pulse; /* turns the backend while there are jobs */
    const struct platform_ops *ops;
    struct worker_options options;

    pthread_mutex_t lock;
    pthread_cond_t gone;              /* a thread has ended */
    struct link waiting[QUEUE_COUNT]; /* jobs that wait */
    struct link held;                 /* jobs that wait for the end of a hold */
    struct link finished;             /* jobs whose done() is due */
    struct link threads;
    int count[QUEUE_COUNT]; /* threads that are not lost */
    int live;               /* all threads */
    int hung;
    int refs;                     /* threads, handles, owner */
    int jobs;                     /* not delivered yet; the loop's own */
    bool closing;                 /* no uv_async_send() any more */
    bool panic;                   /* the owner has to be told */
    struct clip_state clip_state; /* the clipboard state of the connection when it died */
    struct acting_right *right;   /* owned; threads that hang may need it last */
};

/* Drops a reference; frees with the last one. Without the lock. */
void worker_release(struct worker *worker);

#endif
