/* The HTTP client: limits, failures, and requests that are not wanted any more. */
#include "http_run.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* --- limits ------------------------------------------------------------------------- */

static void too_long_an_answer_fails_or_is_cut(void **state)
{
    struct http_request request = { .url = at("/bytes/1001"), .max_response = 1000 };
    struct http_request unannounced = { .url = at("/chunked"), .max_response = 7 };
    struct call *call;

    (void)state;
    failed(send_it(&request), "too_large", "1000 bytes");
    failed(send_it(&unannounced), "too_large", "7 bytes");
    request.truncate = unannounced.truncate = true;
    call = send_it(&request);
    succeeded(call, 200);
    assert_true(call->result.truncated);
    assert_int_equal(call->body.len, 1000);
    call = send_it(&unannounced);
    assert_true(call->result.truncated);
    assert_string_equal(buf_text(&call->body), "one,two");
    request.max_response = 1001;
    call = send_it(&request);
    assert_false(call->result.truncated);
    assert_int_equal(call->body.len, 1001);
}

static void a_decompression_bomb_is_stopped_at_the_limit(void **state)
{
    struct http_request request = { .url = at("/bomb/100000000"), .max_response = 100000 };

    (void)state;
    failed(send_it(&request), "too_large", "100000 bytes");
}

static void endless_headers_are_stopped(void **state)
{
    (void)state;
    failed(get("/big-head"), "too_large", "headers");
}

static void the_total_time_ends_a_silent_server(void **state)
{
    struct http_request request = { .url = at("/never"), .total_timeout_ms = 200 };
    struct call *call;

    (void)state;
    call = send_it(&request);
    failed(call, "timeout", "200 ms");
    failed(call, "timeout", "127.0.0.1");
    assert_true(call->result.elapsed_ms >= 200);
    assert_int_equal(call->result.status, 0);
}

static void the_idle_time_ends_a_stalled_answer(void **state)
{
    struct http_request request = { .url = at("/stall?send=some"), .idle_timeout_ms = 200 };
    struct call *call = send_with(&request, &streaming);

    (void)state;
    run_until(&call->done);
    failed(call, "timeout", "sent nothing for 200 ms");
    assert_string_equal(buf_text(&call->body), "some");
    assert_int_equal(call->result.status, 200);
}

/* A port that accepts connections and never finishes one: its queue is full. */
static int deaf_port(int *fillers, size_t count, char port[8])
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(fd, 0), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    snprintf(port, 8, "%u", ntohs(address.sin_port));
    for (size_t i = 0; i < count; i++) {
        fillers[i] = socket(AF_INET, SOCK_STREAM, 0);
        fcntl(fillers[i], F_SETFL, O_NONBLOCK);
        connect(fillers[i], (struct sockaddr *)&address, sizeof address);
    }
    return fd;
}

static void a_connection_that_never_comes_about_times_out(void **state)
{
    char port[8], url[64];
    int fillers[8];
    int fd = deaf_port(fillers, countof(fillers), port);
    struct call *call;

    (void)state;
    snprintf(url, sizeof url, "http://127.0.0.1:%s/", port);
    call = send_it(&(struct http_request){ .url = url, .connect_timeout_ms = 200 });
    failed(call, "timeout", "did not accept a connection within 200 ms");
    for (size_t i = 0; i < countof(fillers); i++)
        close(fillers[i]);
    close(fd);
}

/* --- failures ----------------------------------------------------------------------- */

static void answers_that_end_early_are_cut_off(void **state)
{
    struct call *call;

    (void)state;
    call = get("/cut");
    failed(call, "cut_off", "127.0.0.1");
    assert_int_equal(call->result.status, 200);
    assert_string_equal(buf_text(&call->body), "ten bytes.");
    failed(get("/cut-chunked"), "cut_off", "ended early");
    failed(get("/reset"), "cut_off", "without an answer");
}

static void an_answer_before_a_reset_is_whole(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct call *call = get("/whole-reset");

        succeeded(call, 200);
        assert_string_equal(buf_text(&call->body), "all of it");
    }
}

static void what_is_no_http_is_a_bad_response(void **state)
{
    (void)state;
    failed(get("/garbage"), "bad_response", "127.0.0.1");
}

static void a_closed_port_refuses(void **state)
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char url[64];

    (void)state;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0); /* bound, not listening */
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/?key=secret", ntohs(address.sin_port));
    failed(send_it(&(struct http_request){ .url = url }), "connection_refused", "127.0.0.1:");
    assert_null(strstr(calls[0].result.error.text, "secret"));
    close(fd);
}

