/* Requests, answers and what else a server says, over a wire of memory. */
#include "client_run.h"

#include <math.h>

#include "mcp/peek.h"

#define NONE ((struct client_options){ 0 })

static void answered(const char *id, const char *result)
{
    char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", id, result);

    hear(text);
    free(text);
}

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
    answered("99", "{}");
    answered("\"2\"", "{}");
    answered("2.5", "{}");
    answered("-2", "{}");
    answered("null", "{}");
    answered("1e300", "{}");
    assert_false(gots[0].done);
    answered("2", "{}");
    answered("2", "{\"again\":1}");
    resulted(&gots[0], "{}");
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
    hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"text\":\"\\ud800\"}}");
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

/* Hears progress a few times, each before the deadline of the one before: the
 * loop runs timers in the order they are due, however late it is. */
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
    started = uv_now(&loop); /* what timers are set by */
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
         "\"progressToken\":\"2\",\"progress\":1}}");
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
    for (int i = 0; i < 63; i++) /* the same bucket of the table comes around */
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

/* --- what should not be on stdout ------------------------------------------------- */

static void lines_that_are_no_messages_are_reported_and_skipped(void **state)
{
    static const char *const junk[] = {
        "Server listening...",
        "\x1b[31mred\x1b[0m",
        "\"text\"",
        "42",
        "null",
        "{broken",
        "{\"level\":30}",
        "[]",
        "{'a': 1}",
        "[1, 2]",
    };

    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    for (size_t i = 0; i < countof(junk); i++) {
        buf_free(&s.log);
        hear(junk[i]);
        logged("problem warning server printed something that is not a message");
    }
    buf_free(&s.log);
    hear("\x1b[31m\x01\xff!");
    logged("message:  [31m \xEF\xBF\xBD!\n");
    assert_false(gots[0].done);
    answered("2", "{}");
    resulted(&gots[0], "{}");
}

static void only_the_beginning_of_a_strange_line_is_shown(void **state)
{
    char *line = mem_alloc(5001);

    (void)state;
    memset(line, 'x', 5000);
    line[5000] = '\0';
    begin_legacy(NONE);
    hear(line);
    free(line);
    assert_in_range(s.log.len, 200, 400);
    logged("... (5000 bytes)");
}

static void white_space_and_a_byte_order_mark_do_no_harm(void **state)
{
    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    hear("");
    hear("  \t\r");
    hear("\xEF\xBB\xBF {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}} \r");
    resulted(&gots[0], "{}");
    assert_int_equal(s.log.len, 0);
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"t\":\"a\xff\xfe"
         "b\xc3\"}}");
    resulted(&gots[0], "{\"t\":\"a\xEF\xBF\xBD\xEF\xBF\xBD"
                       "b\xEF\xBF\xBD\"}");
    logged("not UTF-8");
}

