/* The loop's side of the worker: queues, deadlines, delivery.
 *
 * The lock is held for moments only and never while a callback or the desktop runs. One timer is
 * used for all deadlines; it is set to the earliest whenever jobs come or go. */
#include "platform/worker/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "platform/worker/queue_threads.h"

static _Atomic(const struct platform_ops *) signal_ops;

void worker_release_in_signal(void)
{
    const struct platform_ops *ops = atomic_load(&signal_ops);

    if (ops && ops->input && ops->input->release_in_signal)
        ops->input->release_in_signal();
}

void worker_release(struct worker *worker)
{
    bool last;

    pthread_mutex_lock(&worker->lock);
    last = --worker->refs == 0;
    pthread_mutex_unlock(&worker->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&worker->lock);
    pthread_cond_destroy(&worker->gone);
    clip_state_free(&worker->clip_state);
    acting_right_free(worker->right);
    free(worker);
}

/* Callbacks may end the worker: its memory has to stay until they are back. */
static void worker_keep(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->refs++;
    pthread_mutex_unlock(&worker->lock);
}

/* --- jobs keep the loop alive, and the backend turning ------------------------------- */

static void on_pulse(uv_timer_t *pulse)
{
    struct worker *worker = pulse->data;

    worker->ops->turn();
}

static void job_begins(struct worker *worker)
{
    if (worker->jobs++ > 0)
        return;
    uv_ref((uv_handle_t *)&worker->async);
    if (worker->ops->turn)
        uv_timer_start(&worker->pulse, on_pulse, WORKER_TURN_MS, WORKER_TURN_MS);
}

static void job_ends(struct worker *worker)
{
    if (--worker->jobs > 0 || worker->closing)
        return;
    uv_unref((uv_handle_t *)&worker->async);
    uv_timer_stop(&worker->pulse);
}

/* --- giving up -------------------------------------------------------------------- */

/* Hands the job to done() with this error; a thread that still has it frees it later. */
static void fail_job(struct worker *worker, struct job *job, const struct error *err)
{
    bool destroy;

    if (!worker->closing)
        job->done(job, err);
    pthread_mutex_lock(&worker->lock);
    job->delivered = true;
    destroy = !job->given_up || job->returned;
    pthread_mutex_unlock(&worker->lock);
    if (destroy)
        job->destroy(job);
    job_ends(worker);
}

static void fail_hung(struct worker *worker, struct job *job)
{
    struct error err;

    deadline_passed(job->acts, &err);
    fail_job(worker, job, &err);
}

static void fail_late(struct worker *worker, struct job *job)
{
    struct error err;

    if (job->pid)
        error_set(&err, "timeout",
                  "other calls that wait for process %d used up the time limit of this call. Try "
                  "again when it responds",
                  job->pid);
    else
        error_set(&err, "timeout",
                  "other work on the desktop used up the time limit of this call. Try again");
    fail_job(worker, job, &err);
}

/* Moves the jobs of a list that `ends` selects to a list of their own. */
static void take_from(struct link *list, struct link *out, bool (*ends)(const struct job *job))
{
    list_each (link, list) {
        if (ends(container_of(link, struct job, link))) {
            list_remove(link);
            list_push(out, link);
        }
    }
}

static void take_waiting(struct worker *worker, struct link *out,
                         bool (*ends)(const struct job *job))
{
    for (int queue = 0; queue < QUEUE_COUNT; queue++)
        take_from(&worker->waiting[queue], out, ends);
}

static bool is_late(const struct job *job)
{
    return deadline_left(&job->deadline) == 0;
}

static bool is_any(const struct job *job)
{
    (void)job;
    return true;
}

static bool is_stoppable(const struct job *job)
{
    return job->queue == QUEUE_INPUT || job->acts;
}

static void fail_all(struct worker *worker, struct link *jobs, const struct error *err)
{
    struct link *link;

    while ((link = list_pop(jobs)))
        fail_job(worker, container_of(link, struct job, link), err);
}