/* A name that no DNS server has to be asked for: its first part is longer than allowed. */
static void an_unknown_host_is_named(void **state)
{
    char url[128] = "http://";

    (void)state;
    memset(url + 7, 'n', 64);
    strcpy(url + 71, ".invalid/path?key=secret");
    failed(send_it(&(struct http_request){ .url = url }), "dns", "nnn.invalid");
    assert_null(strstr(calls[0].result.error.text, "secret"));
}

/* --- cancelling --------------------------------------------------------------------- */

static void freeing_ends_a_request_without_an_event(void **state)
{
    struct call *early = send_with(&(struct http_request){ .url = at("/never") }, &streaming);
    struct call *late;

    (void)state;
    end_call(early);
    late = send_with(&(struct http_request){ .url = at("/stall?send=x") }, &streaming);
    while (late->body.len == 0)
        uv_run(&loop, UV_RUN_ONCE);
    end_call(late);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(early->done || late->done);
    http_fetch_free(NULL);
}

static void freed_in(int where, const char *path)
{
    struct call *call = send_with(&(struct http_request){ .url = at(path) }, &streaming);
    struct call *other = send_with(&(struct http_request){ .url = at("/echo") }, &collecting);

    call->free_at = where;
    run_until(&other->done);
    while (call->http)
        uv_run(&loop, UV_RUN_ONCE);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(call->done, where == FREE_AT_DONE);
    assert_int_equal(call->heads, 1);
    if (where == FREE_AT_DATA)
        assert_int_equal(call->pieces, 1);
    succeeded(other, 200);
}

static void freeing_in_any_event_is_safe(void **state)
{
    (void)state;
    freed_in(FREE_AT_HEADERS, "/bytes/1000000");
    freed_in(FREE_AT_DATA, "/bytes/1000000");
    freed_in(FREE_AT_DONE, "/bytes/10");
    freed_in(FREE_AT_DONE, "/cut");
}

static void free_the_next(void *arg, const char *ptr, size_t len)
{
    (void)arg;
    (void)ptr;
    (void)len;
    end_call(&calls[1]);
}

static void one_request_may_free_another(void **state)
{
    struct http_events events = { .data = free_the_next, .done = take_done };
    struct call *first, *second;

    (void)state;
    first = send_with(&(struct http_request){ .url = at("/bytes/100") }, &events);
    second = send_with(&(struct http_request){ .url = at("/never") }, &streaming);
    run_until(&first->done);
    assert_null(second->http);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(second->done);
}

static void start_another(void *arg, struct http_result *result)
{
    take_done(arg, result);
    send_with(&(struct http_request){ .url = at("/echo") }, &collecting);
}

static void one_request_may_start_another(void **state)
{
    struct http_events events = { .done = start_another };
    struct call *first = send_with(&(struct http_request){ .url = at("/echo") }, &events);

    (void)state;
    run_until(&first->done);
    run_until(&calls[1].done);
    succeeded(&calls[1], 200);
}

static void the_client_can_be_freed_before_its_requests(void **state)
{
    struct call *call = send_with(&(struct http_request){ .url = at("/stall?send=x") }, &streaming);

    (void)state;
    while (call->body.len == 0)
        uv_run(&loop, UV_RUN_ONCE);
    send_with(&(struct http_request){ .url = at("/echo") }, &streaming);
    http_client_free(client);
    client = NULL;
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(call->done || calls[1].done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(too_long_an_answer_fails_or_is_cut),
        CASE(a_decompression_bomb_is_stopped_at_the_limit),
        CASE(endless_headers_are_stopped),
        CASE(the_total_time_ends_a_silent_server),
        CASE(the_idle_time_ends_a_stalled_answer),
        CASE(a_connection_that_never_comes_about_times_out),
        CASE(answers_that_end_early_are_cut_off),
        CASE(an_answer_before_a_reset_is_whole),
        CASE(what_is_no_http_is_a_bad_response),
        CASE(a_closed_port_refuses),
        CASE(an_unknown_host_is_named),
        CASE(freeing_ends_a_request_without_an_event),
        CASE(freeing_in_any_event_is_safe),
        CASE(one_request_may_free_another),
        CASE(one_request_may_start_another),
        CASE(the_client_can_be_freed_before_its_requests),
    };

    alarm(HANG_SECONDS);
    forget_proxies();
    return cmocka_run_group_tests(tests, server_setup, server_teardown);
}
