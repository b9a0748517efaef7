/* Waiting for a job. */
#include "cli/job.h"

#include "cli/args.h"
#include "cli/interrupt.h"
#include "cli/output.h"

static void cancel(struct job *job)
{
    if (job->done || job->cancelled)
        return;
    job->cancelled = true;
    job->cancel(job);
}

static void on_interrupt(void *arg)
{
    cancel(arg);
}

void job_begin(struct job *job, struct engine *engine, void (*cancel_job)(struct job *job))
{
    *job = (struct job){ .engine = engine, .cancel = cancel_job };
    interrupt_start(engine_loop(engine), on_interrupt, job);
}

void job_wait(struct job *job)
{
    struct registry *registry = engine_registry(job->engine);

    while (!job->done) {
        if (!output_flush() && !job->deaf)
            cancel(job);
        if (registry_loaded(registry))
            engine_watch(job->engine);
        if (!job->done)
            uv_run(engine_loop(job->engine), UV_RUN_ONCE);
    }
    interrupt_stop();
}

void job_done(struct job *job)
{
    job->done = true;
    interrupt_wake(); /* the loop runs timers before it waits, and would wait now */
}

int job_status(enum task_end end)
{
    if (end == TASK_TIMED_OUT)
        return EXIT_TIMEOUT;
    return interrupt_signal() ? interrupt_status() : EXIT_FAILED;
}