/* Gives up threads whose job is long overdue; the queue gets others. */
static void take_hung(struct worker *worker, struct link *out)
{
    uint64_t now = deadline_now();

    list_each (link, &worker->threads) {
        struct queue_thread *thread = container_of(link, struct queue_thread, link);
        struct job *job = thread->job;

        if (!job || now < job->overdue)
            continue;
        thread->lost = true;
        worker->hung++;
        worker->count[thread->queue]--;
        list_remove(link);
        if (thread->desktop)
            worker->ops->interrupt(thread->desktop);
        if (!list_empty(&worker->waiting[thread->queue]))
            queue_grow(worker, thread->queue, NULL);
        if (job->cancelled)
            continue;
        job->given_up = job->hung = true;
        list_push(out, &job->link);
    }
}

static uint64_t next_in(const struct link *list, uint64_t next)
{
    list_each (link, list) {
        struct job *job = container_of(link, struct job, link);

        next = job->deadline.at < next ? job->deadline.at : next;
    }
    return next;
}

static uint64_t next_deadline(struct worker *worker)
{
    uint64_t next = next_in(&worker->held, UINT64_MAX), look = deadline_now() + WORKER_HELD_MS;

    for (int queue = 0; queue < QUEUE_COUNT; queue++)
        next = next_in(&worker->waiting[queue], next);
    if (!list_empty(&worker->held) && look < next)
        next = look;
    list_each (link, &worker->threads) {
        struct job *job = container_of(link, struct queue_thread, link)->job;

        if (job && job->overdue < next)
            next = job->overdue;
    }
    return next;
}

static void on_timer(uv_timer_t *timer);

/* Sets the timer for the earliest deadline. */
static void set_timer(struct worker *worker)
{
    uint64_t now = deadline_now(), next;

    pthread_mutex_lock(&worker->lock);
    next = next_deadline(worker);
    pthread_mutex_unlock(&worker->lock);
    if (next == UINT64_MAX) {
        uv_timer_stop(&worker->timer);
        return;
    }
    uv_update_time(worker->loop);
    uv_timer_start(&worker->timer, on_timer, next > now ? next - now : 0, 0);
}

/* Lets the jobs go on that waited for the end of a hold. */
static void let_held(struct worker *worker)
{
    struct link *link;

    if (hold_mark_find(acting_right_files(worker->right)) != 0)
        return;
    pthread_mutex_lock(&worker->lock);
    while ((link = list_pop(&worker->held))) {
        struct job *job = container_of(link, struct job, link);

        list_push(&worker->waiting[job->queue], link);
        queue_grow(worker, job->queue, NULL); /* a job that gets no thread ends at its deadline */
    }
    pthread_mutex_unlock(&worker->lock);
}

static void on_timer(uv_timer_t *timer)
{
    struct worker *worker = timer->data;
    struct link late, held, hung, *link;
    struct error err;
    bool any_held;

    list_init(&late);
    list_init(&held);
    list_init(&hung);
    pthread_mutex_lock(&worker->lock);
    take_waiting(worker, &late, is_late);
    take_from(&worker->held, &held, is_late);
    take_hung(worker, &hung);
    any_held = !list_empty(&worker->held);
    worker->refs++;
    pthread_mutex_unlock(&worker->lock);
    if (any_held)
        let_held(worker);
    while ((link = list_pop(&late)))
        fail_late(worker, container_of(link, struct job, link));
    error_set(&err, "held",
              "a question to the user is open on this display, so nothing was done: actions wait "
              "until it is answered. Try again after that");
    fail_all(worker, &held, &err);
    while ((link = list_pop(&hung)))
        fail_hung(worker, container_of(link, struct job, link));
    if (!worker->closing)
        set_timer(worker);
    worker_release(worker);
}

/* --- delivery --------------------------------------------------------------------- */

static struct job *next_finished(struct worker *worker)
{
    struct link *link;

    pthread_mutex_lock(&worker->lock);
    link = list_pop(&worker->finished);
    pthread_mutex_unlock(&worker->lock);
    return link ? container_of(link, struct job, link) : NULL;
}

