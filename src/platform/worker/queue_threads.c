/* The threads' side of the worker: takes a job, runs it, hands it back.
 *
 * Between jobs a thread sleeps inside the backend's idle(), where it serves the desktop, so a
 * clipboard owner needs no thread of another kind. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>

#include "base/wake_pipe.h"
#include "platform/worker/queue_threads.h"

static const int queue_width[QUEUE_COUNT] = {
    [QUEUE_QUERY] = 4,     [QUEUE_WAIT] = 8,    [QUEUE_INPUT] = 1,
    [QUEUE_CLIPBOARD] = 1, [QUEUE_CAPTURE] = 2, [QUEUE_ELEMENTS] = 8
};

void queue_wake(struct queue_thread *thread)
{
    wake_pipe_wake(thread->wake);
}

static void set_desktop(struct queue_thread *thread, struct desktop *desktop)
{
    pthread_mutex_lock(&thread->worker->lock);
    thread->desktop = desktop;
    pthread_mutex_unlock(&thread->worker->lock);
}

static void swap_clip_states(struct clip_state *one, struct clip_state *two)
{
    struct clip_state kept = *one;

    *one = *two;
    *two = kept;
}

/* Keeps the clipboard's content and history when a connection broke. A thread that was given up
 * comes too late: another has the queue. */
static void keep_clipboard(struct queue_thread *thread, struct desktop *desktop)
{
    const struct clipboard_ops *ops = thread->worker->ops->clipboard;
    struct clip_state state;

    if (thread->queue != QUEUE_CLIPBOARD || !ops || !ops->retire)
        return;
    ops->retire(desktop, &state);
    pthread_mutex_lock(&thread->worker->lock);
    if (!thread->lost)
        swap_clip_states(&thread->worker->clip_state, &state);
    pthread_mutex_unlock(&thread->worker->lock);
    clip_state_free(&state);
}

static void renew_clipboard(struct queue_thread *thread, struct desktop *desktop)
{
    const struct clipboard_ops *ops = thread->worker->ops->clipboard;
    struct clip_state state = { 0 };

    if (thread->queue != QUEUE_CLIPBOARD || !ops || !ops->adopt)
        return;
    pthread_mutex_lock(&thread->worker->lock);
    swap_clip_states(&thread->worker->clip_state, &state);
    pthread_mutex_unlock(&thread->worker->lock);
    ops->adopt(desktop, &state);
}

static void drop_desktop(struct queue_thread *thread)
{
    struct desktop *desktop = thread->desktop;

    set_desktop(thread, NULL);
    keep_clipboard(thread, desktop);
    thread->worker->ops->close(desktop);
}

/* Closes the connection at the engine's end: the backend keeps the clipboard's content. If the
 * thread was given up, another has the queue. */
static void end_desktop(struct queue_thread *thread)
{
    struct desktop *desktop = thread->desktop;
    bool lost;

    pthread_mutex_lock(&thread->worker->lock);
    lost = thread->lost;
    thread->desktop = lost ? desktop : NULL;
    pthread_mutex_unlock(&thread->worker->lock);
    if (lost)
        drop_desktop(thread);
    else
        thread->worker->ops->close(desktop);
}

/* The user asks for a stop, which the backend noticed while this thread served events. */
static void on_panic(void *arg)
{
    struct queue_thread *thread = arg;
    struct worker *worker = thread->worker;

    acting_right_stop(worker->right);
    pthread_mutex_lock(&worker->lock);
    worker->panic = true;
    thread->release = true;
    if (thread->job)
        atomic_store(&thread->job->deadline.stop, DEADLINE_PANIC);
    if (!worker->closing)
        uv_async_send(&worker->async);
    pthread_mutex_unlock(&worker->lock);
}

