/* The HTTP client: its requests, the answers, and the ways to the server. */
#include "http_run.h"

#include "files/file.h"
#include "http/sse.h"

/* --- requests ----------------------------------------------------------------------- */

static void a_get_brings_status_headers_and_body(void **state)
{
    struct call *call;

    (void)state;
    call = get("/echo?q=1");
    succeeded(call, 200);
    says(call, "\"method\": \"GET\"");
    says(call, "\"target\": \"/echo?q=1\"");
    says(call, "\"user-agent\": \"perigee/");
    does_not_say(call, "content-type");
    assert_non_null(strstr(buf_text(&call->head), "Content-Type: application/json\n"));
    assert_int_equal(call->result.bytes, call->body.len);
    assert_int_equal(call->result.attempts, 1);
    assert_string_equal(call->url, at("/echo?q=1"));
}

static void a_post_sends_its_body_and_headers(void **state)
{
    struct http_header headers[] = { { "Content-Type", "application/json" },
                                     { "X-Api-Key", "k:e:y" },
                                     { "X-Empty", "" } };
    struct http_request request = { .url = at("/echo"),
                                    .body = STR("{\"a\":1}"),
                                    .headers = { headers, countof(headers) } };
    struct call *call;

    (void)state;
    call = send_it(&request);
    succeeded(call, 200);
    says(call, "\"method\": \"POST\"");
    says(call, "\"content-type\": \"application/json\"");
    says(call, "\"x-api-key\": \"k:e:y\"");
    says(call, "\"x-empty\": \"\"");
    says(call, "\"content-length\": \"7\"");
    says(call, "{\\\"a\\\":1}");
}

static void a_body_is_not_called_a_form_unasked(void **state)
{
    struct call *call;

    (void)state;
    call = send_it(&(struct http_request){ .url = at("/echo"), .body = STR("a\0b") });
    says(call, "\"size\": 3");
    does_not_say(call, "content-type");
    does_not_say(call, "expect");
}

