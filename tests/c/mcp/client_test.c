/* Requests, answers and how long they may take, over a wire of memory. */
#include "client_run.h"

#include <math.h>

/* --- requests --------------------------------------------------------------------- */

static void a_legacy_request_carries_what_was_given_and_no_more(void **state)
{
    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "tools/list", NULL);
    request(&gots[1], "x", "{}");
    request(&gots[2], "x", " {\"n\": 12345678901234567890,\n\r \"a\":[1.0]} ");
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\",\"params\":{}}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"x\",\"params\":{\"n\": 12345678901234567890,"
         "   \"a\":[1.0]}}");
}

static void a_modern_request_carries_the_envelope(void **state)
{
    struct error err;

    (void)state;
    begin_modern(NONE);
    request(&gots[0], "x", NULL);
    request(&gots[1], "x", "{\"a\":1}");
    assert_non_null(
        client_request(s.client, "x", "{\"a\":{\"b\":2}}", NULL, &with_progress, &gots[2], &err));
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\",\"params\":{\"_meta\":{" META("{}") "}}}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\",\"params\":{\"_meta\":{" META(
        "{}") "},\"a\":1}}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"x\",\"params\":{\"_meta\":{" META(
        "{}") ",\"progressToken\":4},\"a\":{\"b\":2}}}");
}

static void a_meta_of_the_caller_is_merged_and_cannot_speak_for_us(void **state)
{
    struct error err;

    (void)state;
    begin_modern(NONE);
    assert_non_null(client_request(s.client, "x",
                                   "{\"a\":1,\"_meta\":{\"k\":true,\"progressToken\":\"mine\","
                                   "\"io.modelcontextprotocol/protocolVersion\":\"0\","
                                   "\"io.modelcontextprotocol/logLevel\":\"debug\"},\"b\":[]}",
                                   NULL, &with_progress, &gots[0], &err));
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\",\"params\":{\"_meta\":{" META(
        "{}") ",\"progressToken\":2,\"k\":true,\"io.modelcontextprotocol/logLevel\":\"debug\"},"
              "\"a\":1,\"b\":[]}}");
}

static void bad_params_are_refused_before_anything_is_sent(void **state)
{
    static const char *const bad[] = {
        "[1]", "7", "{", "{\"a\":1}}", "", "\"{\"", "{\"a\":\"\xff\"}"
    };
    struct error err;

    (void)state;
    begin_legacy(NONE);
    for (size_t i = 0; i < countof(bad); i++) {
        assert_null(client_request(s.client, "x", bad[i], NULL, &plain, &gots[0], &err));
        assert_string_equal(err.code, "bad_params");
    }
    sent_nothing();
    assert_int_equal(client_pending(s.client), 0);
}

static void a_wire_that_takes_nothing_fails_the_request_at_once(void **state)
{
    struct error err;

    (void)state;
    begin_legacy(NONE);
    s.refuse_sends = true;
    assert_null(client_request(s.client, "x", NULL, NULL, &plain, &gots[0], &err));
    assert_string_equal(err.code, "closed");
    assert_int_equal(client_pending(s.client), 0);
    assert_false(gots[0].done);
}

static void a_tool_is_called_by_name_with_arguments(void **state)
{
    struct error err;

    (void)state;
    begin_legacy(NONE);
    client_call_tool(s.client, "say \"hi\"", "{\"a\":1}", NULL, &plain, &gots[0], &err);
    client_call_tool(s.client, "t", NULL, NULL, &plain, &gots[1], &err);
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
         "\"name\":\"say \\\"hi\\\"\",\"arguments\":{\"a\":1}}}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}");
    assert_null(client_call_tool(s.client, "t", "}{", NULL, &plain, &gots[2], &err));
    assert_string_equal(err.code, "bad_params");
}

static void a_notification_is_sent_without_an_id(void **state)
{
    (void)state;
    begin_modern(NONE);
    assert_true(client_notify(s.client, "notifications/x", NULL, NULL));
    assert_true(client_notify(s.client, "notifications/y", "{\"a\":1}", NULL));
    sent("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}");
    sent("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/y\",\"params\":{\"a\":1}}");
}

