/* The HTTP client: trying again, and following redirects. */
#include "http_run.h"

#include "http/client/request_impl.h"

#include <time.h>

static const struct retry_policy quick = { .max_attempts = 3, .base_ms = 4, .max_ms = 20 };

static struct call *get_stubbornly(const char *path)
{
    return send_it(&(struct http_request){ .url = at(path), .retry = quick });
}

/* --- trying again ------------------------------------------------------------------- */

static void a_failing_server_is_asked_again(void **state)
{
    struct call *call;

    (void)state;
    call = get_stubbornly("/flaky/a?fail=2&status=500");
    succeeded(call, 200);
    assert_string_equal(buf_text(&call->body), "3");
    assert_int_equal(call->result.attempts, 3);
    assert_int_equal(call->retries, 2);
}

static void every_status_that_may_pass_is_tried_again(void **state)
{
    static const char *const passing[] = {
        "/flaky/p1?fail=1&status=429", "/flaky/p2?fail=1&status=502", "/flaky/p3?fail=1&status=503",
        "/flaky/p4?fail=1&status=504", "/flaky/p5?fail=1&status=529"
    };
    static const char *const lasting[] = { "/flaky/l1?fail=1&status=400",
                                           "/flaky/l2?fail=1&status=401",
                                           "/flaky/l3?fail=1&status=404",
                                           "/flaky/l4?fail=1&status=501" };

    (void)state;
    for (size_t i = 0; i < countof(passing); i++)
        succeeded(get_stubbornly(passing[i]), 200);
    for (size_t i = 0; i < countof(lasting); i++)
        assert_int_equal(get_stubbornly(lasting[i])->result.attempts, 1);
}

static void without_a_policy_nothing_is_tried_again(void **state)
{
    struct call *call;

    (void)state;
    call = get("/flaky/b?fail=1&status=503");
    succeeded(call, 503);
    assert_int_equal(call->result.attempts, 1);
}

static void the_last_answer_is_given_when_tries_run_out(void **state)
{
    struct http_request request = { .url = at("/flaky/c?fail=9&status=503"), .retry = quick };
    struct call *call = send_with(&request, &streaming);

    (void)state;
    run_until(&call->done);
    succeeded(call, 503);
    assert_string_equal(buf_text(&call->body), "not yet");
    assert_int_equal(call->heads, 1); /* the heads of earlier tries are not reported */
    assert_int_equal(call->result.attempts, 3);
}

static void a_post_is_sent_again_only_when_allowed(void **state)
{
    struct http_request request = { .url = at("/flaky/d?fail=1&status=500"),
                                    .body = STR("x"),
                                    .retry = quick };
    struct http_request dropped = { .url = at("/drop/d2?fail=1"),
                                    .body = STR("x"),
                                    .retry = quick };

    (void)state;
    succeeded(send_it(&request), 500);
    failed(send_it(&dropped), "cut_off", "without an answer");
    request.url = at("/flaky/e?fail=1&status=500");
    request.retry_unsafe = true;
    succeeded(send_it(&request), 200);
    dropped.url = at("/drop/e2?fail=1");
    dropped.retry_unsafe = true;
    succeeded(send_it(&dropped), 200);
}

static void a_closed_connection_is_tried_again(void **state)
{
    struct call *call;

    (void)state;
    call = get_stubbornly("/drop/f?fail=2");
    succeeded(call, 200);
    assert_string_equal(buf_text(&call->body), "3");
    call = get_stubbornly("/reset");
    failed(call, "cut_off", "after 3 attempts");
    assert_int_equal(call->result.attempts, 3);
}

/* The server closed the connection just when it was used again: this is not counted as an
 * attempt. */
static void a_kept_connection_that_was_reset_is_replaced(void **state)
{
    struct call *call;

    (void)state;
    succeeded(get("/part/k"), 200);
    call = send_with(&(struct http_request){ .url = at("/part/k") }, &collecting);
    succeeded(get("/leave/k"), 200); /* on a connection of its own */
    run_until(&call->done);
    succeeded(call, 200);
    assert_string_equal(buf_text(&call->body), "3");
    assert_int_equal(call->result.attempts, 1);
}

static void a_refused_connection_is_tried_again_even_for_a_post(void **state)
{
    struct http_request request = { .url = "http://127.0.0.1:1/",
                                    .body = STR("x"),
                                    .retry = quick };
    struct call *call;

    (void)state;
    call = send_it(&request);
    failed(call, "connection_refused", "after 3 attempts");
    assert_int_equal(call->retries, 2);
}