static void every_method_arrives_as_named(void **state)
{
    static const char *const methods[] = { "GET", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND" };

    (void)state;
    for (size_t i = 0; i < countof(methods); i++) {
        struct call *call =
            send_it(&(struct http_request){ .url = at("/echo"), .method = methods[i] });
        char want[64];

        snprintf(want, sizeof want, "\"method\": \"%s\"", methods[i]);
        succeeded(call, 200);
        says(call, want);
    }
}

static void a_head_request_has_no_body(void **state)
{
    struct http_request request = { .url = at("/echo"), .method = "HEAD", .max_response = 10 };
    struct call *call;

    (void)state;
    call = send_it(&request);
    succeeded(call, 200);
    assert_int_equal(call->body.len, 0);
    assert_non_null(strstr(buf_text(&call->head), "Content-Length: "));
}

static void a_large_body_goes_out_whole(void **state)
{
    size_t size = 5 << 20;
    char *block = mem_zero(size);
    struct call *call;

    (void)state;
    memset(block, 'x', size);
    call = send_it(&(struct http_request){ .url = at("/echo"), .body = { block, size } });
    succeeded(call, 200);
    says(call, "\"size\": 5242880");
    free(block);
}

static void requests_that_cannot_be_sent_are_refused_at_once(void **state)
{
    static const char *const urls[] = {
        "",      "no url",          "ftp://x/y", "file:///etc/passwd", "http://", "http://a b/",
        "//x/y", "http://x:99999/", "gopher://x"
    };
    struct http_header broken[] = { { "X-A", "1\r\nX-B: 2" } };
    struct http_header nameless[] = { { "X A", "1" } };
    struct error err;

    (void)state;
    for (size_t i = 0; i < countof(urls); i++) {
        assert_null(
            http_fetch_start(client, &(struct http_request){ .url = urls[i] }, NULL, NULL, &err));
        assert_string_equal(err.code, "bad_url");
    }
    assert_null(http_fetch_start(client,
                                 &(struct http_request){ .url = at("/"), .headers = { broken, 1 } },
                                 NULL, NULL, &err));
    assert_string_equal(err.code, "bad_argument");
    assert_null(strstr(err.text, "X-B"));
    assert_null(http_fetch_start(
        client, &(struct http_request){ .url = at("/"), .headers = { nameless, 1 } }, NULL, NULL,
        &err));
    assert_string_equal(err.code, "bad_argument");
    assert_null(http_fetch_start(client, &(struct http_request){ .url = at("/"), .method = "GE T" },
                                 NULL, NULL, &err));
    assert_string_equal(err.code, "bad_argument");
}

/* --- answers ------------------------------------------------------------------------ */

static void a_status_is_no_failure(void **state)
{
    (void)state;
    succeeded(get("/status/404"), 404);
    succeeded(get("/status/500"), 500);
    succeeded(get("/status/204"), 204);
}

static void chunks_are_put_together(void **state)
{
    struct call *call;

    (void)state;
    call = get("/chunked");
    succeeded(call, 200);
    assert_string_equal(buf_text(&call->body), "one,two,three");
}

static void compressed_answers_are_unpacked(void **state)
{
    struct call *call;

    (void)state;
    call = get("/gzip");
    succeeded(call, 200);
    assert_int_equal(call->body.len, 1000);
    says(call, "small when squeezed small");
}

static void early_hints_are_not_the_answer(void **state)
{
    struct call *call = send_with(&(struct http_request){ .url = at("/hints") }, &streaming);

    (void)state;
    run_until(&call->done);
    succeeded(call, 200);
    assert_int_equal(call->heads, 1);
    assert_string_equal(buf_text(&call->head), "X-Real: yes\nContent-Length: 11\n");
}

static void repeated_and_empty_headers_are_kept(void **state)
{
    struct call *call;

    (void)state;
    call = get("/twice");
    assert_non_null(strstr(buf_text(&call->head), "Set-Cookie: a=1\nX-Empty: \nSet-Cookie: b=2\n"));
}

static void a_stream_arrives_piece_by_piece(void **state)
{
    struct call *call =
        send_with(&(struct http_request){ .url = at("/stall?send=first") }, &streaming);

    (void)state;
    while (call->body.len < 5)
        uv_run(&loop, UV_RUN_ONCE);
    assert_string_equal(buf_text(&call->body), "first");
    assert_int_equal(call->status_seen, 200);
    assert_false(call->done); /* the rest never comes */
}

static void many_requests_run_side_by_side(void **state)
{
    struct http_request request = { .url = at("/bytes/100000") };

    (void)state;
    for (int i = 0; i < 30; i++)
        send_with(&request, &collecting);
    for (size_t i = 0; i < call_count; i++) {
        run_until(&calls[i].done);
        succeeded(&calls[i], 200);
        assert_int_equal(calls[i].body.len, 100000);
    }
}

static void server_sent_events_come_out_whole_at_any_cut(void **state)
{
    static const char *const want[] = { "message first", "delta {\"text\":\"a\\nb\"}",
                                        "message line 1\nline 2", "message \xe2\x82\xac",
                                        "message [DONE]" };
    static const char *const cuts[] = { "/sse?each=1", "/sse?each=2", "/sse?each=3", "/sse?each=7",
                                        "/sse?each=1000" };

    (void)state;
    for (size_t cut = 0; cut < countof(cuts); cut++) {
        struct call *call = send_with(&(struct http_request){ .url = at(cuts[cut]) }, &streaming);
        struct sse_event event;
        struct sse sse;
        size_t taken = 0, count = 0;

        sse_init(&sse, 1000);
        while (!call->done || taken < call->body.len) {
            if (taken == call->body.len)
                uv_run(&loop, UV_RUN_ONCE);
            if (taken < call->body.len)
                sse_feed(&sse, call->body.data + taken, call->body.len - taken);
            taken = call->body.len;
            while (sse_next(&sse, &event) == SSE_EVENT) {
                char *got = mem_printf("%.*s %.*s", (int)event.type.len, event.type.ptr,
                                       (int)event.data.len, event.data.ptr);

                assert_true(count < countof(want));
                assert_string_equal(got, want[count++]);
                free(got);
            }
        }
        assert_int_equal(count, countof(want));
        assert_int_equal(sse.retry_ms, 2500);
        assert_true(str_same(buf_str(&sse.last_id), STR("7")));
        sse_free(&sse);
    }
}

static void connections_are_used_again_and_none_leaks(void **state)
{
    int before;

    (void)state;
    succeeded(get("/echo"), 200);
    before = open_files();
    for (int i = 0; i < 20; i++)
        succeeded(get("/echo"), 200);
    assert_int_equal(open_files(), before);
}

/* --- TLS ---------------------------------------------------------------------------- */

static bool make_certificate(const char *folder)
{
    char *command = mem_printf("cd '%s' && openssl req -x509 -newkey rsa:2048 -nodes -days 2 "
                               "-subj /CN=localhost -addext subjectAltName=DNS:localhost "
                               "-keyout key.pem -out cert.pem >/dev/null 2>&1",
                               folder);
    bool ok = system(command) == 0;

    free(command);
    return ok;
}

static void certificates_are_checked(void **state)
{
    char *folder = temp_make();
    char *cert = path_join(folder, "cert.pem");
    char *key = path_join(folder, "key.pem");
    const char *extra[] = { "--cert", cert, "--key", key, NULL };
    struct double_server secure = { .gone = false };
    bool able = make_certificate(folder);
    char url[64], other[64];

    (void)state;
    if (able && double_start(&secure, extra)) {
        snprintf(url, sizeof url, "https://localhost:%s/echo", secure.port);
        snprintf(other, sizeof other, "https://127.0.0.1:%s/echo", secure.port);
        send_it(&(struct http_request){ .url = url });
        send_it(&(struct http_request){ .url = url, .ca_file = cert });
        send_it(&(struct http_request){ .url = other, .ca_file = cert });
        send_it(&(struct http_request){ .url = url, .ca_file = "/no/such/file" });
        setenv("SSL_CERT_FILE", cert, 1);
        send_it(&(struct http_request){ .url = url });
        setenv("SSL_CERT_FILE", "/no/such/file", 1);
        send_it(&(struct http_request){ .url = url, .ca_file = cert });
        send_it(&(struct http_request){ .url = url });
        unsetenv("SSL_CERT_FILE");
        double_stop(&secure);
    }
    temp_remove(folder);
    free(folder);
    free(cert);
    free(key);
    if (!able)
        skip(); /* there is no openssl to make a certificate with */
    failed(&calls[0], "tls", "localhost:");
    succeeded(&calls[1], 200);
    failed(&calls[2], "tls", "127.0.0.1:");
    failed(&calls[3], "tls", "localhost:");
    succeeded(&calls[4], 200);
    succeeded(&calls[5], 200);
    failed(&calls[6], "tls", "localhost:");
}

/* --- the proxy of the environment ----------------------------------------------------- */

static void the_proxy_of_the_environment_is_used(void **state)
{
    struct call *call;

    (void)state;
    setenv("http_proxy", at(""), 1);
    call = send_it(&(struct http_request){ .url = "http://far.invalid/echo?x=1" });
    unsetenv("http_proxy");
    succeeded(call, 200);
    says(call, "\"target\": \"http://far.invalid/echo?x=1\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_get_brings_status_headers_and_body),
        CASE(a_post_sends_its_body_and_headers),
        CASE(a_body_is_not_called_a_form_unasked),
        CASE(every_method_arrives_as_named),
        CASE(a_head_request_has_no_body),
        CASE(a_large_body_goes_out_whole),
        CASE(requests_that_cannot_be_sent_are_refused_at_once),
        CASE(a_status_is_no_failure),
        CASE(chunks_are_put_together),
        CASE(compressed_answers_are_unpacked),
        CASE(early_hints_are_not_the_answer),
        CASE(repeated_and_empty_headers_are_kept),
        CASE(a_stream_arrives_piece_by_piece),
        CASE(many_requests_run_side_by_side),
        CASE(server_sent_events_come_out_whole_at_any_cut),
        CASE(connections_are_used_again_and_none_leaks),
        CASE(certificates_are_checked),
        CASE(the_proxy_of_the_environment_is_used),
    };

    alarm(HANG_SECONDS);
    forget_proxies();
    return cmocka_run_group_tests(tests, server_setup, server_teardown);
}