static void an_answer_over_the_limit_ends_its_call(void **state)
{
    (void)state;
    begin_legacy(NONE);
    for (int i = 0; i < 3; i++)
        request(&gots[i], "x", NULL);
    client_receive_oversized(s.client, STR("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"aaa"),
                             STR("aaa\"}}"), 20000000);
    client_receive_oversized(s.client, STR("{\"result\":{\"aaa"),
                             STR("aaa\"},\"jsonrpc\":\"2.0\",\"id\":3}"), 20000000);
    client_receive_oversized(s.client, STR("{\"result\":{\"aaa"), STR("aaa\",\"id\":4}}"),
                             20000000);
    failed(&gots[0], "too_large");
    failed(&gots[1], "too_large");
    assert_false(gots[2].done);
    logged("20000000 bytes");
}

static void the_id_is_found_at_either_end_of_a_message(void **state)
{
    static const struct {
        const char *head, *tail;
        int64_t id; /* 0: none */
    } cases[] = {
        { "{\"id\":5,", "", 5 },
        { " { \"jsonrpc\" : \"2.0\" , \"id\" : 17 , \"re", "", 17 },
        { "{\"x\":\"a\\\"b,\\\\\",\"y\":-1.5e3,\"z\":true,\"id\":7}", "", 7 },
        { "{\"id\":\"5\",", "", 0 },
        { "{\"id\":5", "", 0 },
        { "{\"id\":5.5,", "", 0 },
        { "{\"id\":99999999999999999999,", "", 0 },
        { "{\"result\":{\"id\":5,", "", 0 },
        { "{\"result\":[{\"id\":5,", "", 0 },
        { "[{\"id\":5,", "", 0 },
        { "{\"x\":\"\\", "", 0 },
        { "{\"ID\":5,", "", 0 },
        { "{", "", 0 },
        { "", "", 0 },
        { "{\"result\":{", "\"},\"id\":12}", 12 },
        { "{\"result\":{", "\"} , \"id\" : 12 } ", 12 },
        { "{\"result\":{", "\"\\\"id\":12}", 0 },
        { "{\"result\":{", "x\"id\":12}", 0 },
        { "{\"result\":{", ",\"id\":12}}", 0 },
        { "{\"result\":{", ",\"id\":}", 0 },
        { "{\"result\":{", ",\"id\":12", 0 },
        { "{\"result\":{", ":12}", 0 },
        { "{\"result\":{", "12}", 0 },
        { "{\"result\":{", "}", 0 },
        { "{\"result\":{", "\"id\":12}", 0 },
    };

    (void)state;
    for (size_t i = 0; i < countof(cases); i++) {
        int64_t id = 0;
        bool found = message_peek_id(str_from(cases[i].head), str_from(cases[i].tail), &id);

        if (found != (cases[i].id != 0) || id != cases[i].id)
            fail_msg("%s ... %s: %d", cases[i].head, cases[i].tail, (int)id);
    }
}

/* --- what the server asks --------------------------------------------------------- */

static void a_ping_is_answered(void **state)
{
    (void)state;
    begin_legacy(NONE);
    hear("{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"ping\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"method\":\"ping\",\"params\":{}}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"result\":{}}");
}

static void what_we_cannot_answer_is_an_unknown_method(void **state)
{
    static const char *const methods[] = { "sampling/createMessage", "elicitation/create",
                                           "shell/run" };

    (void)state;
    begin_legacy((struct client_options){ .abilities = CLIENT_ROOTS });
    for (size_t i = 0; i < countof(methods); i++) {
        char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"%s\"}", methods[i]);

        hear(text);
        free(text);
        sent("{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32601,"
             "\"message\":\"Method not found\"}}");
    }
    assert_int_equal(s.ask, 0);
}

static void questions_are_answered_later_and_in_any_order(void **state)
{
    uint64_t first;

    (void)state;
    begin_legacy((struct client_options){ .abilities = CLIENT_ROOTS | CLIENT_SAMPLING });
    hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}");
    assert_string_equal(s.asked, "roots/list");
    first = s.ask;
    hear("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"sampling/"
         "createMessage\",\"params\":{\"messages\":[]}}");
    assert_string_equal(s.asked, "sampling/createMessage");
    sent_nothing();
    client_reply_error(s.client, s.ask, -1, "declined");
    client_reply(s.client, first, "{\n\"roots\": []\n}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":6,\"error\":{\"code\":-1,\"message\":\"declined\"}}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"roots\":[]}}");
    client_reply(s.client, first, "{}");
    client_reply(s.client, 77, "{}");
    sent_nothing();
}

static void an_answer_that_is_not_json_becomes_an_error(void **state)
{
    (void)state;
    begin_legacy((struct client_options){ .abilities = CLIENT_ROOTS });
    hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}");
    client_reply(s.client, s.ask, "{oops");
    sent("{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32603,\"message\":\"Internal "
         "error\"}}");
}

static void a_question_the_server_takes_back_is_dropped(void **state)
{
    (void)state;
    begin_legacy((struct client_options){ .abilities = CLIENT_ROOTS });
    hear("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"roots/list\"}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
         "\"requestId\":\"other\"}}");
    assert_int_equal(s.dropped, 0);
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
         "\"requestId\":\"q\"}}");
    assert_int_equal(s.dropped, s.ask);
    client_reply(s.client, s.ask, "{}");
    sent_nothing();
}