static bool have_desktop(struct queue_thread *thread, struct error *err)
{
    const struct platform_ops *ops = thread->worker->ops;
    struct desktop *desktop;

    if (thread->desktop && ops->alive(thread->desktop))
        return true;
    if (thread->desktop)
        drop_desktop(thread);
    desktop = ops->open(thread->worker->options.shared, err);
    if (!desktop)
        return false;
    if (thread->queue == QUEUE_INPUT && ops->input && ops->input->on_panic)
        ops->input->on_panic(desktop, on_panic, thread);
    set_desktop(thread, desktop);
    renew_clipboard(thread, desktop);
    return true;
}

/* Sleeps until there is work. */
static void rest(struct queue_thread *thread)
{
    struct pollfd poller = { .fd = thread->wake[0], .events = POLLIN };

    if (thread->desktop && !thread->worker->ops->idle(thread->desktop, thread->wake[0]))
        drop_desktop(thread);
    if (!thread->desktop)
        poll(&poller, 1, -1);
    wake_pipe_drain(thread->wake);
}

/* Lets go of keys and buttons after input was stopped, even those of earlier actions. */
static void let_go(struct queue_thread *thread)
{
    const struct platform_ops *ops = thread->worker->ops;
    bool release;

    pthread_mutex_lock(&thread->worker->lock);
    release = thread->release;
    thread->release = false;
    pthread_mutex_unlock(&thread->worker->lock);
    if (release && thread->desktop && ops->input)
        ops->input->release_all(thread->desktop);
}

static bool may_run(const struct worker *worker, const struct job *job)
{
    int running = 0;

    list_each (link, &worker->threads) {
        const struct job *other = container_of(link, struct queue_thread, link)->job;

        running += job->pid && other && other->queue == job->queue && other->pid == job->pid;
    }
    return running < WORKER_SHARE;
}

/* The first job that may run. */
static struct job *next_job(const struct worker *worker, enum worker_queue queue)
{
    list_each (link, &worker->waiting[queue]) {
        struct job *job = container_of(link, struct job, link);

        if (may_run(worker, job))
            return job;
    }
    return NULL;
}

/* The next job of the queue, or NULL when the thread has to end. Wakes are written with the lock
 * held, so after the drain only a stop of this job wakes its waits: an old wake would end each of
 * them at once. */
static struct job *take_job(struct queue_thread *thread)
{
    struct worker *worker = thread->worker;
    struct job *job = NULL;

    pthread_mutex_lock(&worker->lock);
    while (!thread->quit && !thread->lost && !(job = next_job(worker, thread->queue))) {
        thread->idle = true;
        pthread_mutex_unlock(&worker->lock);
        rest(thread);
        let_go(thread);
        pthread_mutex_lock(&worker->lock);
        thread->idle = false;
    }
    if (thread->quit || thread->lost) {
        job = NULL;
    } else {
        list_remove(&job->link);
        wake_pipe_drain(thread->wake);
        job->deadline.wake_fd = thread->wake[0];
        thread->job = job;
    }
    pthread_mutex_unlock(&worker->lock);
    return job;
}

static void queue_thread_work(void *arg)
{
    struct queue_thread *thread = arg;
    struct worker *worker = thread->worker;
    struct job *job = thread->job;
    bool stops = job->queue == QUEUE_INPUT || job->acts;

    job->ok = deadline_ok(&job->deadline, &job->error) &&
              !(stops && acting_right_stopped(worker->right, &job->error)) &&
              have_desktop(thread, &job->error) &&
              job->run(job, worker->ops, thread->desktop, &job->deadline, &job->error);
    let_go(thread);
}

static void run_job(struct queue_thread *thread)
{
    const struct platform_ops *ops = thread->worker->ops;

    if (ops->around)
        ops->around(queue_thread_work, thread);
    else
        queue_thread_work(thread);
}

/* Returns the job to the loop, until the hold has ended; unless it has to end before. */
static bool put_back(struct queue_thread *thread, struct job *job)
{
    struct worker *worker = thread->worker;
    bool ok;

    pthread_mutex_lock(&worker->lock);
    ok = !worker->closing && !job->cancelled && !job->given_up &&
         atomic_load(&job->deadline.stop) == DEADLINE_GOES_ON;
    if (ok) {
        thread->job = NULL;
        list_push(&worker->held, &job->link);
        uv_async_send(&worker->async); /* this sets the timer */
    }
    pthread_mutex_unlock(&worker->lock);
    return ok;
}