static void an_earlier_answer_is_not_taken_for_the_last(void **state)
{
    struct call *call;

    (void)state;
    call = get_stubbornly("/fade/z");
    failed(call, "cut_off", "after 3 attempts");
    assert_int_equal(call->result.status, 0);
    assert_string_equal(buf_text(&call->head), "");
}

static void an_answer_that_began_is_not_asked_for_again(void **state)
{
    struct call *call;

    (void)state;
    call = get_stubbornly("/cut");
    failed(call, "cut_off", "ended early");
    assert_int_equal(call->result.attempts, 1);
}

static void the_server_says_how_long_to_wait(void **state)
{
    struct http_request request = { .url = at("/flaky/g?fail=1&status=429&after=1"),
                                    .retry = { .max_attempts = 2, .base_ms = 1, .max_ms = 60000 } };
    struct call *call;

    (void)state;
    call = send_it(&request);
    succeeded(call, 200);
    assert_true(call->waits >= 1000 && call->waits <= 1001);
    assert_true(call->result.elapsed_ms >= 1000);
}

static void a_date_to_wait_for_is_understood(void **state)
{
    struct http_request request = { .retry = { .max_attempts = 2, .base_ms = 1, .max_ms = 60000 } };
    time_t soon = time(NULL) + 2;
    char date[64], path[128];
    struct call *call;

    (void)state;
    strftime(date, sizeof date, "%a,%%20%d%%20%b%%20%Y%%20%H:%M:%S%%20GMT", gmtime(&soon));
    snprintf(path, sizeof path, "/flaky/h?fail=1&status=503&after=%s", date);
    request.url = at(path);
    call = send_it(&request);
    succeeded(call, 200);
    assert_true(call->waits > 0 && call->waits <= 2001);
    assert_true(time(NULL) >= soon - 1);
}

static void a_server_that_asks_for_a_longer_wait_than_the_policy_is_not_asked_again(void **state)
{
    struct call *call;

    (void)state;
    call = get_stubbornly("/flaky/i?fail=1&status=429&after=86400");
    succeeded(call, 429);
    assert_int_equal(call->retries, 0);
}

static void a_wait_beyond_the_deadline_is_not_begun(void **state)
{
    struct http_request request = { .url = at("/flaky/j?fail=1&status=429&after=3600"),
                                    .total_timeout_ms = 100000,
                                    .retry = {
                                        .max_attempts = 5, .base_ms = 1, .max_ms = 7200000 } };
    struct call *call;

    (void)state;
    call = send_it(&request);
    succeeded(call, 429);
    assert_int_equal(call->result.attempts, 1);
    assert_non_null(strstr(buf_text(&call->head), "Retry-After: 3600"));
}

static void the_deadline_counts_all_tries_together(void **state)
{
    struct http_request request = { .url = at("/flaky/k?fail=1000000&status=503"),
                                    .total_timeout_ms = 300,
                                    .retry = {
                                        .max_attempts = 1000000, .base_ms = 20, .max_ms = 20 } };
    struct call *call;

    (void)state;
    call = send_it(&request);
    assert_true(call->result.attempts > 1);
    if (!call->result.ok)
        failed(call, "timeout", "300 ms");
    else
        succeeded(call, 503);
}

static void freeing_while_waiting_is_safe(void **state)
{
    struct http_request request = { .url = at("/status/503?after=3600"),
                                    .retry = {
                                        .max_attempts = 2, .base_ms = 1, .max_ms = 7200000 } };
    struct call *call = send_with(&request, &streaming);

    (void)state;
    while (call->retries == 0)
        uv_run(&loop, UV_RUN_ONCE);
    end_call(call);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(call->done);
}

/* --- redirects ---------------------------------------------------------------------- */

/* The URL of a redirect with this status to a path on the double, with this host. */
static const char *to(const char *host, int status, const char *path)
{
    char where[512];

    snprintf(where, sizeof where, "/redirect?status=%d&to=http://%s:%s%s", status, host,
             server.port, path);
    return at(where);
}

static void a_redirect_is_the_answer_unless_followed(void **state)
{
    struct call *call;

    (void)state;
    call = get("/redirect?to=/echo");
    succeeded(call, 302);
    assert_non_null(strstr(buf_text(&call->head), "Location: /echo\n"));
    assert_int_equal(call->result.redirects, 0);
}

static void redirects_are_followed_to_the_end(void **state)
{
    struct http_request request = { .url = at("/redirect?to=/redirect%3Fto%3D/echo%3Fx%3D1"),
                                    .max_redirects = 5 };
    struct call *call = send_with(&request, &streaming);

    (void)state;
    run_until(&call->done);
    succeeded(call, 200);
    says(call, "\"target\": \"/echo?x=1\"");
    assert_int_equal(call->result.redirects, 2);
    assert_int_equal(call->heads, 1);
    assert_string_equal(call->url, at("/echo?x=1"));
}