static void tell_panic(struct worker *worker)
{
    bool panic;

    pthread_mutex_lock(&worker->lock);
    panic = worker->panic;
    worker->panic = false;
    pthread_mutex_unlock(&worker->lock);
    if (!panic)
        return;
    worker_stop_input(worker);
    if (worker->options.stopped)
        worker->options.stopped(worker->options.owner);
}

static void on_async(uv_async_t *async)
{
    struct worker *worker = async->data;
    struct job *job;

    worker_keep(worker);
    while (!worker->closing && (job = next_finished(worker))) {
        job->done(job, job->ok ? NULL : &job->error);
        job->destroy(job);
        job_ends(worker);
    }
    if (!worker->closing) {
        tell_panic(worker);
        set_timer(worker);
    }
    worker_release(worker);
}

/* --- jobs ------------------------------------------------------------------------- */

static bool refuse_job(struct worker *worker, struct job *job, struct error *err)
{
    if (is_stoppable(job) && acting_right_stopped(worker->right, err))
        return true;
    if (worker_hung(worker) >= WORKER_HUNG_MAX) {
        error_set(err, "desktop_hung",
                  "the display server does not respond (%d calls are stuck). Wait for it to "
                  "recover, or restart it",
                  WORKER_HUNG_MAX);
        return true;
    }
    return false;
}

bool worker_elements(struct worker *worker, struct error *err)
{
    const struct element_ops *elements = worker->ops->elements;

    if (!elements)
        return error_set(err, "not_supported",
                         "this desktop tells nothing of the elements of windows");
    return !elements->ready || elements->ready(err);
}

static bool elements_ready(struct worker *worker, const struct job *job, struct error *err)
{
    return job->elements == ELEMENTS_UNUSED || worker_elements(worker, err) ||
           job->elements == ELEMENTS_WELCOME;
}

bool worker_start(struct worker *worker, struct job *job, struct error *err)
{
    bool ok;

    job->hung = job->ok = job->cancelled = false;
    job->given_up = job->delivered = job->returned = false;
    job->deadline = deadline_of(job->timeout_ms ? job->timeout_ms : WORKER_TIMEOUT_MS);
    job->deadline.acts = job->acts;
    job->overdue = job->deadline.at + WORKER_GRACE_MS;
    if (refuse_job(worker, job, err) || !elements_ready(worker, job, err)) {
        job->destroy(job);
        return false;
    }
    if (worker->ops->turn)
        worker->ops->turn();
    pthread_mutex_lock(&worker->lock);
    list_push(&worker->waiting[job->queue], &job->link);
    ok = queue_grow(worker, job->queue, err);
    if (!ok)
        list_remove(&job->link);
    pthread_mutex_unlock(&worker->lock);
    if (!ok) {
        job->destroy(job);
        return false;
    }
    job_begins(worker);
    set_timer(worker);
    return true;
}

/* --- ending jobs before their time ---------------------------------------------------- */

/* Tells the thread that runs it; false when none does. Called with the lock held. */
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
    else if (job->overdue > deadline_now() + WORKER_GRACE_MS) /* the thread has to be free soon */
        job->overdue = deadline_now() + WORKER_GRACE_MS;
    pthread_mutex_unlock(&worker->lock);
    if (!running)
        job->destroy(job);
    job_ends(worker);
    set_timer(worker);
}

int worker_stop_input(struct worker *worker)
{
    struct link waiting;
    int ended = 0;
    struct error err;
    struct deadline stopped = { .stop = DEADLINE_PANIC, .wake_fd = -1 };

    list_init(&waiting);
    acting_right_stop(worker->right);
    pthread_mutex_lock(&worker->lock);
    list_each (item, &worker->threads) {
        struct queue_thread *thread = container_of(item, struct queue_thread, link);
        struct job *job = thread->job;

        thread->release = thread->queue == QUEUE_INPUT;
        if (job && !job->cancelled && is_stoppable(job))
            ended += stop_running(worker, job, DEADLINE_PANIC);
        else if (thread->release)
            queue_wake(thread);
    }
    take_waiting(worker, &waiting, is_stoppable);
    take_from(&worker->held, &waiting, is_any);
    list_each (item, &waiting)
        ended++;
    worker->refs++;
    pthread_mutex_unlock(&worker->lock);
    deadline_ok(&stopped, &err);
    fail_all(worker, &waiting, &err);
    worker_release(worker);
    return ended;
}