/* Actions wait while the desktop is held. The hold does not wait for actions on windows and
 * applications in turn: their request was sent at once, and they only wait afterwards. */
static bool is_held(struct queue_thread *thread, struct job *job)
{
    const struct place_files *files = acting_right_files(thread->worker->right);

    if (!job->acts)
        return false;
    if (!acting_begin(files, &thread->acting))
        return put_back(thread, job);
    if (job->queue == QUEUE_WAIT)
        acting_end(&thread->acting);
    return false;
}

/* Hands the job back. A cancelled one ends here, because no caller waits for it. One that was given
 * up is freed by the last user, this thread or the loop. */
static void hand_back(struct queue_thread *thread, struct job *job)
{
    struct worker *worker = thread->worker;
    bool destroy;

    pthread_mutex_lock(&worker->lock);
    thread->job = NULL;
    destroy = job->cancelled || (job->given_up && job->delivered);
    job->returned = true;
    if (!job->cancelled && !job->given_up) {
        list_push(&worker->finished, &job->link);
        if (!worker->closing)
            uv_async_send(&worker->async);
    }
    pthread_mutex_unlock(&worker->lock);
    if (destroy)
        job->destroy(job);
}

static void thread_end(struct queue_thread *thread)
{
    struct worker *worker = thread->worker;

    if (thread->desktop)
        end_desktop(thread);
    pthread_mutex_lock(&worker->lock);
    if (thread->lost)
        worker->hung--;
    else
        worker->count[thread->queue]--;
    list_remove(&thread->link);
    worker->live--;
    pthread_cond_broadcast(&worker->gone);
    pthread_mutex_unlock(&worker->lock);
    wake_pipe_close(thread->wake);
    free(thread);
    worker_release(worker);
}

static void *thread_main(void *arg)
{
    struct queue_thread *thread = arg;
    struct job *job;

    while ((job = take_job(thread))) {
        if (is_held(thread, job))
            continue;
        run_job(thread);
        acting_end(&thread->acting);
        hand_back(thread, job);
    }
    thread_end(thread);
    return NULL;
}

/* Creates the thread. Signals stay with the loop's thread, except those that a thread's own fault
 * raises: if they were blocked, they would end the process before its handlers can let go of keys
 * that are held down. */
static int create_detached(struct queue_thread *thread)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t id;
    int rc;

    sigfillset(&all);
    for (size_t i = 0; i < countof(faults); i++)
        sigdelset(&all, faults[i]);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&id, &attributes, thread_main, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return rc;
}

static bool thread_new(struct worker *worker, enum worker_queue queue, struct error *err)
{
    struct queue_thread *thread = mem_zero(sizeof *thread);
    int rc;

    thread->worker = worker;
    thread->queue = queue;
    if (!wake_pipe_open(thread->wake)) {
        error_errno(err, errno, "a thread for desktop work");
        free(thread);
        return false;
    }
    rc = create_detached(thread); /* the new thread waits for the lock first */
    if (rc != 0) {
        wake_pipe_close(thread->wake);
        free(thread);
        return error_errno(err, rc, "a thread for desktop work");
    }
    list_push(&worker->threads, &thread->link);
    worker->count[queue]++;
    worker->live++;
    worker->refs++;
    return true;
}

/* Wakes an idle thread of the queue, or adds one if there may be more. A job that has to wait for
 * others of its process is taken by a thread that has ended one of those. */
bool queue_grow(struct worker *worker, enum worker_queue queue, struct error *err)
{
    if (!next_job(worker, queue))
        return true;
    list_each (link, &worker->threads) {
        struct queue_thread *thread = container_of(link, struct queue_thread, link);

        if (thread->queue == queue && thread->idle) {
            thread->idle = false;
            queue_wake(thread);
            return true;
        }
    }
    if (worker->count[queue] >= queue_width[queue])
        return true;
    return thread_new(worker, queue, err) || worker->count[queue] > 0;
}