static void a_flood_of_questions_is_stemmed(void **state)
{
    (void)state;
    begin_legacy((struct client_options){ .abilities = CLIENT_ROOTS });
    for (int i = 0; i < 64; i++)
        hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}");
    sent_nothing();
    hear("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"roots/list\"}");
    assert_non_null(strstr(next_sent(), "\"id\":6,\"error\":{\"code\":-32603"));
}

static void a_modern_server_may_not_send_requests(void **state)
{
    (void)state;
    begin_modern((struct client_options){ .abilities = CLIENT_ROOTS });
    next_sent();
    hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");
    sent_nothing();
    assert_int_equal(s.ask, 0);
    logged("a request that it must not send: roots/list");
}

/* --- input_required --------------------------------------------------------------- */

#define WANT_NAME                                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"input_required\","                 \
    "\"inputRequests\":{\"who\":{\"method\":\"elicitation/"                                        \
    "create\",\"params\":{\"message\":\"?\"}},"                                                    \
    "\"where\":{\"method\":\"roots/list\"}},\"requestState\":\"s\\u00e9\"}}"

static struct client_call *call_tool(unsigned abilities)
{
    struct error err;

    begin_modern((struct client_options){ .abilities = abilities });
    struct client_call *call =
        client_call_tool(s.client, "t", "{\"a\":1}", NULL, &plain, &gots[0], &err);

    assert_non_null(strstr(next_sent(), "\"id\":2,"));
    return call;
}

static void input_we_cannot_give_ends_the_call_and_is_named(void **state)
{
    (void)state;
    call_tool(CLIENT_ELICITATION);
    hear(WANT_NAME);
    failed(&gots[0], "input_required");
    assert_non_null(strstr(gots[0].error.text, "roots/list (\"where\")"));
    assert_int_equal(s.ask, 0);
}

static void a_call_goes_on_when_its_last_question_is_answered(void **state)
{
    (void)state;
    call_tool(CLIENT_ELICITATION | CLIENT_ROOTS);
    hear(WANT_NAME);
    assert_int_equal(s.ask, 2);
    client_reply(s.client, 2, "{\"roots\":[]}");
    answered("2", "{}"); /* it was answered already */
    sent_nothing();
    assert_false(gots[0].done);
    client_reply(s.client, 1, "{\"action\":\"accept\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"_meta\":{" META(
        "{\"roots\":{},\"elicitation\":{\"form\":{},\"url\":{}}}") "},\"inputResponses\":{"
                                                                   "\"where\":{\"roots\":[]},"
                                                                   "\"who\":{\"action\":\"accept\"}"
                                                                   "},"
                                                                   "\"requestState\":\"s\xc3\xa9\","
                                                                   "\"name\":\"t\","
                                                                   "\"arguments\":{\"a\":1}}}");
    answered("3", "{\"resultType\":\"complete\"}");
    resulted(&gots[0], "{\"resultType\":\"complete\"}");
}

static void questions_may_be_answered_at_once(void **state)
{
    (void)state;
    s.answer_asks = true;
    call_tool(CLIENT_ELICITATION | CLIENT_ROOTS);
    hear(WANT_NAME);
    assert_non_null(strstr(next_sent(), "\"inputResponses\":{\"who\":{\"ok\":true},\"where\":{"
                                        "\"ok\":true}}"));
    sent_nothing();
    hear("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"resultType\":\"input_required\","
         "\"inputRequests\":{\"more\":{\"method\":\"roots/list\"}}}}");
    const char *again = next_sent();

    assert_non_null(strstr(again, "\"id\":4"));
    assert_non_null(strstr(again, "\"inputResponses\":{\"more\":{\"ok\":true}}"));
    assert_null(strstr(again, "requestState"));
}

static void a_server_that_asks_for_ever_is_stopped(void **state)
{
    (void)state;
    s.answer_asks = true;
    call_tool(CLIENT_ROOTS);
    for (int id = 2; !gots[0].done && id < 100; id++) {
        char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"resultType\":"
                                "\"input_required\",\"requestState\":\"x\"}}",
                                id);
        hear(text);
        free(text);
    }
    failed(&gots[0], "protocol");
}

