/* Calls that are tasks of the server: from handle to result in both eras, over a wire of memory. */
#include "client_run.h"

#define TASKS_META "{" META("{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}") "}"

static struct {
    unsigned count;
    char last[64]; /* "STATUS MESSAGE" */
    bool free;
} told;

static void on_status(void *arg, const char *status, const char *message)
{
    (void)arg;
    told.count++;
    snprintf(told.last, sizeof told.last, "%s %s", status, message ? message : "-");
    if (told.free)
        free_client();
}

static const struct client_callbacks callbacks = { .done = on_done,
                                                   .progress = on_progress,
                                                   .status = on_status };

static int setup(void **state)
{
    memset(&told, 0, sizeof told);
    return session_setup(state);
}

static struct client_call *call_task(uint64_t ttl_ms, const struct client_limits *limits)
{
    struct client_task_options options = { .ttl_ms = ttl_ms };
    struct error err;
    struct client_call *call = client_request_task(s.client, "{\"name\":\"work\"}", &options,
                                                   limits, &callbacks, &gots[0], &err);

    assert_non_null(call);
    return call;
}

/* The server of 2025-11-25 has tasks. */
static void begin_with_tasks(void)
{
    begin((struct client_options){ .era = CLIENT_LEGACY });
    assert_non_null(next_sent());
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
         "\"capabilities\":{\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}},"
         "\"serverInfo\":{\"name\":\"l\",\"version\":\"1\"}}}");
    sent(INITIALIZED);
}

#define TIMES "\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\","

static void hear_task(int id, const char *status, const char *more)
{
    char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"taskId\":\"t\","
                            "\"status\":\"%s\"," TIMES "\"ttl\":60000,\"pollInterval\":50%s}}",
                            id, status, more);

    hear(text);
    free(text);
}

static void hear_modern(int id, const char *type, const char *status, const char *more)
{
    char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"resultType\":\"%s\","
                            "\"taskId\":\"t\",\"status\":\"%s\"," TIMES
                            "\"ttlMs\":60000,\"pollIntervalMs\":50%s}}",
                            id, type, status, more);

    hear(text);
    free(text);
}

/* Waits for the next message, which the client sends by itself after a while. */
static void sent_later(const char *text)
{
    while (s.read >= s.sent.len)
        uv_run(&loop, UV_RUN_ONCE);
    sent(text);
}

static void make_legacy(void)
{
    begin_with_tasks();
    call_task(60000, NULL);
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
         "\"_meta\":{\"progressToken\":2},\"task\":{\"ttl\":60000},\"name\":\"work\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"task\":{\"taskId\":\"t\",\"status\":"
         "\"working\"," TIMES "\"ttl\":60000,\"pollInterval\":50}}}");
    assert_false(gots[0].done);
}

static void make_modern(void)
{
    begin_modern(NONE);
    call_task(0, NULL);
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"_meta\":{" META(
        "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}") ",\"progressToken\":2},"
                                                                   "\"name\":\"work\"}}");
    hear_modern(2, "task", "working", "");
    assert_false(gots[0].done);
}

#define GET_LEGACY(id)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t\"}}"
#define STEP_MODERN(id, method, more)                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method                                      \
    "\",\"params\":{\"_meta\":" TASKS_META more ",\"taskId\":\"t\"}}"

/* --- 2025-11-25 --------------------------------------------------------------------- */

static void a_legacy_task_is_polled_and_its_result_fetched(void **state)
{
    (void)state;
    make_legacy();
    sent_later(GET_LEGACY("3"));
    hear_task(3, "working", ",\"statusMessage\":\"half\"");
    assert_string_equal(told.last, "working half");
    sent_later(GET_LEGACY("4"));
    hear_task(4, "completed", "");
    sent("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tasks/result\",\"params\":{"
         "\"taskId\":\"t\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"content\":[]}}");
    resulted(&gots[0], "{\"content\":[]}");
    assert_int_equal(told.count, 3);
}

static void its_questions_come_while_the_result_is_waited_for(void **state)
{
    (void)state;
    make_legacy();
    sent_later(GET_LEGACY("3"));
    hear_task(3, "input_required", "");
    sent("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tasks/result\",\"params\":{"
         "\"taskId\":\"t\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"isError\":true}}");
    resulted(&gots[0], "{\"isError\":true}");
}