static void a_circle_ends(void **state)
{
    struct http_request request = { .url = at("/circle"), .max_redirects = 5 };
    struct call *call;

    (void)state;
    call = send_it(&request);
    failed(call, "too_many_redirects", "5 times");
    failed(call, "too_many_redirects", "127.0.0.1");
}

static struct call *follow_with_keys(const char *url, const char *method)
{
    struct http_header headers[] = { { "Authorization", "Bearer secret-1" },
                                     { "X-Api-Key", "secret-2" },
                                     { "Cookie", "secret-3" },
                                     { "Content-Type", "text/x-test" },
                                     { "Accept", "text/plain" } };
    struct http_request request = {
        .url = url, .method = method, .headers = { headers, countof(headers) }, .max_redirects = 5
    };

    if (strcmp(method, "GET") != 0)
        request.body = STR("the body");
    return send_it(&request);
}

static void keys_stay_with_their_host(void **state)
{
    struct call *call;

    (void)state;
    call = follow_with_keys(to("127.0.0.1", 302, "/echo"), "GET");
    succeeded(call, 200);
    says(call, "secret-1");
    says(call, "secret-2");
    says(call, "secret-3");
    call = follow_with_keys(to("localhost", 302, "/echo"), "GET");
    succeeded(call, 200);
    does_not_say(call, "secret");
    says(call, "text/plain");
}

static void keys_do_not_come_back_after_a_detour(void **state)
{
    char path[400];
    struct call *call;

    (void)state;
    snprintf(path, sizeof path, "/redirect%%3Fto=http://127.0.0.1:%s/echo", server.port);
    call = follow_with_keys(to("localhost", 302, path), "GET");
    succeeded(call, 200);
    assert_int_equal(call->result.redirects, 2);
    does_not_say(call, "secret");
}

static void a_login_in_the_address_stays_with_its_host(void **state)
{
    char url[512];
    struct call *call;

    (void)state;
    snprintf(url, sizeof url, "http://me:secret@%s", to("localhost", 302, "/echo") + 7);
    call = send_it(&(struct http_request){ .url = url, .max_redirects = 5 });
    succeeded(call, 200);
    does_not_say(call, "authorization");
    snprintf(url, sizeof url, "http://me:secret@%s", at("/echo") + 7);
    call = send_it(&(struct http_request){ .url = url });
    says(call, "\"authorization\": \"Basic");
}

static void a_post_becomes_a_get_or_stays_one(void **state)
{
    struct call *call;

    (void)state;
    call = follow_with_keys(to("127.0.0.1", 303, "/echo"), "POST");
    says(call, "\"method\": \"GET\"");
    says(call, "\"size\": 0");
    does_not_say(call, "text/x-test");
    call = follow_with_keys(to("127.0.0.1", 302, "/echo"), "POST");
    says(call, "\"method\": \"GET\"");
    call = follow_with_keys(to("127.0.0.1", 307, "/echo"), "POST");
    says(call, "\"method\": \"POST\"");
    says(call, "the body");
    says(call, "text/x-test");
    call = follow_with_keys(to("127.0.0.1", 308, "/echo"), "PUT");
    says(call, "\"method\": \"PUT\"");
    says(call, "the body");
    call = follow_with_keys(to("127.0.0.1", 302, "/echo"), "PUT");
    says(call, "\"method\": \"PUT\"");
}

static void a_body_stays_with_its_host(void **state)
{
    static const int keeping[] = { 307, 308 };
    struct call *call;

    (void)state;
    for (size_t i = 0; i < countof(keeping); i++) {
        call = follow_with_keys(to("localhost", keeping[i], "/echo"), "POST");
        failed(call, "redirected", "another server");
    }
    call = follow_with_keys(to("localhost", 302, "/echo"), "PUT");
    failed(call, "redirected", "a PUT with a body");
    call = follow_with_keys(to("localhost", 302, "/echo"), "POST");
    succeeded(call, 200);
    does_not_say(call, "the body");
}

/* --- held ----------------------------------------------------------------------------- */

static bool held;

static void take_held(void *arg, struct http_result *result)
{
    held = result->held;
    if (!held)
        take_done(arg, result);
}

static struct call *hold(const char *url)
{
    static const struct http_events events = { .done = take_held };
    struct http_header accept = { "Accept", "text/plain" }, key = { "X-Api-Key", "secret" };
    struct http_header headers[] = { accept, key };
    struct http_request request = { .url = url,
                                    .headers = { headers, countof(headers) },
                                    .max_redirects = 5,
                                    .total_timeout_ms = 60000,
                                    .hold_elsewhere = true };
    struct call *call;

