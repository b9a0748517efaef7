/* The client finds the era that its server speaks. */
#include "client_run.h"

#define AUTO ((struct client_options){ .era = CLIENT_AUTO })

static void refused_by(const char *id)
{
    char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,"
                            "\"message\":\"Method not found\"}}",
                            id);
    hear(text);
    free(text);
}

static void fresh_connection_initializes(const char *id_text, const char *id)
{
    assert_int_equal(s.restarts, 1);
    assert_false(s.ready);
    sent_nothing();
    client_started(s.client);
    assert_string_equal(next_sent(), id_text);
    hear_initialize_answer(id, "2025-11-25");
    sent(INITIALIZED);
    assert_true(s.ready);
    assert_int_equal(client_era(s.client), CLIENT_LEGACY);
}

/* --- modern ----------------------------------------------------------------------- */

static void a_modern_server_is_known_by_its_answer_to_discover(void **state)
{
    (void)state;
    begin(AUTO);
    sent(DISCOVER("1"));
    assert_false(client_ready(s.client));
    hear(DISCOVERED("1"));
    assert_true(s.ready);
    assert_true(client_ready(s.client));
    assert_int_equal(client_era(s.client), CLIENT_MODERN);
    assert_string_equal(client_version(s.client), "2026-07-28");
    assert_string_equal(client_instructions(s.client), "hi");
    assert_string_equal(json_get(client_server(s.client), "name")->valuestring, "m");
    assert_non_null(json_get(client_capabilities(s.client), "tools"));
    assert_int_equal(s.restarts, 0);
    sent_nothing();
}

static void a_server_that_lists_our_version_in_its_refusal_is_asked_again(void **state)
{
    (void)state;
    begin(AUTO);
    sent(DISCOVER("1"));
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":\"no\","
         "\"data\":{\"supported\":[\"2027-01-01\",\"2026-07-28\"],\"requested\":\"x\"}}}");
    sent(DISCOVER("2"));
    hear(DISCOVERED("2"));
    assert_int_equal(client_era(s.client), CLIENT_MODERN);
    assert_int_equal(s.restarts, 0);
}

static void a_server_that_refuses_what_it_lists_gets_initialize(void **state)
{
    (void)state;
    begin(AUTO);
    sent(DISCOVER("1"));
    for (int i = 1; i <= 2; i++) {
        char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"error\":{\"code\":-32022,"
                                "\"message\":\"no\",\"data\":{\"supported\":[\"2026-07-28\"]}}}",
                                i);
        hear(text);
        free(text);
    }
    sent(DISCOVER("2"));
    fresh_connection_initializes(INITIALIZE("3"), "3");
}

static void a_pinned_modern_client_does_not_fall_back(void **state)
{
    (void)state;
    begin((struct client_options){ .era = CLIENT_MODERN });
    sent(DISCOVER("1"));
    refused_by("1");
    assert_int_equal(s.restarts, 0);
    assert_int_equal(s.closes, 1);
    assert_false(s.closed);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_true(s.closed);
    assert_string_equal(s.why.code, "protocol");
    assert_non_null(strstr(s.why.text, "Method not found"));
}

static void a_pinned_modern_client_refuses_a_server_of_the_future(void **state)
{
    (void)state;
    begin((struct client_options){ .era = CLIENT_MODERN });
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2031-01-01\"]}}");
    assert_int_equal(s.closes, 1);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_string_equal(s.why.code, "protocol");
    assert_non_null(strstr(s.why.text, "2031-01-01"));
}

/* --- falling back ----------------------------------------------------------------- */

static void a_server_that_refuses_discover_gets_initialize_on_a_fresh_connection(void **state)
{
    (void)state;
    begin(AUTO);
    sent(DISCOVER("1"));
    refused_by("1");
    fresh_connection_initializes(INITIALIZE("2"), "2");
    assert_string_equal(client_version(s.client), "2025-11-25");
    assert_string_equal(client_instructions(s.client), "hello");
    assert_string_equal(json_get(client_server(s.client), "name")->valuestring, "l");
}

static void a_server_that_knows_only_later_versions_gets_initialize(void **state)
{
    (void)state;
    begin(AUTO);
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":\"no\","
         "\"data\":{\"supported\":[\"2027-01-01\"]}}}");
    sent(DISCOVER("1"));
    fresh_connection_initializes(INITIALIZE("2"), "2");
}

