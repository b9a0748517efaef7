/* The end of a session: the server is gone, or a callback frees the client. */
#include "client_run.h"

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
        CASE(a_dead_server_ends_every_call),
        CASE(answers_still_count_while_the_connection_closes),
        CASE(it_may_be_freed_in_every_callback),
        CASE(it_may_be_freed_when_a_dead_server_ends_its_calls),
        CASE(it_may_be_freed_at_a_timeout),
        CASE(it_may_be_freed_when_it_logs),
        CASE(it_may_be_freed_when_it_is_closed),
    };

    return cmocka_run_group_tests_name("client_end", tests, NULL, NULL);
}