/* --- answers ---------------------------------------------------------------------- */

static void answers_find_their_requests_in_any_order(void **state)
{
    (void)state;
    begin_legacy(NONE);
    for (int i = 0; i < 3; i++)
        request(&gots[i], "x", NULL);
    answered("4", "{\"n\":4}");
    answered("2", "{\"n\":2}");
    assert_false(gots[1].done);
    answered("3", "{\"n\":3}");
    resulted(&gots[0], "{\"n\":2}");
    resulted(&gots[1], "{\"n\":3}");
    resulted(&gots[2], "{\"n\":4}");
    assert_int_equal(client_pending(s.client), 0);
}

static void answers_nobody_waits_for_are_ignored(void **state)
{
    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    answered("1", "{}");
    answered("\"1\"", "{}");
    assert_int_equal(s.log.len, 0); /* a request that was given up may be answered later */
    answered("99", "{}");
    logged("a request that was never sent, with the id: 99");
    answered("\"two\"", "{}");
    logged("with the id: \"two\"");
    answered("\"02\"", "{}");
    answered("\" 2\"", "{}");
    answered("\"2.0\"", "{}");
    answered("\"\"", "{}");
    answered("[2]", "{}");
    answered("true", "{}");
    answered("2.5", "{}");
    answered("-2", "{}");
    answered("null", "{}");
    answered("1e300", "{}");
    assert_false(gots[0].done);
    answered("2", "{}");
    answered("2", "{\"again\":1}");
    resulted(&gots[0], "{}");
}

static void an_id_that_comes_back_as_a_string_is_the_same_id(void **state)
{
    struct error err;

    (void)state;
    begin_legacy(NONE);
    for (int i = 0; i < 3; i++)
        client_request(s.client, "x", NULL, NULL, &with_progress, &gots[i], &err);
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":\"3\",\"progress\":1}}");
    assert_int_equal(gots[1].progresses, 1);
    answered("\"3\"", "{\"n\":3}");
    hear("[{\"jsonrpc\":\"2.0\",\"id\":\"2\",\"result\":{\"n\":2}}]");
    hear("{\"jsonrpc\":\"2.0\",\"id\":\"4\",\"error\":{\"code\":-32602,\"message\":\"no\"}}");
    resulted(&gots[0], "{\"n\":2}");
    resulted(&gots[1], "{\"n\":3}");
    failed(&gots[2], "rpc_error");
}

static void half_of_a_surrogate_pair_loses_nothing_else(void **state)
{
    static const char replaced[] = "{\"t\":\"\xEF\xBF\xBD!\"}";
    static const char *const texts[] = { "\\ud83d!", "\\uDE00!", "\xF0\x9F!", "\\uD83D\\u0021",
                                         "\xED\xA0\xBD!\\ud83d" };

    (void)state;
    begin_legacy(NONE);
    for (size_t i = 0; i < countof(texts); i++) {
        char id[8], result[64];

        request(&gots[i], "x", NULL);
        snprintf(id, sizeof id, "%d", (int)i + 2);
        snprintf(result, sizeof result, "{\"t\":\"%s\"}", texts[i]);
        answered(id, result);
    }
    for (size_t i = 0; i < 4; i++)
        resulted(&gots[i], replaced);
    resulted(&gots[4], "{\"t\":\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD!\xEF\xBF\xBD\"}");
    logged("the server sent halves of surrogate pairs; they are replaced");
}

static void an_error_of_the_server_comes_with_code_message_and_data(void **state)
{
    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    request(&gots[1], "x", NULL);
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32602,\"message\":\"Tool nope\\nnot "
         "found\",\"data\":{\"k\":[1]}}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":1}}");
    failed(&gots[0], "rpc_error");
    assert_string_equal(gots[0].error.text, "Tool nope not found (-32602)");
    assert_int_equal(gots[0].rpc_code, -32602);
    assert_string_equal(gots[0].rpc_data, "{\"k\":[1]}");
    failed(&gots[1], "rpc_error");
    assert_null(gots[1].rpc_data);
}

