/* A server's questions to the client, in the middle of a call and in place of its result. */
#include "client_run.h"

/* --- questions of the server ------------------------------------------------------ */

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

static void it_may_be_freed_when_it_is_asked(void **state)
{
    (void)state;
    s.free_at_ask = true;
    call_tool(CLIENT_ELICITATION | CLIENT_ROOTS);
    hear(WANT_NAME);
    assert_null(s.client);
    assert_false(gots[0].done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        CASE(it_may_be_freed_when_it_is_asked),
    };

    return cmocka_run_group_tests_name("client_question", tests, NULL, NULL);
}
