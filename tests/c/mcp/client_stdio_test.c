/* The client and a server's process: their beginning, calls, bad output, questions. */
#include "client_stdio_run.h"

/* --- eras ------------------------------------------------------------------------- */

static void a_legacy_server_is_started_again_and_initialized(void **state)
{
    (void)state;
    connect_to(CLIENT_AUTO, FLAGS("--era", "legacy", "--strict"));
    assert_int_equal(client_era(s.client), CLIENT_LEGACY);
    assert_string_equal(client_version(s.client), "2025-11-25");
    assert_string_equal(client_instructions(s.client), "be kind");
    assert_string_equal(json_get(client_server(s.client), "name")->valuestring, "double");
    call_and_wait(&gots[0], "echo", "{\"a\":[1]}");
    said(&gots[0], "{\\\"a\\\": [1]}");
    assert_string_equal(happened(), "start;got server/discover;eof;start;got initialize;"
                                    "got notifications/initialized;got tools/call");
}

static void a_modern_server_serves_in_its_first_life(void **state)
{
    (void)state;
    connect_to(CLIENT_AUTO, FLAGS("--era", "modern"));
    assert_int_equal(client_era(s.client), CLIENT_MODERN);
    assert_string_equal(json_get(client_server(s.client), "name")->valuestring, "double");
    call_and_wait(&gots[0], "echo", "{\"a\":1}");
    said(&gots[0], "{\\\"a\\\": 1}");
    assert_string_equal(happened(), "start;got server/discover;got tools/call");
}

static void a_server_of_both_eras_is_used_as_pinned(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS("--era", "dual"));
    assert_int_equal(client_era(s.client), CLIENT_LEGACY);
    assert_null(strstr(happened(), "discover"));
    free_mcp();
    s.ready = false;
    connect_to(CLIENT_MODERN, FLAGS("--era", "dual"));
    assert_int_equal(client_era(s.client), CLIENT_MODERN);
}

static void a_server_that_is_silent_at_the_probe_is_reached(void **state)
{
    struct client_options options = quick(CLIENT_AUTO);

    (void)state;
    options.probe_ms = 300;
    start_with(options, (struct mcp_server_spec){ 0 },
               FLAGS("--era", "legacy", "--probe", "silent"));
    until_ready();
    assert_int_equal(client_era(s.client), CLIENT_LEGACY);
    call_and_wait(&gots[0], "echo", NULL);
    said(&gots[0], "{}");
}

static void a_server_that_exits_at_the_probe_is_reached(void **state)
{
    (void)state;
    connect_to(CLIENT_AUTO, FLAGS("--era", "legacy", "--probe", "exit"));
    assert_int_equal(client_era(s.client), CLIENT_LEGACY);
    logged("stderr - unexpected request before initialize");
}

static void a_silent_probe_that_prints_garbage_is_survived(void **state)
{
    struct client_options options = quick(CLIENT_AUTO);

    (void)state;
    options.probe_ms = 300;
    start_with(options, (struct mcp_server_spec){ 0 },
               FLAGS("--era", "legacy", "--probe", "garbage", "--greet"));
    until_ready();
    logged("not a message: Double server 1.0 running on stdio");
    assert_int_equal(client_era(s.client), CLIENT_LEGACY);
}

static void a_wrong_version_ends_the_session(void **state)
{
    (void)state;
    start_with(quick(CLIENT_LEGACY), (struct mcp_server_spec){ 0 },
               FLAGS("--era", "legacy", "--version", "1999-01-01"));
    turn_until(&s.closed);
    assert_string_equal(s.why.code, "protocol");
    assert_non_null(strstr(s.why.text, "1999-01-01"));
    assert_string_equal(happened(), "start;got initialize;eof");
}

static void a_program_that_does_not_exist_is_an_error_at_once(void **state)
{
    const char *argv[] = { "/nonexistent/mcp-server", NULL };
    struct error err;

    (void)state;
    assert_null(mcp_client_start(&loop, &(struct mcp_server_spec){ .argv = argv }, NULL,
                                 &session_events, NULL, &err));
    assert_string_equal(err.code, "not_found");
}

static void a_program_that_is_no_server_ends_with_its_last_words(void **state)
{
    const char *argv[] = { "sh", "-c", "echo usage: x; echo bad option >&2; exit 2", NULL };
    struct error err;

    (void)state;
    mcp = mcp_client_start(&loop, &(struct mcp_server_spec){ .argv = argv }, NULL, &session_events,
                           NULL, &err);
    s.client = mcp_client_session(mcp);
    turn_until(&s.closed);
    assert_string_equal(s.why.code, "closed");
    assert_non_null(strstr(s.why.text, "exited with status 2"));
    assert_non_null(strstr(s.why.text, "bad option"));
    logged("not a message: usage: x");
}

/* --- calls ------------------------------------------------------------------------ */

