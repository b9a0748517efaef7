/* The worker: jobs on threads, deadlines, hangs, cancelling, the panic stop. */
#include "io_help.h"

#include <poll.h>
#include <pthread.h>

#include "platform/fake/fake.h"
#include "platform/worker/worker.h"

static struct fake *fake;
static struct worker *worker;
static _Atomic int destroyed;
static int stops;

struct call {
    struct job job;
    struct window_list list;
    struct input input;
    struct input_outcome outcome;
    int *results; /* counts done() */
    char code[48];
    bool ok, hung;
    bool *flag;
};

static void count_stop(void *owner)
{
    (void)owner;
    stops++;
}

static int set_up(void **state)
{
    struct worker_options options = { .ops = &perigee_fake, .stopped = count_stop };

    loop_setup(state);
    fake = fake_new();
    fake_add_window(fake, fake_add_app(fake, "editor", "editor"), "text",
                    (struct rect){ 0, 0, 400, 300 });
    options.shared = fake;
    destroyed = 0;
    stops = 0;
    worker = worker_new(&loop, &options);
    return 0;
}

static int tear_down(void **state)
{
    int rc;

    worker_free(worker);
    rc = loop_teardown(state);
    fake_free(fake);
    return rc;
}

static bool run_list(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                     struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->windows->list(desktop, deadline, NULL, &call->list, err);
}

static bool run_input(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                      struct deadline *deadline, struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    return ops->input->send(desktop, deadline, &call->input, &call->outcome, err);
}

/* The result in done(); one at a time is enough for most tests. */
static struct {
    int count;
    bool ok, hung, over;
    char code[48];
    size_t windows;
} last;

static void done(struct job *job, const struct error *err)
{
    struct call *call = container_of(job, struct call, job);

    last.count++;
    last.over = true;
    last.ok = err == NULL;
    last.hung = job->hung;
    snprintf(last.code, sizeof last.code, "%s", err ? err->code : "");
    last.windows = err ? 0 : call->list.count;
}

static void destroy(struct job *job)
{
    struct call *call = container_of(job, struct call, job);

    window_list_free(&call->list);
    free(call);
    atomic_fetch_add(&destroyed, 1);
}

static struct call *call_new(enum worker_queue queue, uint64_t timeout_ms)
{
    struct call *call = mem_zero(sizeof *call);

    call->job.queue = queue;
    call->job.timeout_ms = timeout_ms;
    call->job.run = queue == QUEUE_INPUT ? run_input : run_list;
    call->job.done = done;
    call->job.destroy = destroy;
    call->input = (struct input){ .kind = INPUT_CLICK, .at = { 5, 5 } };
    last.over = false;
    return call;
}

static struct call *start(enum worker_queue queue, uint64_t timeout_ms)
{
    struct call *call = call_new(queue, timeout_ms);
    struct error err;

    assert_true(worker_start(worker, &call->job, &err));
    return call;
}

static void on_beat(uv_timer_t *timer)
{
    (void)timer;
}

static int destroyed_now(void)
{
    return atomic_load(&destroyed);
}

static int threads_given_up(void)
{
    return -worker_hung(worker);
}

/* Waits until the number is at least `least`. Cancelled jobs and threads that were given up do not
 * keep the loop alive; in the program other handles do. */