static void answers_that_break_the_protocol_end_their_call(void **state)
{
    (void)state;
    begin_modern(NONE);
    for (int i = 0; i < 4; i++)
        request(&gots[i], "x", NULL);
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":\"x\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":\"no\"}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"resultType\":\"odd\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"text\":\"\\x\"}}");
    for (int i = 0; i < 4; i++)
        failed(&gots[i], "protocol");
    assert_non_null(strstr(gots[2].error.text, "\"odd\""));
}

static void a_result_without_a_type_is_complete(void **state)
{
    (void)state;
    begin_modern(NONE);
    request(&gots[0], "x", NULL);
    answered("2", "{\"a\":1}");
    resulted(&gots[0], "{\"a\":1}");
}

static void a_legacy_result_may_have_any_type(void **state)
{
    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    answered("2", "{\"resultType\":\"input_required\"}");
    resulted(&gots[0], "{\"resultType\":\"input_required\"}");
}

static void a_batch_is_understood(void **state)
{
    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    request(&gots[1], "x", NULL);
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\"}");
    hear("[{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}},"
         "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"},"
         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"},7,"
         "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":1,\"message\":\"m\"}}]");
    failed(&gots[0], "rpc_error");
    resulted(&gots[1], "{}");
    assert_string_equal(s.changed, "tools");
    sent("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}");
    logged("not a message");
}

/* --- time and cancellation -------------------------------------------------------- */

static void a_call_that_is_not_answered_times_out_and_is_cancelled(void **state)
{
    struct error err;

    (void)state;
    begin_legacy((struct client_options){ .timeout_ms = 5 });
    request(&gots[0], "slow/one", NULL);
    client_request(s.client, "other", NULL, &(struct client_limits){ .timeout_ms = 60000 }, &plain,
                   &gots[1], &err);
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"slow/one\"}");
    next_sent();
    turn_until(&gots[0].done);
    failed(&gots[0], "timeout");
    assert_non_null(strstr(gots[0].error.text, "slow/one within 0.005 s"));
    sent("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2,"
         "\"reason\":\"timeout\"}}");
    answered("2", "{}");
    assert_null(gots[0].result);
    assert_false(gots[1].done);
    answered("3", "{}");
    resulted(&gots[1], "{}");
}

/* Receives progress a few times, each before the deadline of the one before: the loop runs timers
 * in the order they are due, however late it is. */
struct beat {
    uv_timer_t timer;
    int left;
    const char *line;
};

static void on_beat(uv_timer_t *timer)
{
    struct beat *beat = timer->data;

    if (beat->left-- > 0)
        hear(beat->line);
    if (beat->left <= 0)
        uv_timer_stop(timer);
}

static void start_beat(struct beat *beat, const char *line, int count)
{
    *beat = (struct beat){ .left = count, .line = line };
    uv_timer_init(&loop, &beat->timer);
    beat->timer.data = beat;
    uv_timer_start(&beat->timer, on_beat, 5, 5);
}

static void progress_moves_the_deadline(void **state)
{
    static struct beat beat;
    struct client_limits limits = { .timeout_ms = 40 };
    uint64_t started;
    struct error err;

    (void)state;
    begin_legacy(NONE);
    uv_update_time(&loop);
    started = uv_now(&loop); /* the time by which timers are set */
    client_request(s.client, "x", NULL, &limits, &with_progress, &gots[0], &err);
    start_beat(&beat,
               "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
               "\"progressToken\":2,\"progress\":3,\"total\":9,\"message\":\"m\"}}",
               20);
    turn_until(&gots[0].done);
    uv_close((uv_handle_t *)&beat.timer, NULL);
    failed(&gots[0], "timeout");
    assert_int_equal(gots[0].progresses, 20);
    assert_true(gots[0].progress == 3 && gots[0].total == 9);
    assert_string_equal(gots[0].message, "m");
    assert_true(uv_now(&loop) - started >= 100); /* 20 x 5 ms, not 40 ms */
}

