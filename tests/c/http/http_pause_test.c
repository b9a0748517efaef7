/* Holding an answer back: pausing from an event and from outside, going on, and the clocks
 * meanwhile. */
#include "http_run.h"

enum { LARGE = 20000000 }; /* more than the sockets between us can hold */

static void pause_at_data(void *arg, const char *ptr, size_t len)
{
    struct call *call = arg;

    take_data(call, ptr, len);
    http_fetch_pause(call->http);
}

static const struct http_events pausing = { take_headers, pause_at_data, take_retry, take_done };

/* Runs another request from beginning to end: time enough for any event to come. */
static void let_time_pass(void)
{
    succeeded(get("/bytes/1000000"), 200);
}

static struct call *start_large(const struct http_events *events)
{
    char path[64];

    snprintf(path, sizeof path, "/bytes/%d", LARGE);
    return send_with(&(struct http_request){ .url = at(path) }, events);
}

static void a_paused_answer_is_held_back(void **state)
{
    struct call *call = start_large(&pausing);

    (void)state;
    while (!call->pieces)
        uv_run(&loop, UV_RUN_ONCE);
    let_time_pass();
    assert_int_equal(call->pieces, 1);
    assert_false(call->done);
    for (unsigned seen = call->pieces; !call->done; seen = call->pieces) {
        http_fetch_resume(call->http);
        assert_int_equal(call->pieces, seen); /* no event comes during the call */
        while (!call->done && call->pieces == seen)
            uv_run(&loop, UV_RUN_ONCE);
        assert_true(call->pieces <= seen + 1);
    }
    succeeded(call, 200);
    assert_int_equal(call->body.len, LARGE);
}

static void it_can_be_paused_before_anything_came(void **state)
{
    struct call *call = start_large(&streaming);

    (void)state;
    http_fetch_pause(call->http);
    http_fetch_pause(call->http);
    let_time_pass();
    assert_true(call->pieces <= 1);
    http_fetch_resume(call->http);
    http_fetch_resume(call->http);
    run_until(&call->done);
    succeeded(call, 200);
    assert_int_equal(call->body.len, LARGE);
}

static void pausing_and_going_on_at_once_changes_nothing(void **state)
{
    struct call *call = start_large(&streaming);

    (void)state;
    while (!call->done) {
        http_fetch_pause(call->http);
        http_fetch_resume(call->http);
        uv_run(&loop, UV_RUN_ONCE);
    }
    succeeded(call, 200);
    assert_int_equal(call->body.len, LARGE);
    http_fetch_pause(call->http);
    http_fetch_resume(call->http);
}

static void being_paused_is_not_being_idle(void **state)
{
    struct http_request request = { .url = at("/bytes/20000000"), .idle_timeout_ms = 50 };
    struct http_request silent = { .url = at("/never"), .total_timeout_ms = 300 };
    struct call *call = send_with(&request, &streaming), *other;

    (void)state;
    http_fetch_pause(call->http);
    other = send_it(&silent);
    assert_false(other->result.ok);
    assert_false(call->done);
    end_call(call);
}

static void the_total_time_runs_on(void **state)
{
    struct http_request request = { .url = at("/bytes/20000000"), .total_timeout_ms = 300 };
    struct call *call = send_with(&request, &pausing);

    (void)state;
    run_until(&call->done);
    assert_false(call->result.ok);
    assert_string_equal(call->result.error.code, "timeout");
}

static void a_paused_answer_can_be_freed(void **state)
{
    struct call *call = start_large(&pausing);
    struct call *resumed = start_large(&pausing);

    (void)state;
    while (!call->pieces || !resumed->pieces)
        uv_run(&loop, UV_RUN_ONCE);
    http_fetch_resume(resumed->http);
    end_call(call);
    end_call(resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_paused_answer_is_held_back),
        CASE(it_can_be_paused_before_anything_came),
        CASE(pausing_and_going_on_at_once_changes_nothing),
        CASE(being_paused_is_not_being_idle),
        CASE(the_total_time_runs_on),
        CASE(a_paused_answer_can_be_freed),
    };

    alarm(HANG_SECONDS);
    forget_proxies();
    return cmocka_run_group_tests(tests, server_setup, server_teardown);
}