void worker_allow_input(struct worker *worker)
{
    acting_right_allow(worker->right);
}

bool worker_input_stopped(struct worker *worker, struct error *err)
{
    return acting_right_stopped(worker->right, err);
}

int worker_hung(struct worker *worker)
{
    int hung;

    pthread_mutex_lock(&worker->lock);
    hung = worker->hung;
    pthread_mutex_unlock(&worker->lock);
    return hung;
}

/* --- lifetime --------------------------------------------------------------------- */

struct worker *worker_new(uv_loop_t *loop, const struct worker_options *options)
{
    struct worker *worker = mem_zero(sizeof *worker);

    worker->loop = loop;
    worker->ops = options->ops;
    worker->options = *options;
    worker->right = options->right ? options->right : acting_right_new();
    worker->refs = 4; /* the owner and three handles */
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->gone, NULL);
    for (int queue = 0; queue < QUEUE_COUNT; queue++)
        list_init(&worker->waiting[queue]);
    list_init(&worker->held);
    list_init(&worker->finished);
    list_init(&worker->threads);
    uv_async_init(loop, &worker->async, on_async);
    uv_timer_init(loop, &worker->timer);
    uv_timer_init(loop, &worker->pulse);
    worker->async.data = worker->timer.data = worker->pulse.data = worker;
    uv_unref((uv_handle_t *)&worker->async);
    uv_unref((uv_handle_t *)&worker->timer);
    uv_unref((uv_handle_t *)&worker->pulse);
    atomic_store(&signal_ops, options->ops);
    return worker;
}

static void on_handle_closed(uv_handle_t *handle)
{
    worker_release(handle->data);
}

/* Tells every thread to end; jobs that run are taken from theirs. */
static void dismiss(struct worker *worker)
{
    list_each (link, &worker->threads) {
        struct queue_thread *thread = container_of(link, struct queue_thread, link);

        thread->quit = true;
        if (thread->job) {
            thread->job->cancelled = true;
            atomic_store(&thread->job->deadline.stop, DEADLINE_CANCELLED);
        }
        queue_wake(thread);
    }
}

static void tear(struct worker *worker)
{
    list_each (link, &worker->threads) {
        struct queue_thread *thread = container_of(link, struct queue_thread, link);

        if (thread->desktop)
            worker->ops->interrupt(thread->desktop);
    }
}

/* Waits until no thread is left but those that hang; false: some are. */
static bool wait_gone(struct worker *worker, int ms)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms % 1000 * 1000000L;
    until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (worker->live > worker->hung) {
        if (pthread_cond_timedwait(&worker->gone, &worker->lock, &until) == ETIMEDOUT)
            return worker->live <= worker->hung;
    }
    return true;
}

void worker_free(struct worker *worker)
{
    struct link left, *link;

    if (!worker)
        return;
    list_init(&left);
    pthread_mutex_lock(&worker->lock);
    worker->closing = true;
    dismiss(worker);
    if (!wait_gone(worker, WORKER_GRACE_MS)) {
        tear(worker);
        wait_gone(worker, WORKER_FAREWELL_MS);
    }
    take_waiting(worker, &left, is_any);
    take_from(&worker->held, &left, is_any);
    take_from(&worker->finished, &left, is_any);
    pthread_mutex_unlock(&worker->lock);
    while ((link = list_pop(&left))) {
        struct job *job = container_of(link, struct job, link);

        job->destroy(job);
    }
    uv_close((uv_handle_t *)&worker->async, on_handle_closed);
    uv_close((uv_handle_t *)&worker->timer, on_handle_closed);
    uv_close((uv_handle_t *)&worker->pulse, on_handle_closed);
    worker_release(worker);
}