static void questions_in_a_wrong_shape_end_the_call(void **state)
{
    static const char *const shapes[] = {
        "{\"resultType\":\"input_required\"}",
        "{\"resultType\":\"input_required\",\"inputRequests\":[]}",
        "{\"resultType\":\"input_required\",\"inputRequests\":[7],\"requestState\":\"x\"}",
    };
    char id[2] = "2";

    (void)state;
    begin_modern((struct client_options){ .abilities = CLIENT_ROOTS });
    for (size_t i = 0; i < countof(shapes); i++, id[0]++) {
        request(&gots[i], "tools/call", "{}");
        answered(id, shapes[i]);
        failed(&gots[i], "protocol");
    }
}

static void an_unanswered_question_ends_the_call(void **state)
{
    (void)state;
    call_tool(CLIENT_ELICITATION | CLIENT_ROOTS);
    hear(WANT_NAME);
    client_reply_error(s.client, 1, -1, "nobody is here");
    failed(&gots[0], "input_required");
    assert_non_null(strstr(gots[0].error.text, "nobody is here"));
    assert_int_equal(s.dropped, 2);
    client_reply(s.client, 2, "{}");
    sent_nothing();
}

static void a_call_may_be_cancelled_while_its_questions_are_open(void **state)
{
    struct client_call *call;

    (void)state;
    call = call_tool(CLIENT_ELICITATION | CLIENT_ROOTS);
    hear(WANT_NAME);
    client_cancel(call, NULL);
    assert_int_equal(s.dropped, 2);
    client_reply(s.client, 1, "{}");
    sent_nothing();
    assert_false(gots[0].done);
}

/* --- notifications ---------------------------------------------------------------- */

static void log_messages_go_to_the_log(void **state)
{
    (void)state;
    begin_legacy(NONE);
    hear(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
        "\"logger\":\"db\",\"data\":\"two\\nlines\"}}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":{\"a\":1}}"
         "}");
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
    client_receive_stderr(s.client, "\x1b[1mhot\xff", 8);
    logged("message error db: two lines\nmessage info {\"a\":1}\nmessage info \n"
           "stderr -  [1mhot\xEF\xBF\xBD\n");
}

static void changed_lists_are_told(void **state)
{
    static const char *const lists[] = { "tools", "prompts", "resources" };

    (void)state;
    begin_legacy(NONE);
    for (size_t i = 0; i < countof(lists); i++) {
        char *text = mem_printf(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s/list_changed\"}", lists[i]);
        hear(text);
        free(text);
        assert_string_equal(s.changed, lists[i]);
    }
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/toolsx/list_changed\"}");
    assert_string_equal(s.changed, "resources");
}

static void a_modern_server_may_end_a_subscription(void **state)
{
    struct client_limits limits = { CLIENT_NO_LIMIT, CLIENT_NO_LIMIT };
    struct error err;

    (void)state;
    begin_modern(NONE);
    client_request(s.client, "subscriptions/listen", "{\"notifications\":{}}", &limits, &plain,
                   &gots[0], &err);
    hear("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
         "cancelled\",\"params\":{\"requestId\":2}}");
    failed(&gots[0], "closed");
}

/* --- lists ------------------------------------------------------------------------ */

static struct list_got {
    struct buf items;
    struct got end;
    struct client_listing *cancel_at_page;
    bool free_at_page;
} list;

static void on_page(void *arg, const cJSON *items)
{
    struct list_got *got = arg;
    char *text = cJSON_PrintUnformatted(items);

    buf_adds(&got->items, text);
    cJSON_free(text);
    if (got->cancel_at_page)
        client_list_cancel(got->cancel_at_page);
    if (got->free_at_page)
        free_client();
}

static void on_list_done(void *arg, const struct client_answer *answer)
{
    struct list_got *got = arg;

    take_answer(&got->end, answer);
}

static struct client_listing *list_things(void)
{
    static const struct client_list_callbacks callbacks = { on_page, on_list_done };
    struct error err;