static void a_result_that_names_no_version_is_no_modern_server(void **state)
{
    (void)state;
    begin(AUTO);
    sent(DISCOVER("1"));
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    fresh_connection_initializes(INITIALIZE("2"), "2");
}

static void a_server_that_dies_at_the_probe_is_reached_again(void **state)
{
    (void)state;
    begin(AUTO);
    sent(DISCOVER("1"));
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_false(s.closed);
    fresh_connection_initializes(INITIALIZE("2"), "2");
}

static void a_server_that_dies_twice_is_given_up(void **state)
{
    (void)state;
    begin(AUTO);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    client_started(s.client);
    client_ended(s.client, &(struct error){ "closed", "gone again" });
    assert_int_equal(s.restarts, 1);
    assert_true(s.closed);
    assert_string_equal(s.why.code, "closed");
    assert_string_equal(s.why.text, "gone again");
}

static void a_silent_server_is_reached_after_the_probe_time(void **state)
{
    (void)state;
    begin((struct client_options){ .probe_ms = 5 });
    sent(DISCOVER("1"));
    while (!s.restarts)
        uv_run(&loop, UV_RUN_ONCE);
    hear(DISCOVERED("1")); /* this is the old connection, whose answers must be ignored */
    fresh_connection_initializes(INITIALIZE("2"), "2");
}

static void a_slow_modern_server_that_refuses_initialize_is_asked_once_more(void **state)
{
    (void)state;
    begin((struct client_options){ .probe_ms = 5 });
    sent(DISCOVER("1"));
    while (!s.restarts)
        uv_run(&loop, UV_RUN_ONCE);
    client_started(s.client);
    sent(INITIALIZE("2"));
    refused_by("2");
    sent(DISCOVER("3"));
    hear(DISCOVERED("3"));
    assert_true(s.ready);
    assert_int_equal(client_era(s.client), CLIENT_MODERN);
}

static void a_server_that_refuses_both_is_given_up(void **state)
{
    (void)state;
    begin((struct client_options){ .probe_ms = 5 });
    while (!s.restarts)
        uv_run(&loop, UV_RUN_ONCE);
    client_started(s.client);
    refused_by("2");
    refused_by("3");
    assert_int_equal(s.closes, 1);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_string_equal(s.why.code, "protocol");
}

static void without_a_fresh_connection_the_same_one_serves(void **state)
{
    struct client_wire wire = { .send = mem_send, .close = mem_close };
    struct client_options options = { .name = "test", .version = "1" };

    (void)state;
    s.client = client_new(&loop, &wire, &options, &session_events, NULL);
    client_started(s.client);
    sent(DISCOVER("1"));
    refused_by("1");
    sent(INITIALIZE("2"));
    hear_initialize_answer("2", "2025-06-18");
    sent(INITIALIZED);
    assert_string_equal(client_version(s.client), "2025-06-18");
}

/* --- legacy ----------------------------------------------------------------------- */

static void every_legacy_version_is_taken(void **state)
{
    static const char *const versions[] = { "2024-11-05", "2025-03-26", "2025-06-18",
                                            "2025-11-25" };

    (void)state;
    for (size_t i = 0; i < countof(versions); i++) {
        s.ready = false;
        begin((struct client_options){ .era = CLIENT_LEGACY });
        sent(INITIALIZE("1"));
        hear_initialize_answer("1", versions[i]);
        sent(INITIALIZED);
        assert_true(s.ready);
        assert_string_equal(client_version(s.client), versions[i]);
        free_client();
    }
}

static void an_unknown_version_ends_the_session_and_is_named(void **state)
{
    (void)state;
    begin((struct client_options){ .era = CLIENT_LEGACY });
    sent(INITIALIZE("1"));
    hear_initialize_answer("1", "1999-01-01");
    sent_nothing();
    assert_false(s.ready);
    assert_int_equal(s.closes, 1);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_string_equal(s.why.code, "protocol");
    assert_non_null(strstr(s.why.text, "1999-01-01"));
}