    held = false;
    call = send_with(&request, &events);
    while (!held && !call->done)
        uv_run(&loop, UV_RUN_ONCE);
    return call;
}

static void a_request_waits_before_another_host(void **state)
{
    const char *url = to("a.localhost", 302, "/echo"), *from;
    struct http_request sent;
    struct call *call;

    (void)state;
    call = hold(url);
    assert_true(held);
    sent = http_fetch_sent(call->http, &from);
    assert_string_equal(from, url);
    assert_non_null(strstr(sent.url, "http://a.localhost:"));
    assert_string_equal(sent.method, "GET");
    assert_int_equal(sent.headers.count, 1);
    assert_string_equal(sent.headers.items[0].value, "text/plain");
    assert_false(uv_is_active((uv_handle_t *)&call->http->timer));
    call->http->started -= 120000; /* as if it had been held for two minutes */
    call->http->held_at -= 120000;
    http_fetch_go_on(call->http);
    run_until(&call->done);
    succeeded(call, 200);
    says(call, "a.localhost");
    assert_string_equal(call->url, sent.url);
    assert_int_equal(call->result.attempts, 1);
    assert_true(call->result.elapsed_ms < 60000);
}

static void the_same_host_is_not_waited_for(void **state)
{
    (void)state;
    succeeded(hold(to("localhost", 302, "/echo")), 200);
    succeeded(hold(to("LOCALHOST", 307, "/echo")), 200);
    succeeded(hold(at("/redirect?to=/echo")), 200);
}

static void a_request_that_waits_can_be_given_up(void **state)
{
    struct call *call;

    (void)state;
    call = hold(to("a.localhost", 302, "/echo"));
    assert_true(held);
    end_call(call);
    hold(to("b.localhost", 302, "/echo")); /* and that it still waits when all ends */
    assert_true(held);
}

static void a_redirect_to_a_file_is_refused(void **state)
{
    struct http_request request = { .url = at("/redirect?to=file:///etc/passwd"),
                                    .max_redirects = 5 };

    (void)state;
    failed(send_it(&request), "bad_url", "\"file\"");
}

static void the_far_end_of_a_redirect_is_tried_again(void **state)
{
    struct http_request request = { .url = at("/redirect?to=/flaky/r%3Ffail=1%26status=503"),
                                    .max_redirects = 5,
                                    .retry = quick };
    struct call *call;

    (void)state;
    call = send_it(&request);
    succeeded(call, 200);
    assert_int_equal(call->result.attempts, 2);
    assert_int_equal(call->result.redirects, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_failing_server_is_asked_again),
        CASE(every_status_that_may_pass_is_tried_again),
        CASE(without_a_policy_nothing_is_tried_again),
        CASE(the_last_answer_is_given_when_tries_run_out),
        CASE(a_post_is_sent_again_only_when_allowed),
        CASE(a_closed_connection_is_tried_again),
        CASE(a_kept_connection_that_was_reset_is_replaced),
        CASE(a_refused_connection_is_tried_again_even_for_a_post),
        CASE(an_earlier_answer_is_not_taken_for_the_last),
        CASE(an_answer_that_began_is_not_asked_for_again),
        CASE(the_server_says_how_long_to_wait),
        CASE(a_date_to_wait_for_is_understood),
        CASE(a_server_that_asks_for_a_longer_wait_than_the_policy_is_not_asked_again),
        CASE(a_wait_beyond_the_deadline_is_not_begun),
        CASE(the_deadline_counts_all_tries_together),
        CASE(freeing_while_waiting_is_safe),
        CASE(a_redirect_is_the_answer_unless_followed),
        CASE(redirects_are_followed_to_the_end),
        CASE(a_circle_ends),
        CASE(keys_stay_with_their_host),
        CASE(keys_do_not_come_back_after_a_detour),
        CASE(a_login_in_the_address_stays_with_its_host),
        CASE(a_post_becomes_a_get_or_stays_one),
        CASE(a_body_stays_with_its_host),
        CASE(a_request_waits_before_another_host),
        CASE(the_same_host_is_not_waited_for),
        CASE(a_request_that_waits_can_be_given_up),
        CASE(a_redirect_to_a_file_is_refused),
        CASE(the_far_end_of_a_redirect_is_tried_again),
    };

    alarm(HANG_SECONDS);
    forget_proxies();
    return cmocka_run_group_tests(tests, server_setup, server_teardown);
}