    buf_free(&list.items);
    list = (struct list_got){ 0 };
    return client_list(s.client, "things/list", "things", NULL, &callbacks, &list, &err);
}

static void list_over(const char *items)
{
    assert_string_equal(buf_text(&list.items), items);
    buf_free(&list.items);
    cJSON_free(list.end.result);
    list.end.result = NULL;
}

static void all_pages_of_a_list_are_fetched(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"things/list\"}");
    answered("2", "{\"things\":[1,2],\"nextCursor\":\"\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"things/list\",\"params\":{\"cursor\":\"\"}}");
    answered("3", "{\"things\":[],\"nextCursor\":\"a\\\"b\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"things/"
         "list\",\"params\":{\"cursor\":\"a\\\"b\"}"
         "}");
    assert_false(list.end.done);
    answered("4", "{\"things\":[3],\"nextCursor\":null}");
    assert_true(list.end.done && list.end.result);
    list_over("[1,2][][3]");
}

static void a_cursor_that_comes_back_ends_the_list(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    answered("2", "{\"things\":[1],\"nextCursor\":\"a\"}");
    answered("3", "{\"things\":[2],\"nextCursor\":\"b\"}");
    answered("4", "{\"things\":[1],\"nextCursor\":\"a\"}");
    failed(&list.end, "protocol");
    assert_non_null(strstr(list.end.error.text, "cursor"));
    list_over("[1][2][1]");
    assert_int_equal(client_pending(s.client), 0);
}

static void a_list_that_never_ends_is_cut(void **state)
{
    int id = 2;

    (void)state;
    begin_legacy(NONE);
    list_things();
    for (; !list.end.done && id < 5000; id++) {
        char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"things\":[],"
                                "\"nextCursor\":\"%d\"}}",
                                id, id);
        hear(text);
        free(text);
    }
    failed(&list.end, "protocol");
    assert_int_equal(id, 2 + 1001);
    buf_free(&list.items);
}

static void a_list_that_fails_half_way_is_not_whole(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    answered("2", "{\"things\":[1],\"nextCursor\":\"a\"}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32602,\"message\":\"bad cursor\"}}");
    failed(&list.end, "rpc_error");
    list_over("[1]");
    list_things();
    answered("4", "{\"prompts\":[1]}");
    failed(&list.end, "protocol");
    list_over("");
}

static void a_list_may_be_cancelled_between_and_at_its_pages(void **state)
{
    struct client_listing *listing;

    (void)state;
    begin_legacy(NONE);
    listing = list_things();
    next_sent();
    client_list_cancel(listing);
    assert_non_null(strstr(next_sent(), "notifications/cancelled"));
    listing = list_things();
    list.cancel_at_page = listing;
    next_sent();
    answered("3", "{\"things\":[1],\"nextCursor\":\"a\"}");
    sent_nothing();
    assert_false(list.end.done);
    list_over("[1]");
}

/* --- ends ------------------------------------------------------------------------- */

static void a_dead_server_ends_every_call(void **state)
{
    (void)state;
    begin_legacy(NONE);
    for (int i = 0; i < 3; i++)
        request(&gots[i], "x", NULL);
    client_ended(s.client, &(struct error){ "closed", "exit status 3" });
    for (int i = 0; i < 3; i++) {
        failed(&gots[i], "closed");
        assert_string_equal(gots[i].error.text, "exit status 3");
    }
    assert_true(s.closed);
    client_ended(s.client, &(struct error){ "closed", "again" });
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_false(client_ready(s.client));
}

static void answers_still_count_while_the_connection_closes(void **state)
{
    struct error err;

    (void)state;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    request(&gots[1], "x", NULL);
    client_close(s.client);
    assert_null(client_request(s.client, "x", NULL, NULL, &plain, &gots[2], &err));
    assert_string_equal(err.code, "closed");
    answered("2", "{}");
    resulted(&gots[0], "{}");
    client_ended(s.client, &(struct error){ "closed", "bye" });
    failed(&gots[1], "closed");
}

static void it_may_be_freed_in_every_callback(void **state)
{
    (void)state;
    s.free_at_answer = true;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    request(&gots[1], "x", NULL);
    hear("[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}"
         "}]");
    assert_null(s.client);
    assert_true(gots[0].done);
    assert_false(gots[1].done);
}

