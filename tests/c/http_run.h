/* Requests in a test, against tests/lib/http_double.py. */
#ifndef PERIGEE_TESTS_HTTP_RUN_H
#define PERIGEE_TESTS_HTTP_RUN_H

#include "io_help.h"

#include "base/buf.h"
#include "http/client/request.h"
#include "process/process.h"

/* --- the double ------------------------------------------------------------------- */

struct double_server {
    uv_loop_t loop; /* its own, so that a case's loop can be closed */
    struct process *process;
    struct buf out;
    bool gone;
    char port[8];
};

static struct double_server server;

static inline void double_said(void *arg, int fd, const char *ptr, size_t len)
{
    (void)fd;
    buf_add(&((struct double_server *)arg)->out, ptr, len);
}

static inline void double_left(void *arg, const struct process_result *result)
{
    (void)result;
    ((struct double_server *)arg)->gone = true;
}

/* Starts the double. extra: further arguments, NULL-terminated, or NULL. False: there is no
 * Python. */
static inline bool double_start(struct double_server *s, const char *const *extra)
{
    char script[4096] = __FILE__;
    const char *argv[8] = { "python3", script };
    struct process_spec spec = { .argv = argv, .keep_input_open = true, .err = PROCESS_INHERIT };
    struct process_events said = { .output = double_said, .exited = double_left };

    strcpy(strrchr(script, '/') + 1, "../lib/http_double.py");
    for (size_t i = 0; extra && extra[i]; i++)
        argv[i + 2] = extra[i];
    *s = (struct double_server){ .gone = false };
    uv_loop_init(&s->loop);
    s->process = process_start(&s->loop, &spec, &said, s, NULL);
    while (s->process && !s->gone && !(s->out.len && memchr(s->out.data, '\n', s->out.len)))
        uv_run(&s->loop, UV_RUN_ONCE);
    snprintf(s->port, sizeof s->port, "%d", s->out.len ? atoi(buf_text(&s->out)) : 0);
    return s->out.len > 0;
}

static inline void double_stop(struct double_server *s)
{
    if (s->process)
        process_close_input(s->process);
    while (s->process && !s->gone)
        uv_run(&s->loop, UV_RUN_ONCE);
    process_free(s->process);
    buf_free(&s->out);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
}

static inline int server_setup(void **state)
{
    (void)state;
    return double_start(&server, NULL) ? 0 : -1;
}

static inline int server_teardown(void **state)
{
    (void)state;
    double_stop(&server);
    return 0;
}

/* The URL of a path on the double; from a ring of a few. */
static inline const char *at(const char *path)
{
    static char names[8][640];
    static unsigned next;
    char *name = names[next++ % countof(names)];

    snprintf(name, sizeof names[0], "http://127.0.0.1:%s%s", server.port, path);
    return name;
}

/* --- a request and its outcome ------------------------------------------------------ */

struct call {
    struct http_fetch *http;
    struct buf body; /* body of the result, or of the data events */
    struct http_result result;
    char *url;
    struct buf head; /* "name: value\n" of the result */
    unsigned heads, pieces, retries;
    uint64_t waits; /* ms, all retries together */
    bool done;
    int status_seen; /* the status in the headers event */
    enum { FREE_NEVER, FREE_AT_HEADERS, FREE_AT_DATA, FREE_AT_DONE } free_at;
};

static struct http_client *client;
static struct call calls[40];
static size_t call_count;

static inline void end_call(struct call *call)
{
    http_fetch_free(call->http);
    call->http = NULL;
}

static inline void take_headers(void *arg, int status, const struct http_headers *headers)
{
    struct call *call = arg;

    (void)headers;
    call->heads++;
    call->status_seen = status;
    if (call->free_at == FREE_AT_HEADERS)
        end_call(call);
}

static inline void take_data(void *arg, const char *ptr, size_t len)
{
    struct call *call = arg;

    call->pieces++;
    buf_add(&call->body, ptr, len);
    if (call->free_at == FREE_AT_DATA)
        end_call(call);
}

