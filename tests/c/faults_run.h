/* Tests of faults of a desktop, through the worker as the engine uses it. X11 only: the fake's own
 * faults are in platform_worker_test.c. */
#ifndef PERIGEE_TESTS_C_FAULTS_RUN_H
#define PERIGEE_TESTS_C_FAULTS_RUN_H

#include "io_help.h"

#include "platform_run.h"

#include "platform/worker/worker.h"

static struct worker *worker;

struct call {
    struct job job;
    struct input input;
    struct input_outcome sent;
    struct window_list list;
    struct window_ref ref;
    struct window_change change;
    struct window_outcome outcome;
    struct point cursor;
};

static struct {
    bool over, ok, hung;
    struct error err;
    struct window_outcome outcome;
    size_t windows;
    struct point cursor;
} last;

static inline bool run_list(struct job *job, const struct platform_ops *ops,
                            struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->windows->list(desktop, deadline, NULL, &call->list, err);
}

static inline bool run_input(struct job *job, const struct platform_ops *ops,
                             struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->input->send(desktop, deadline, &call->input, &call->sent, err);
}

static inline void done(struct job *job, const struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    last.over = true;
    last.ok = err == NULL;
    last.hung = job->hung;
    last.err = err ? *err : (struct error){ "", "" };
    last.windows = err ? 0 : call->list.count;
    if (err)
        return;
    last.outcome = call->outcome;
    last.cursor = call->cursor;
}

static inline void destroy(struct job *job)
{
    struct call *call = container_of(job, struct call, job);

    window_list_free(&call->list);
    free(call);
}

static inline struct call *start(bool (*run)(struct job *, const struct platform_ops *,
                                             struct desktop *, struct deadline *, struct error *),
                                 uint64_t timeout_ms)
{
    struct call *call = mem_zero(sizeof *call);
    struct error err;

    call->job.queue = QUEUE_QUERY;
    call->job.timeout_ms = timeout_ms;
    call->job.run = run;
    call->job.done = done;
    call->job.destroy = destroy;
    last.over = false;
    assert_true(worker_start(worker, &call->job, &err));
    return call;
}

static inline void list_windows(uint64_t timeout_ms)
{
    start(run_list, timeout_ms);
    run_until(&last.over);
}

static inline int faults_start(void **state)
{
    struct worker_options options = { 0 };

    signal(SIGPIPE, SIG_IGN); /* as the engine does: writing to a broken connection fails */
    if (stage_start(state) != 0 || loop_setup(state) != 0)
        return -1;
    options.ops = stage.ops;
    options.shared = stage.shared;
    worker = worker_new(&loop, &options);
    return 0;
}

static inline int faults_end(void **state)
{
    int rc;

    worker_free(worker);
    rc = loop_teardown(state);
    return stage_end(state) || rc;
}

#endif