static void it_may_be_freed_when_a_dead_server_ends_its_calls(void **state)
{
    (void)state;
    s.free_at_answer = true;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    request(&gots[1], "x", NULL);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_null(s.client);
    assert_false(s.closed);
    assert_int_equal(gots[0].done + gots[1].done, 1);
}

static void it_may_be_freed_at_a_timeout(void **state)
{
    (void)state;
    s.free_at_answer = true;
    begin_legacy((struct client_options){ .timeout_ms = 5 });
    request(&gots[0], "x", NULL);
    request(&gots[1], "x", NULL);
    turn_until(&gots[0].done);
    assert_null(s.client);
}

static void it_may_be_freed_when_it_logs(void **state)
{
    (void)state;
    s.free_at_log = true;
    begin_legacy(NONE);
    request(&gots[0], "x", NULL);
    hear("{\"id\":2,\"result\":\"\xff\"}");
    assert_null(s.client);
    assert_false(gots[0].done);
}

static void it_may_be_freed_when_it_is_asked(void **state)
{
    (void)state;
    s.free_at_ask = true;
    call_tool(CLIENT_ELICITATION | CLIENT_ROOTS);
    hear(WANT_NAME);
    assert_null(s.client);
    assert_false(gots[0].done);
}

static void it_may_be_freed_at_a_page(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    list.free_at_page = true;
    answered("2", "{\"things\":[1],\"nextCursor\":\"a\"}");
    assert_null(s.client);
    assert_false(list.end.done);
    list_over("[1]");
}

static void it_may_be_freed_when_it_is_closed(void **state)
{
    (void)state;
    s.free_at_closed = true;
    begin_legacy(NONE);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_null(s.client);
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
        CASE(lines_that_are_no_messages_are_reported_and_skipped),
        CASE(only_the_beginning_of_a_strange_line_is_shown),
        CASE(white_space_and_a_byte_order_mark_do_no_harm),
        CASE(bytes_that_are_not_utf8_are_replaced),
        CASE(an_answer_over_the_limit_ends_its_call),
        CASE(the_id_is_found_at_either_end_of_a_message),
        CASE(a_ping_is_answered),
        CASE(what_we_cannot_answer_is_an_unknown_method),
        CASE(questions_are_answered_later_and_in_any_order),
        CASE(an_answer_that_is_not_json_becomes_an_error),
        CASE(a_question_the_server_takes_back_is_dropped),
        CASE(a_flood_of_questions_is_stemmed),
        CASE(a_modern_server_may_not_send_requests),
        CASE(input_we_cannot_give_ends_the_call_and_is_named),
        CASE(a_call_goes_on_when_its_last_question_is_answered),
        CASE(questions_may_be_answered_at_once),
        CASE(a_server_that_asks_for_ever_is_stopped),
        CASE(questions_in_a_wrong_shape_end_the_call),
        CASE(an_unanswered_question_ends_the_call),
        CASE(a_call_may_be_cancelled_while_its_questions_are_open),
        CASE(log_messages_go_to_the_log),
        CASE(changed_lists_are_told),
        CASE(a_modern_server_may_end_a_subscription),
        CASE(all_pages_of_a_list_are_fetched),
        CASE(a_cursor_that_comes_back_ends_the_list),
        CASE(a_list_that_never_ends_is_cut),
        CASE(a_list_that_fails_half_way_is_not_whole),
        CASE(a_list_may_be_cancelled_between_and_at_its_pages),
        CASE(a_dead_server_ends_every_call),
        CASE(answers_still_count_while_the_connection_closes),
        CASE(it_may_be_freed_in_every_callback),
        CASE(it_may_be_freed_when_a_dead_server_ends_its_calls),
        CASE(it_may_be_freed_at_a_timeout),
        CASE(it_may_be_freed_when_it_logs),
        CASE(it_may_be_freed_when_it_is_asked),
        CASE(it_may_be_freed_at_a_page),
        CASE(it_may_be_freed_when_it_is_closed),
    };

    return cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
