/* A server's output besides answers: lines that are not messages, log messages, changed lists. */
#include "client_run.h"

#include "mcp/peek.h"

/* --- stray lines on stdout -------------------------------------------------------- */

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
        { "{\"id\":\"5\",", "", 5 },
        { "{\"id\":\"05\",", "", 0 },
        { "{\"id\":\"\",", "", 0 },
        { "{\"id\":\",", "", 0 },
        { "{\"result\":{", "\"},\"id\":\"12\"}", 12 },
        { "{\"id\":5", "", 0 },
        { "{\"id\":5.5,", "", 0 },
        { "{\"id\":05,", "", 0 },
        { "{\"result\":{", "\"},\"id\":007}", 0 },
        { "{\"id\":05,\"result\":{", "\"},\"id\":7}", 7 },
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(lines_that_are_no_messages_are_reported_and_skipped),
        CASE(only_the_beginning_of_a_strange_line_is_shown),
        CASE(white_space_and_a_byte_order_mark_do_no_harm),
        CASE(bytes_that_are_not_utf8_are_replaced),
        CASE(an_answer_over_the_limit_ends_its_call),
        CASE(the_id_is_found_at_either_end_of_a_message),
        CASE(log_messages_go_to_the_log),
        CASE(changed_lists_are_told),
        CASE(a_modern_server_may_end_a_subscription),
    };

    return cmocka_run_group_tests_name("client_output", tests, NULL, NULL);
}