static void wait_for(int (*number)(void), int least)
{
    uint64_t end = deadline_now() + 60000;
    uv_timer_t beat;

    uv_timer_init(&loop, &beat);
    uv_timer_start(&beat, on_beat, 1, 1);
    while (number() < least && deadline_now() < end)
        uv_run(&loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&beat, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(number(), least);
}

static void wait_destroyed(int count)
{
    wait_for(destroyed_now, count);
}

static void a_job_runs_and_is_delivered_on_the_loop(void **state)
{
    (void)state;
    last.count = 0;
    start(QUEUE_QUERY, 0);
    assert_false(last.over);
    run_until(&last.over);
    assert_true(last.ok);
    assert_int_equal(last.windows, 1);
    assert_int_equal(last.count, 1);
    assert_int_equal(destroyed, 1);
}

static void the_loop_ends_by_itself_when_all_is_done(void **state)
{
    (void)state;
    last.count = 0;
    for (int i = 0; i < 20; i++)
        start(QUEUE_QUERY, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(last.count, 20);
    assert_int_equal(destroyed, 20);
}

/* A system that reports its events only to the main thread, and needs a function around work. */
static _Atomic int turns, around;
static pthread_t main_thread;

static void count_turn(void)
{
    assert_true(pthread_equal(pthread_self(), main_thread));
    atomic_fetch_add(&turns, 1);
}

static void go_around(void (*work)(void *arg), void *arg)
{
    atomic_fetch_add(&around, 1);
    work(arg);
    atomic_fetch_add(&around, 100);
}

static bool run_until_turned(struct job *job, const struct platform_ops *ops,
                             struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    (void)job;
    (void)ops;
    (void)desktop;
    while (atomic_load(&turns) < 5) {
        if (!deadline_wait(deadline, -1, deadline_now() + 5, err))
            return false;
    }
    return atomic_load(&around) == 1;
}

static void the_backend_turns_while_a_job_waits_for_its_news(void **state)
{
    struct platform_ops ops = perigee_fake;
    struct worker_options options = { .ops = &ops, .shared = fake };
    struct call *call = call_new(QUEUE_WAIT, 60000);
    struct error err;

    (void)state;
    ops.turn = count_turn;
    ops.around = go_around;
    main_thread = pthread_self();
    turns = around = 0;
    worker_free(worker);
    worker = worker_new(&loop, &options);
    call->job.run = run_until_turned;
    assert_true(worker_start(worker, &call->job, &err));
    uv_run(&loop, UV_RUN_DEFAULT); /* ends: it turns only while there are jobs */
    assert_true(last.over && last.ok);
    assert_int_equal(around, 101);
    worker_free(worker);
    uv_run(&loop, UV_RUN_DEFAULT);
    worker = NULL; /* its ops are on this stack */
}

static _Atomic bool begun;
static int wakes_at_begin;

static bool run_until_stopped(struct job *job, const struct platform_ops *ops,
                              struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    (void)job;
    (void)ops;
    (void)desktop;
    atomic_store(&begun, true);
    while (deadline_wait(deadline, -1, 0, err))
        ;
    return false;
}

static bool run_poll_wakes(struct job *job, const struct platform_ops *ops, struct desktop *desktop,
                           struct deadline *deadline, struct error *err)
{
    struct pollfd wake = { .fd = deadline->wake_fd, .events = POLLIN };

    (void)job;
    (void)ops;
    (void)desktop;
    (void)err;
    wakes_at_begin = poll(&wake, 1, 0);
    return true;
}

static int has_begun(void)
{
    return atomic_load(&begun);
}

/* A wake that is left in the pipe lets every wait of the next job end at once: it spins. */
static void the_wake_of_a_cancelled_job_is_not_the_next_ones(void **state)
{
    struct call *first = call_new(QUEUE_CLIPBOARD, 60000); /* it has one thread */
    struct call *second = call_new(QUEUE_CLIPBOARD, 60000);
    struct error err;

    (void)state;
    begun = false;
    wakes_at_begin = -1;
    first->job.run = run_until_stopped;
    second->job.run = run_poll_wakes;
    assert_true(worker_start(worker, &first->job, &err));
    wait_for(has_begun, 1);
    assert_true(worker_start(worker, &second->job, &err));
    worker_cancel(worker, &first->job);
    run_until(&last.over);
    assert_true(last.ok);
    assert_int_equal(wakes_at_begin, 0);
    wait_destroyed(2);
}

static void a_hang_costs_its_own_call_only(void **state)
{
    (void)state;
    last.count = 0;
    fake_hang(fake, true);
    start(QUEUE_QUERY, 50);
    run_until(&last.over);
    assert_false(last.ok);
    assert_true(last.hung);
    assert_string_equal(last.code, "timeout");
    fake_hang(fake, false);
    start(QUEUE_QUERY, 0);
    run_until(&last.over);
    assert_true(last.ok);
    wait_destroyed(2);
    wait_for(threads_given_up, 0); /* a thread closes its desktop after its last job is gone */
}

static void other_queues_go_on_while_one_hangs(void **state)
{
    struct call *typing = call_new(QUEUE_INPUT, 0);
    struct error err;

    (void)state;
    typing->input.ms = 60000; /* a long action holds the input queue */
    assert_true(worker_start(worker, &typing->job, &err));
    start(QUEUE_QUERY, 0);
    run_until(&last.over);
    assert_true(last.ok);
    worker_cancel(worker, &typing->job);
    wait_destroyed(2);
}

/* Five such calls held all threads, and those to other applications waited behind them. */
static void calls_to_one_that_hangs_leave_threads_to_others(void **state)
{
    struct call *stuck[20], *other;
    struct error err;

    (void)state;
    for (size_t i = 0; i < countof(stuck); i++) {
        stuck[i] = call_new(QUEUE_ELEMENTS, 600000);
        stuck[i]->job.pid = 7;
        stuck[i]->job.run = run_until_stopped;
        assert_true(worker_start(worker, &stuck[i]->job, &err));
    }
    for (int pid = 7; pid <= 8; pid++) {
        other = call_new(QUEUE_ELEMENTS, pid == 7 ? 50 : 0);
        other->job.pid = pid;
        assert_true(worker_start(worker, &other->job, &err));
        run_until(&last.over);
        assert_int_equal(last.ok, pid == 8);
        assert_string_equal(last.code, pid == 8 ? "" : "timeout");
    }
    for (size_t i = 0; i < countof(stuck); i++)
        worker_cancel(worker, &stuck[i]->job);
    wait_destroyed(countof(stuck) + 2);
}

/* A call that ends makes room for the next one to its process. */
static void calls_to_one_application_take_turns(void **state)
{
    (void)state;
    last.count = 0;
    for (int i = 0; i < 20; i++) {
        struct call *call = call_new(QUEUE_ELEMENTS, 0);
        struct error err;

        call->job.pid = 7;
        assert_true(worker_start(worker, &call->job, &err));
    }
    wait_destroyed(20);
    assert_int_equal(last.count, 20);
    assert_true(last.ok);
}

static void a_waiting_job_ends_at_its_deadline(void **state)
{
    struct call *first = call_new(QUEUE_INPUT, 0);
    struct error err;

    (void)state;
    first->input.ms = 60000;
    assert_true(worker_start(worker, &first->job, &err));
    start(QUEUE_INPUT, 30);
    run_until(&last.over);
    assert_string_equal(last.code, "timeout");
    assert_false(last.hung);
    worker_cancel(worker, &first->job);
    wait_destroyed(2);
}

static void a_cancelled_job_is_not_delivered(void **state)
{
    struct call *call;

    (void)state;
    last.count = 0;
    call = start(QUEUE_QUERY, 0);
    worker_cancel(worker, &call->job);
    uv_run(&loop, UV_RUN_DEFAULT);
    wait_destroyed(1);
    assert_int_equal(last.count, 0);
}

static void a_cancelled_job_that_hangs_is_torn_away(void **state)
{
    struct call *call;

    (void)state;
    fake_hang(fake, true);
    call = start(QUEUE_QUERY, 60000);
    while (!call->job.deadline.wake_fd || call->job.deadline.wake_fd == -1)
        uv_run(&loop, UV_RUN_NOWAIT); /* until a thread has it */
    worker_cancel(worker, &call->job);
    wait_destroyed(1);
    fake_hang(fake, false);
}

static void the_panic_stop_ends_running_and_waiting_input(void **state)
{
    struct call *first = call_new(QUEUE_INPUT, 0), *late;
    struct error err;

    (void)state;
    last.count = 0;
    first->input.ms = 60000;
    assert_true(worker_start(worker, &first->job, &err));
    start(QUEUE_INPUT, 0);
    worker_stop_input(worker);
    while (last.count < 2)
        uv_run(&loop, UV_RUN_ONCE);
    assert_string_equal(last.code, "stopped");
    assert_true(worker_input_stopped(worker, NULL));
    late = call_new(QUEUE_INPUT, 0);
    assert_false(worker_start(worker, &late->job, &err));
    assert_string_equal(err.code, "stopped");
    worker_allow_input(worker);
    start(QUEUE_INPUT, 0);
    run_until(&last.over);
    assert_true(last.ok);
    assert_int_equal(fake_held(fake), 0);
}

static void the_users_key_stops_input_and_the_owner_is_told(void **state)
{
    struct call *first;
    struct error err;

    (void)state;
    start(QUEUE_INPUT, 0); /* opens the connection that listens */
    run_until(&last.over);
    first = call_new(QUEUE_INPUT, 0);
    first->input.ms = 60000;
    assert_true(worker_start(worker, &first->job, &err));
    fake_panic(fake);
    run_until(&last.over);
    assert_string_equal(last.code, "stopped");
    while (stops == 0)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(stops, 1);
    assert_true(worker_input_stopped(worker, NULL));
}

static void a_desktop_that_goes_away_is_found_again(void **state)
{
    (void)state;
    start(QUEUE_QUERY, 0);
    run_until(&last.over);
    assert_true(last.ok);
    fake_set_present(fake, false);
    start(QUEUE_QUERY, 0);
    run_until(&last.over);
    assert_string_equal(last.code, "no_display");
    fake_set_present(fake, true);
    start(QUEUE_QUERY, 0);
    run_until(&last.over);
    assert_true(last.ok);
}

static void too_many_hanging_calls_are_refused(void **state)
{
    struct call *call;
    struct error err;

    (void)state;
    last.count = 0;
    fake_hang(fake, true);
    for (int i = 0; i < 8; i++) {
        call = call_new(QUEUE_QUERY, 20);
        assert_true(worker_start(worker, &call->job, &err));
    }
    while (last.count < 8)
        uv_run(&loop, UV_RUN_ONCE);
    fake_hang(fake, false);
    wait_destroyed(8);
}

static void ending_with_work_under_way_leaks_nothing(void **state)
{
    (void)state;
    fake_hang(fake, true);
    start(QUEUE_QUERY, 60000);
    start(QUEUE_QUERY, 60000);
    start(QUEUE_INPUT, 60000);
    start(QUEUE_INPUT, 60000);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_job_runs_and_is_delivered_on_the_loop),
        CASE(the_loop_ends_by_itself_when_all_is_done),
        CASE(the_backend_turns_while_a_job_waits_for_its_news),
        CASE(the_wake_of_a_cancelled_job_is_not_the_next_ones),
        CASE(a_hang_costs_its_own_call_only),
        CASE(other_queues_go_on_while_one_hangs),
        CASE(calls_to_one_that_hangs_leave_threads_to_others),
        CASE(calls_to_one_application_take_turns),
        CASE(a_waiting_job_ends_at_its_deadline),
        CASE(a_cancelled_job_is_not_delivered),
        CASE(a_cancelled_job_that_hangs_is_torn_away),
        CASE(the_panic_stop_ends_running_and_waiting_input),
        CASE(the_users_key_stops_input_and_the_owner_is_told),
        CASE(a_desktop_that_goes_away_is_found_again),
        CASE(too_many_hanging_calls_are_refused),
        CASE(ending_with_work_under_way_leaks_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
