/* The end of a server's process: by itself in the middle of things, and when the client closes
 * it. */
#include "client_stdio_run.h"

#include <signal.h>

/* --- death ------------------------------------------------------------------------ */

static void a_server_that_dies_in_a_call_says_how_and_why(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call(&gots[0], "never", NULL);
    call_and_wait(&gots[1], "die", NULL);
    turn_until(&s.closed);
    for (int i = 0; i < 2; i++) {
        failed(&gots[i], "closed");
        assert_non_null(strstr(gots[i].error.text, "exited with status 3"));
        assert_non_null(strstr(gots[i].error.text, "out of  [31mcheese"));
    }
    assert_string_equal(s.why.code, "closed");
    assert_int_equal(mcp_client_pid(mcp), -1);
}

static void a_server_that_is_killed_names_the_signal(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "killed", NULL);
    failed(&gots[0], "closed");
    assert_non_null(strstr(gots[0].error.text, "signal 9"));
}

static void half_a_message_is_no_answer_and_a_whole_one_without_its_newline_is(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "half", NULL);
    failed(&gots[0], "protocol");
    turn_until(&s.closed);
    free_mcp();
    s.ready = s.closed = false;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[1], "no_newline", NULL);
    said(&gots[1], "content");
}

static void a_server_that_closes_its_stdin_is_stopped(void **state)
{
    struct error err;

    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call(&gots[0], "close_stdin", NULL);
    /* A message is written into a pipe without a reader, sooner or later. */
    while (!s.closed) {
        struct client_call *more =
            client_request(s.client, "ping", NULL, NULL, &plain, &gots[1], &err);
        if (more)
            client_cancel(more, NULL);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    failed(&gots[0], "closed");
}

static void a_server_that_stops_reading_is_busy_in_the_end(void **state)
{
    struct buf params = { 0 };
    struct error err;
    unsigned made = 0;

    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "deaf", NULL);
    buf_lit(&params, "{\"x\":\"");
    for (int i = 0; i < 1000000; i++)
        buf_addc(&params, 'x');
    buf_lit(&params, "\"}");
    while (client_notify(s.client, "notifications/x", buf_text(&params), &err))
        made++;
    buf_free(&params);
    assert_string_equal(err.code, "busy");
    assert_in_range(made, 50, 100);
}

/* --- shutdown --------------------------------------------------------------------- */

static void closing_ends_the_servers_input_and_it_goes(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    client_close(s.client);
    turn_until(&s.closed);
    assert_string_equal(s.why.code, "closed");
    assert_string_equal(happened(), "start;got initialize;got notifications/initialized;eof");
}

static void a_server_that_ignores_the_end_of_its_input_is_terminated(void **state)
{
    struct mcp_server_spec spec = { .close_ms = 1000, .term_ms = HANG_SECONDS * 1000 };

    (void)state;
    start_with(quick(CLIENT_LEGACY), spec, FLAGS("--ignore-eof"));
    until_ready();
    client_close(s.client);
    turn_until(&s.closed);
    assert_non_null(strstr(happened(), ";eof;term"));
}

static void a_server_that_ignores_everything_is_killed(void **state)
{
    struct mcp_server_spec spec = { .close_ms = 20, .term_ms = 30 };
    uint64_t started;
    int pid;

    (void)state;
    start_with(quick(CLIENT_LEGACY), spec, FLAGS("--ignore-eof", "--ignore-term"));
    until_ready();
    pid = mcp_client_pid(mcp);
    uv_update_time(&loop);
    started = uv_now(&loop); /* the time by which timers are set */
    client_close(s.client);
    turn_until(&s.closed);
    assert_true(uv_now(&loop) - started >= 50);
    assert_int_equal(kill(pid, 0), -1);
}

static void closing_during_the_restart_starts_nothing_new(void **state)
{
    (void)state;
    start_with(quick(CLIENT_AUTO), (struct mcp_server_spec){ 0 }, FLAGS("--era", "legacy"));
    while (client_pending(s.client) > 0)
        uv_run(&loop, UV_RUN_ONCE);
    client_close(s.client);
    turn_until(&s.closed);
    assert_string_equal(happened(), "start;got server/discover;eof");
}

static void it_may_be_freed_in_mid_call(void **state)
{
    int pid;

    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS("--ignore-eof", "--ignore-term"));
    call(&gots[0], "never", NULL);
    pid = mcp_client_pid(mcp);
    free_mcp();
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(kill(pid, 0), -1);
    assert_false(gots[0].done);
    assert_false(s.closed);
}

static void it_may_be_freed_before_it_is_ready(void **state)
{
    (void)state;
    start_with(quick(CLIENT_AUTO), (struct mcp_server_spec){ 0 }, FLAGS(NULL));
    free_mcp();
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(s.ready || s.closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_server_that_dies_in_a_call_says_how_and_why),
        CASE(a_server_that_is_killed_names_the_signal),
        CASE(half_a_message_is_no_answer_and_a_whole_one_without_its_newline_is),
        CASE(a_server_that_closes_its_stdin_is_stopped),
        CASE(a_server_that_stops_reading_is_busy_in_the_end),
        CASE(closing_ends_the_servers_input_and_it_goes),
        CASE(a_server_that_ignores_the_end_of_its_input_is_terminated),
        CASE(a_server_that_ignores_everything_is_killed),
        CASE(closing_during_the_restart_starts_nothing_new),
        CASE(it_may_be_freed_in_mid_call),
        CASE(it_may_be_freed_before_it_is_ready),
    };

    find_double();
    return cmocka_run_group_tests_name("client_stdio_end", tests, NULL, NULL);
}