static void progress_keeps_the_name_of_the_first_request(void **state)
{
    (void)state;
    make_legacy();
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":2,\"progress\":1}}");
    sent_later(GET_LEGACY("3"));
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":2,\"progress\":2}}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":3,\"progress\":3}}");
    assert_int_equal(gots[0].progresses, 2);
}

static void a_server_without_tasks_is_not_asked_for_one(void **state)
{
    (void)state;
    begin_legacy(NONE);
    call_task(60000, NULL);
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
         "\"_meta\":{\"progressToken\":2},\"name\":\"work\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[]}}");
    resulted(&gots[0], "{\"content\":[]}");
}

/* --- 2026-07-28 ------------------------------------------------------------------------ */

static void a_modern_task_is_polled_until_it_has_its_result(void **state)
{
    (void)state;
    make_modern();
    sent_later(STEP_MODERN("3", "tasks/get", ""));
    hear_modern(3, "complete", "completed", ",\"result\":{\"content\":[]}");
    resulted(&gots[0], "{\"content\":[]}");
    assert_string_equal(told.last, "completed -");
}

static void a_modern_call_may_be_answered_at_once(void **state)
{
    (void)state;
    begin_modern(NONE);
    call_task(0, NULL);
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[]}}");
    resulted(&gots[0], "{\"resultType\":\"complete\",\"content\":[]}");
    assert_int_equal(told.count, 0);
}

static void its_questions_are_answered_once_each(void **state)
{
    static const char asks[] = ",\"inputRequests\":{\"name\":{\"method\":\"elicitation/create\","
                               "\"params\":{\"message\":\"?\"}}}";

    (void)state;
    begin_modern((struct client_options){ .abilities = CLIENT_ELICITATION });
    s.answer_asks = true;
    call_task(0, NULL);
    next_sent();
    hear_modern(2, "task", "working", "");
    while (s.read >= s.sent.len)
        uv_run(&loop, UV_RUN_ONCE);
    assert_non_null(strstr(next_sent(), "\"method\":\"tasks/get\""));
    hear_modern(3, "complete", "input_required", asks);
    assert_non_null(strstr(next_sent(), "\"method\":\"tasks/update\""));
    assert_non_null(strstr(buf_text(&s.sent), "\"inputResponses\":{\"name\":{\"ok\":true}}"));
    hear("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"resultType\":\"complete\"}}");
    while (s.read >= s.sent.len)
        uv_run(&loop, UV_RUN_ONCE);
    assert_non_null(strstr(next_sent(), "\"method\":\"tasks/get\""));
    s.asked[0] = '\0';
    hear_modern(5, "complete", "input_required", asks); /* it has not seen the answer yet */
    assert_string_equal(s.asked, "");
    while (s.read >= s.sent.len)
        uv_run(&loop, UV_RUN_ONCE);
    next_sent();
    hear_modern(6, "complete", "completed", ",\"result\":{\"content\":[]}");
    resulted(&gots[0], "{\"content\":[]}");
}

static void a_failed_task_is_its_error(void **state)
{
    (void)state;
    make_modern();
    sent_later(STEP_MODERN("3", "tasks/get", ""));
    hear_modern(3, "complete", "failed", ",\"error\":{\"code\":-7,\"message\":\"no\"}");
    failed(&gots[0], "rpc_error");
    assert_int_equal(gots[0].rpc_code, -7);
}

static void a_question_that_cannot_be_answered_ends_the_task(void **state)
{
    (void)state;
    make_modern();
    sent_later(STEP_MODERN("3", "tasks/get", ""));
    hear_modern(3, "complete", "input_required",
                ",\"inputRequests\":{\"a\":{\"method\":\"roots/list\"}}");
    sent(STEP_MODERN("4", "tasks/cancel", ""));
    failed(&gots[0], "input_required");
}

