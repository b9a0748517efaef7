/* Ending jobs before their time: one that nobody waits for, and all input at the user's stop. */
#include "platform/worker/worker_impl.h"

/* Says so to the thread that runs it; false when none does. With the lock held. */
static bool stop_running(struct worker *worker, struct job *job, enum deadline_stop why)
{
    list_each (link, &worker->threads) {
        struct queue_thread *thread = container_of(link, struct queue_thread, link);

        if (thread->job == job) {
            atomic_store(&job->deadline.stop, why);
            queue_wake(thread);
            return true;
        }
    }
    return false;
}

void worker_cancel(struct worker *worker, struct job *job)
{
    bool running;

    pthread_mutex_lock(&worker->lock);
    job->cancelled = true;
    running = stop_running(worker, job, DEADLINE_CANCELLED);
    if (!running)
        list_remove(&job->link);
    else if (job->overdue > deadline_now() + WORKER_GRACE_MS) /* the thread must be free soon */
        job->overdue = deadline_now() + WORKER_GRACE_MS;
    pthread_mutex_unlock(&worker->lock);
    if (!running)
        job->destroy(job);
    worker_job_ends(worker);
    worker_set_timer(worker);
}

int worker_stop_input(struct worker *worker)
{
    struct link waiting, *link;
    int ended = 0;
    struct error err;
    struct deadline stopped = { .stop = DEADLINE_PANIC, .wake_fd = -1 };

    list_init(&waiting);
    pthread_mutex_lock(&worker->lock);
    atomic_store(&worker->stopped, true);
    list_each (item, &worker->threads) {
        struct queue_thread *thread = container_of(item, struct queue_thread, link);

        if (thread->queue != QUEUE_INPUT)
            continue;
        thread->release = true;
        if (thread->job && !thread->job->cancelled)
            ended += stop_running(worker, thread->job, DEADLINE_PANIC);
        else
            queue_wake(thread);
    }
    list_each (item, &worker->waiting[QUEUE_INPUT]) {
        list_remove(item);
        list_push(&waiting, item);
        ended++;
    }
    worker->refs++;
    pthread_mutex_unlock(&worker->lock);
    deadline_ok(&stopped, &err);
    while ((link = list_pop(&waiting)))
        worker_fail_job(worker, container_of(link, struct job, link), &err);
    worker_release(worker);
    return ended;
}

void worker_allow_input(struct worker *worker)
{
    atomic_store(&worker->stopped, false);
}

bool worker_input_stopped(const struct worker *worker)
{
    return atomic_load(&worker->stopped);
}