static void an_answer_without_a_version_ends_the_session(void **state)
{
    (void)state;
    begin((struct client_options){ .era = CLIENT_LEGACY });
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}");
    assert_int_equal(s.closes, 1);
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_string_equal(s.why.code, "protocol");
}

static void a_refused_initialize_says_why(void **state)
{
    (void)state;
    begin((struct client_options){ .era = CLIENT_LEGACY });
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no licence\"}}");
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_string_equal(s.why.code, "protocol");
    assert_non_null(strstr(s.why.text, "no licence (-32000)"));
}

static void silence_at_initialize_is_a_timeout_and_is_not_cancelled(void **state)
{
    (void)state;
    begin((struct client_options){ .era = CLIENT_LEGACY, .connect_ms = 5 });
    sent(INITIALIZE("1"));
    while (!s.closes)
        uv_run(&loop, UV_RUN_ONCE);
    sent_nothing();
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_string_equal(s.why.code, "timeout");
}

static void abilities_and_log_level_are_told(void **state)
{
    (void)state;
    begin((struct client_options){ .era = CLIENT_MODERN,
                                   .abilities = CLIENT_ROOTS | CLIENT_ELICITATION,
                                   .log_level = "info" });
    sent(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{" META(
            "{\"roots\":{},\"elicitation\":{\"form\":{},\"url\":{}}}") ",\"io.modelcontextprotocol/"
                                                                       "logLevel\":\"info\"}}}");
}

/* --- ends ------------------------------------------------------------------------- */

static void requests_wait_for_the_session(void **state)
{
    struct error err;

    (void)state;
    begin(AUTO);
    assert_null(client_request(s.client, "tools/list", NULL, NULL, &plain, &gots[0], &err));
    assert_string_equal(err.code, "not_ready");
    client_close(s.client);
    assert_null(client_request(s.client, "tools/list", NULL, NULL, &plain, &gots[0], &err));
    assert_string_equal(err.code, "closed");
}

static void closing_during_the_probe_is_no_reason_to_start_again(void **state)
{
    (void)state;
    begin(AUTO);
    client_close(s.client);
    client_close(s.client);
    assert_int_equal(s.closes, 1);
    hear(DISCOVERED("1"));
    client_ended(s.client, &(struct error){ "closed", "gone" });
    assert_int_equal(s.restarts, 0);
    assert_false(s.ready);
    assert_true(s.closed);
    assert_string_equal(s.why.code, "closed");
}

static void it_may_be_freed_when_it_is_ready(void **state)
{
    (void)state;
    s.free_at_ready = true;
    begin(AUTO);
    hear(DISCOVERED("1"));
    assert_true(s.ready);
    assert_null(s.client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_modern_server_is_known_by_its_answer_to_discover),
        CASE(a_server_that_lists_our_version_in_its_refusal_is_asked_again),
        CASE(a_server_that_refuses_what_it_lists_gets_initialize),
        CASE(a_pinned_modern_client_does_not_fall_back),
        CASE(a_pinned_modern_client_refuses_a_server_of_the_future),
        CASE(a_server_that_refuses_discover_gets_initialize_on_a_fresh_connection),
        CASE(a_server_that_knows_only_later_versions_gets_initialize),
        CASE(a_result_that_names_no_version_is_no_modern_server),
        CASE(a_server_that_dies_at_the_probe_is_reached_again),
        CASE(a_server_that_dies_twice_is_given_up),
        CASE(a_silent_server_is_reached_after_the_probe_time),
        CASE(a_slow_modern_server_that_refuses_initialize_is_asked_once_more),
        CASE(a_server_that_refuses_both_is_given_up),
        CASE(without_a_fresh_connection_the_same_one_serves),
        CASE(every_legacy_version_is_taken),
        CASE(an_unknown_version_ends_the_session_and_is_named),
        CASE(an_answer_without_a_version_ends_the_session),
        CASE(a_refused_initialize_says_why),
        CASE(silence_at_initialize_is_a_timeout_and_is_not_cancelled),
        CASE(abilities_and_log_level_are_told),
        CASE(requests_wait_for_the_session),
        CASE(closing_during_the_probe_is_no_reason_to_start_again),
        CASE(it_may_be_freed_when_it_is_ready),
    };

    return cmocka_run_group_tests_name("client_era", tests, NULL, NULL);
}