static void the_hard_maximum_is_not_moved_by_progress(void **state)
{
    static struct beat beat;
    struct client_limits limits = { .timeout_ms = 60000, .max_ms = 20 };
    struct error err;

    (void)state;
    begin_legacy(NONE);
    client_request(s.client, "x", NULL, &limits, &with_progress, &gots[0], &err);
    start_beat(&beat,
               "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
               "\"progressToken\":2,\"progress\":1}}",
               1000000);
    turn_until(&gots[0].done);
    uv_close((uv_handle_t *)&beat.timer, NULL);
    failed(&gots[0], "timeout");
    assert_non_null(strstr(gots[0].error.text, "progress or not"));
    assert_true(isnan(gots[0].total));
}

static void progress_for_nobody_is_ignored(void **state)
{
    struct error err;

    (void)state;
    begin_legacy(NONE);
    client_request(s.client, "x", NULL, NULL, &with_progress, &gots[0], &err);
    request(&gots[1], "no progress wanted", NULL);
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":9,\"progress\":1}}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":\"2x\",\"progress\":1}}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":2,\"progress\":\"1\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
         "\"progressToken\":3,\"progress\":1}}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}");
    assert_int_equal(gots[0].progresses + gots[1].progresses, 0);
}

static void a_cancelled_call_is_told_to_the_server_and_never_answered(void **state)
{
    (void)state;
    begin_legacy(NONE);
    struct client_call *call = request(&gots[0], "x", NULL);

    next_sent();
    client_cancel(call, "not \"needed\"");
    sent("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2,"
         "\"reason\":\"not \\\"needed\\\"\"}}");
    answered("2", "{}");
    assert_false(gots[0].done);
    assert_int_equal(client_pending(s.client), 0);
}

static void a_callback_may_cancel_another_call_of_the_same_moment(void **state)
{
    struct client_call *second;

    (void)state;
    begin_legacy((struct client_options){ .timeout_ms = 5 });
    request(&gots[0], "x", NULL);
    for (int i = 0; i < 63; i++) /* the table uses the same bucket again */
        client_cancel(request(&gots[2], "y", NULL), NULL);
    second = request(&gots[1], "x", NULL);
    s.cancel_at_answer = second;
    turn_until(&gots[0].done);
    assert_false(gots[1].done);
    assert_int_equal(client_pending(s.client), 0);
}

static void too_many_calls_are_refused(void **state)
{
    struct error err;
    int made = 0;

    (void)state;
    begin_legacy(NONE);
    while (client_request(s.client, "x", NULL, NULL, &plain, &gots[0], &err))
        made++;
    assert_int_equal(made, 4096);
    assert_string_equal(err.code, "busy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_legacy_request_carries_what_was_given_and_no_more),
        CASE(a_modern_request_carries_the_envelope),
        CASE(a_meta_of_the_caller_is_merged_and_cannot_speak_for_us),
        CASE(bad_params_are_refused_before_anything_is_sent),
        CASE(a_wire_that_takes_nothing_fails_the_request_at_once),
        CASE(a_tool_is_called_by_name_with_arguments),
        CASE(a_notification_is_sent_without_an_id),
        CASE(answers_find_their_requests_in_any_order),
        CASE(answers_nobody_waits_for_are_ignored),
        CASE(an_id_that_comes_back_as_a_string_is_the_same_id),
        CASE(half_of_a_surrogate_pair_loses_nothing_else),
        CASE(an_error_of_the_server_comes_with_code_message_and_data),
        CASE(answers_that_break_the_protocol_end_their_call),
        CASE(a_result_without_a_type_is_complete),
        CASE(a_legacy_result_may_have_any_type),
        CASE(a_batch_is_understood),
        CASE(a_call_that_is_not_answered_times_out_and_is_cancelled),
        CASE(progress_moves_the_deadline),
        CASE(the_hard_maximum_is_not_moved_by_progress),
        CASE(progress_for_nobody_is_ignored),
        CASE(a_cancelled_call_is_told_to_the_server_and_never_answered),
        CASE(a_callback_may_cancel_another_call_of_the_same_moment),
        CASE(too_many_calls_are_refused),
    };

    return cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