static void a_server_that_needs_a_task_gets_one(void **state)
{
    (void)state;
    begin_modern(NONE);
    request(&gots[0], "tools/call", "{\"name\":\"work\"}");
    next_sent();
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32021,\"message\":\"m\",\"data\":{"
         "\"requiredCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}}}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"_meta\":" TASKS_META
         ",\"name\":\"work\"}}");
    hear_modern(3, "task", "working", "");
    sent_later(STEP_MODERN("4", "tasks/get", ""));
    hear_modern(4, "complete", "completed", ",\"result\":{\"content\":[]}");
    resulted(&gots[0], "{\"content\":[]}");
}

/* --- ends ------------------------------------------------------------------------------- */

static void a_call_that_is_cancelled_cancels_its_task(void **state)
{
    struct client_call *call;

    (void)state;
    begin_modern(NONE);
    call = call_task(0, NULL);
    next_sent();
    hear_modern(2, "task", "working", "");
    client_cancel(call, "enough");
    sent(STEP_MODERN("3", "tasks/cancel", ""));
    hear("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"resultType\":\"complete\"}}");
    assert_false(gots[0].done);
    assert_int_equal(client_pending(s.client), 0);
}

static void a_task_that_was_cancelled_has_no_result(void **state)
{
    (void)state;
    make_legacy();
    sent_later(GET_LEGACY("3"));
    hear_task(3, "cancelled", "");
    failed(&gots[0], "cancelled");
}

static void a_task_that_is_gone_is_told(void **state)
{
    (void)state;
    make_legacy();
    sent_later(GET_LEGACY("3"));
    hear("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32602,\"message\":\"expired\"}}");
    failed(&gots[0], "rpc_error");
}

static void a_task_has_the_time_that_it_was_given(void **state)
{
    (void)state;
    begin_modern(NONE);
    call_task(0, &(struct client_limits){ .max_ms = 20 });
    next_sent();
    hear_modern(2, "task", "working", "");
    turn_until(&gots[0].done);
    failed(&gots[0], "timeout");
    sent(STEP_MODERN("3", "tasks/cancel", ""));
}

static void a_task_in_a_wrong_shape_ends_the_call(void **state)
{
    (void)state;
    begin_modern(NONE);
    call_task(0, NULL);
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"task\"}}");
    failed(&gots[0], "protocol");
}

static void strange_statuses_end_the_call(void **state)
{
    (void)state;
    make_modern();
    sent_later(STEP_MODERN("3", "tasks/get", ""));
    hear_modern(3, "complete", "dreaming", "");
    failed(&gots[0], "protocol");
}

static void it_may_be_freed_when_a_status_is_told(void **state)
{
    (void)state;
    begin_modern(NONE);
    told.free = true;
    call_task(0, NULL);
    hear_modern(2, "task", "working", "");
    assert_null(s.client);
}

static void it_may_be_freed_while_it_rests(void **state)
{
    (void)state;
    make_modern();
    free_client();
}

#define TASK_CASE(name) cmocka_unit_test_setup_teardown(name, setup, session_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TASK_CASE(a_legacy_task_is_polled_and_its_result_fetched),
        TASK_CASE(its_questions_come_while_the_result_is_waited_for),
        TASK_CASE(progress_keeps_the_name_of_the_first_request),
        TASK_CASE(a_server_without_tasks_is_not_asked_for_one),
        TASK_CASE(a_modern_task_is_polled_until_it_has_its_result),
        TASK_CASE(a_modern_call_may_be_answered_at_once),
        TASK_CASE(its_questions_are_answered_once_each),
        TASK_CASE(a_failed_task_is_its_error),
        TASK_CASE(a_question_that_cannot_be_answered_ends_the_task),
        TASK_CASE(a_server_that_needs_a_task_gets_one),
        TASK_CASE(a_call_that_is_cancelled_cancels_its_task),
        TASK_CASE(a_task_that_was_cancelled_has_no_result),
        TASK_CASE(a_task_that_is_gone_is_told),
        TASK_CASE(a_task_has_the_time_that_it_was_given),
        TASK_CASE(a_task_in_a_wrong_shape_ends_the_call),
        TASK_CASE(strange_statuses_end_the_call),
        TASK_CASE(it_may_be_freed_when_a_status_is_told),
        TASK_CASE(it_may_be_freed_while_it_rests),
    };

    return cmocka_run_group_tests_name("client_task", tests, NULL, NULL);
}