static void environment_and_folder_reach_the_server(void **state)
{
    const char *env[] = { "DOUBLE_TEST=a=b c", "PATH_IS_KEPT=1", NULL };
    struct mcp_server_spec spec = { .env = env };
    char *script = realpath(DOUBLE, NULL);
    char *place = realpath(folder, NULL);
    const char *argv[] = { "python3", script, NULL };
    struct client_options options = quick(CLIENT_LEGACY);
    struct error err;

    (void)state;
    if (!have_double)
        skip();
    spec.argv = argv;
    spec.cwd = folder;
    setenv("DOUBLE_TEST", "old", 1);
    mcp = mcp_client_start(&loop, &spec, &options, &session_events, NULL, &err);
    unsetenv("DOUBLE_TEST");
    s.client = mcp_client_session(mcp);
    until_ready();
    call_and_wait(&gots[0], "where", "{\"name\":\"DOUBLE_TEST\"}");
    said(&gots[0], place);
    said(&gots[0], " a=b c");
    call_and_wait(&gots[1], "where", "{\"name\":\"HOME\"}");
    said(&gots[1], getenv("HOME") ? getenv("HOME") : "None");
    free(script);
    free(place);
}

static void answers_come_in_any_order(void **state)
{
    (void)state;
    connect_to(CLIENT_MODERN, FLAGS(NULL));
    call(&gots[0], "hold", NULL);
    call(&gots[1], "hold", NULL);
    call(&gots[2], "release", NULL);
    turn_until(&gots[0].done);
    assert_true(gots[1].done && gots[2].done);
    said(&gots[0], "held 2");
    said(&gots[1], "held 3");
    said(&gots[2], "released");
}

static void progress_arrives_before_the_answer(void **state)
{
    (void)state;
    connect_to(CLIENT_AUTO, FLAGS("--era", "legacy"));
    call_and_wait(&gots[0], "steps", "{\"steps\":5}");
    said(&gots[0], "done");
    assert_int_equal(gots[0].progresses, 5);
    assert_true(gots[0].progress == 5 && gots[0].total == 5);
    assert_string_equal(gots[0].message, "step 5");
}

static void a_timeout_is_told_and_the_late_answer_is_dropped(void **state)
{
    struct client_limits limits = { .timeout_ms = 30 };
    struct error err;

    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    client_call_tool(s.client, "never", NULL, &limits, &plain, &gots[0], &err);
    turn_until(&gots[0].done);
    failed(&gots[0], "timeout");
    call_and_wait(&gots[1], "echo", NULL);
    said(&gots[1], "{}");
    assert_non_null(strstr(happened(), "got notifications/cancelled"));
}

static void an_error_comes_with_its_data(void **state)
{
    (void)state;
    connect_to(CLIENT_MODERN, FLAGS(NULL));
    call_and_wait(&gots[0], "refuse", NULL);
    failed(&gots[0], "rpc_error");
    assert_int_equal(gots[0].rpc_code, -32050);
    assert_string_equal(gots[0].rpc_data, "{\"why\":[\"because\"]}");
}

static void a_list_of_many_pages_and_one_that_does_not_end(void **state)
{
    static const struct client_list_callbacks callbacks = { .done = on_done };
    struct error err;

    (void)state;
    connect_to(CLIENT_MODERN, FLAGS("--pages", "5"));
    client_list(s.client, "tools/list", "tools", NULL, &callbacks, &gots[0], &err);
    turn_until(&gots[0].done);
    said(&gots[0], "tool4");
    free_mcp();
    s.ready = false;
    connect_to(CLIENT_MODERN, FLAGS("--pages", "3", "--repeat-cursor"));
    client_list(s.client, "tools/list", "tools", NULL, &callbacks, &gots[1], &err);
    turn_until(&gots[1].done);
    failed(&gots[1], "protocol");
}

static void batches_and_carriage_returns_are_understood(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS("--version", "2025-03-26", "--crlf"));
    assert_string_equal(client_version(s.client), "2025-03-26");
    call_and_wait(&gots[0], "batch", NULL);
    said(&gots[0], "content");
    assert_string_equal(s.changed, "tools");
    assert_int_equal(s.log.len, 0);
}

/* --- bad output ------------------------------------------------------------------- */

static void garbage_is_reported_and_skipped(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "garbage", NULL);
    said(&gots[0], "clean");
    logged("not a message: DEBUG: calling the database");
    logged("{not json}");
    call_and_wait(&gots[1], "bad_utf8", NULL);
    said(&gots[1], "caf\xEF\xBF\xBD");
}

static void a_message_may_come_in_crumbs(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "crumbs", NULL);
    said(&gots[0], "\xc3\xa9");
}