static inline void take_retry(void *arg, unsigned failures, uint64_t wait_ms,
                              const struct error *why)
{
    struct call *call = arg;

    assert_int_equal(failures, call->retries + 1);
    assert_true(*why->text);
    call->retries++;
    call->waits += wait_ms;
}

static inline void take_done(void *arg, struct http_result *result)
{
    struct call *call = arg;

    assert_false(call->done);
    call->done = true;
    call->result = *result;
    call->result.headers = (struct http_headers){ NULL, 0 };
    call->result.body = (struct buf){ 0 };
    call->url = mem_strdup(result->url);
    if (result->body.len)
        buf_add(&call->body, result->body.data, result->body.len);
    for (size_t i = 0; i < result->headers.count; i++)
        buf_addf(&call->head, "%s: %s\n", result->headers.items[i].name,
                 result->headers.items[i].value);
    buf_text(&call->body);
    buf_text(&call->head);
    if (call->free_at == FREE_AT_DONE)
        end_call(call);
}

static const struct http_events streaming = { take_headers, take_data, take_retry, take_done };
static const struct http_events collecting = { .retry = take_retry, .done = take_done };

static inline struct call *send_with(const struct http_request *request,
                                     const struct http_events *events)
{
    struct call *call = &calls[call_count++];
    struct error err = { .code = "" };

    assert_true(call_count <= countof(calls));
    *call = (struct call){ .http = NULL };
    call->http = http_fetch_start(client, request, events, call, &err);
    if (!call->http)
        fail_msg("%s: %s", err.code, err.text);
    return call;
}

static inline struct call *send_it(const struct http_request *request)
{
    struct call *call = send_with(request, &collecting);

    run_until(&call->done);
    return call;
}

static inline struct call *get(const char *path)
{
    return send_it(&(struct http_request){ .url = at(path) });
}

static inline void succeeded(const struct call *call, int status)
{
    if (!call->result.ok)
        fail_msg("%s: %s", call->result.error.code, call->result.error.text);
    assert_int_equal(call->result.status, status);
}

static inline void failed(const struct call *call, const char *code, const char *text)
{
    if (call->result.ok)
        fail_msg("wanted %s, got status %d", code, call->result.status);
    if (strcmp(call->result.error.code, code) != 0)
        fail_msg("wanted %s, got %s: %s", code, call->result.error.code, call->result.error.text);
    if (!strstr(call->result.error.text, text))
        fail_msg("\"%s\" does not say \"%s\"", call->result.error.text, text);
}

static inline void says(struct call *call, const char *text)
{
    if (!strstr(buf_text(&call->body), text))
        fail_msg("\"%s\" does not contain \"%s\"", buf_text(&call->body), text);
}

static inline void does_not_say(struct call *call, const char *text)
{
    if (strstr(buf_text(&call->body), text))
        fail_msg("\"%s\" contains \"%s\"", buf_text(&call->body), text);
}

static inline int calls_setup(void **state)
{
    int rc = loop_setup(state);

    client = http_client_new(&loop);
    call_count = 0;
    return rc;
}

static inline int calls_teardown(void **state)
{
    for (size_t i = 0; i < call_count; i++) {
        http_fetch_free(calls[i].http);
        buf_free(&calls[i].body);
        buf_free(&calls[i].head);
        free(calls[i].url);
    }
    http_client_free(client);
    return loop_teardown(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, calls_setup, calls_teardown)

/* The proxy settings of the machine do not matter here. */
static inline void forget_proxies(void)
{
    static const char *const names[] = { "http_proxy",  "https_proxy", "all_proxy", "no_proxy",
                                         "HTTPS_PROXY", "ALL_PROXY",   "NO_PROXY" };

    for (size_t i = 0; i < countof(names); i++)
        unsetenv(names[i]);
}

#endif