static void a_long_message_is_taken_and_a_too_long_one_ends_its_call(void **state)
{
    struct client_options options = quick(CLIENT_LEGACY);

    (void)state;
    options.max_message = 2000000;
    start_with(options, (struct mcp_server_spec){ 0 }, FLAGS(NULL));
    until_ready();
    call_and_wait(&gots[0], "huge", "{\"size\":1900000}");
    assert_in_range(strlen(gots[0].result), 1900000, 1900200);
    call_and_wait(&gots[1], "huge", "{\"size\":3000000}");
    failed(&gots[1], "too_large");
    call_and_wait(&gots[2], "huge", "{\"size\":3000000,\"id_last\":true}");
    failed(&gots[2], "too_large");
    call_and_wait(&gots[3], "echo", NULL);
    said(&gots[3], "{}");
    logged("was skipped (limit: 2000000)");
}

static void messages_announcements_and_stderr_are_told(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "announce", NULL);
    logged("message warning db: slow");
    assert_string_equal(s.changed, "tools");
    while (!strstr(buf_text(&s.log), "stderr - a line for people"))
        uv_run(&loop, UV_RUN_ONCE);
}

static void a_flood_on_stderr_does_not_stop_the_server(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "shout", "{\"lines\":20000}");
    said(&gots[0], "shouted");
}

/* --- questions -------------------------------------------------------------------- */

static void a_server_may_ping_in_the_middle_of_a_call(void **state)
{
    (void)state;
    connect_to(CLIENT_LEGACY, FLAGS(NULL));
    call_and_wait(&gots[0], "ask", "{\"method\":\"ping\"}");
    said(&gots[0], "\"{}\"");
}

static void questions_are_answered_or_refused(void **state)
{
    static const char *const methods[] = { "roots/list", "sampling/createMessage",
                                           "elicitation/create" };
    struct client_options options = quick(CLIENT_LEGACY);

    (void)state;
    options.abilities = CLIENT_ROOTS | CLIENT_SAMPLING;
    s.answer_asks = true;
    start_with(options, (struct mcp_server_spec){ 0 }, FLAGS(NULL));
    until_ready();
    for (size_t i = 0; i < countof(methods); i++) {
        char *arguments =
            mem_printf("{\"method\":\"%s\",\"params\":{\"messages\":[]}}", methods[i]);

        call_and_wait(&gots[i], "ask", arguments);
        free(arguments);
    }
    said(&gots[0], "\\\"ok\\\": true");
    said(&gots[1], "\\\"ok\\\": true");
    said(&gots[2], "-32601");
}

static void a_modern_server_gets_its_input(void **state)
{
    struct client_options options = quick(CLIENT_MODERN);

    (void)state;
    options.abilities = CLIENT_ELICITATION;
    s.answer_asks = true;
    start_with(options, (struct mcp_server_spec){ 0 }, FLAGS(NULL));
    until_ready();
    call_and_wait(&gots[0], "wants_input", "{}");
    said(&gots[0], "hello {\\\"ok\\\": true}");
}

static void a_modern_server_is_told_that_there_is_no_input(void **state)
{
    (void)state;
    connect_to(CLIENT_MODERN, FLAGS(NULL));
    call_and_wait(&gots[0], "wants_input", "{}");
    failed(&gots[0], "input_required");
    assert_non_null(strstr(gots[0].error.text, "elicitation/create"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_legacy_server_is_started_again_and_initialized),
        CASE(a_modern_server_serves_in_its_first_life),
        CASE(a_server_of_both_eras_is_used_as_pinned),
        CASE(a_server_that_is_silent_at_the_probe_is_reached),
        CASE(a_server_that_exits_at_the_probe_is_reached),
        CASE(a_silent_probe_that_prints_garbage_is_survived),
        CASE(a_wrong_version_ends_the_session),
        CASE(a_program_that_does_not_exist_is_an_error_at_once),
        CASE(a_program_that_is_no_server_ends_with_its_last_words),
        CASE(environment_and_folder_reach_the_server),
        CASE(answers_come_in_any_order),
        CASE(progress_arrives_before_the_answer),
        CASE(a_timeout_is_told_and_the_late_answer_is_dropped),
        CASE(an_error_comes_with_its_data),
        CASE(a_list_of_many_pages_and_one_that_does_not_end),
        CASE(batches_and_carriage_returns_are_understood),
        CASE(garbage_is_reported_and_skipped),
        CASE(a_message_may_come_in_crumbs),
        CASE(a_long_message_is_taken_and_a_too_long_one_ends_its_call),
        CASE(messages_announcements_and_stderr_are_told),
        CASE(a_flood_on_stderr_does_not_stop_the_server),
        CASE(a_server_may_ping_in_the_middle_of_a_call),
        CASE(questions_are_answered_or_refused),
        CASE(a_modern_server_gets_its_input),
        CASE(a_modern_server_is_told_that_there_is_no_input),
    };

    find_double();
    return cmocka_run_group_tests_name("client_stdio", tests, NULL, NULL);
}
