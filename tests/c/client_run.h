/* A client on a wire in memory: its output is kept, and a test gives it its input. */
#ifndef PERIGEE_TESTS_CLIENT_RUN_H
#define PERIGEE_TESTS_CLIENT_RUN_H

#include "io_help.h"

#include "base/buf.h"
#include "json/document.h"
#include "mcp/client/client.h"
#include "mcp/client/wire.h"

/* One answer to a request of ours. */
struct got {
    bool done;
    char *result; /* JSON text; NULL: failed */
    struct error error;
    int64_t rpc_code;
    char *rpc_data; /* JSON text */
    unsigned progresses;
    double progress, total;
    char message[64];
};

static struct session {
    struct client *client;
    struct buf sent; /* messages, each with a newline */
    size_t read;     /* place in `sent` of next_sent() */
    unsigned restarts, closes;
    bool refuse_sends;
    bool ready, closed;
    struct error why;
    struct buf log; /* "source level text\n" */
    char changed[64];
    uint64_t ask; /* the last one */
    uint64_t dropped;
    char asked[64];
    bool answer_asks; /* at once, with {"ok":true} */
    bool free_at_answer, free_at_log, free_at_ask, free_at_closed, free_at_ready;
    struct client_call *cancel_at_answer;
} s;

static struct got gots[16];

static inline bool mem_send(void *arg, const char *line, size_t len, struct error *err)
{
    (void)arg;
    if (s.refuse_sends)
        return error_set(err, "closed", "the wire is cut");
    assert_null(memchr(line, '\n', len));
    buf_add(&s.sent, line, len);
    buf_addc(&s.sent, '\n');
    return true;
}

static inline void mem_restart(void *arg)
{
    (void)arg;
    s.restarts++;
}

static inline void mem_close(void *arg)
{
    (void)arg;
    s.closes++;
}

static inline void free_client(void)
{
    client_free(s.client);
    s.client = NULL;
}

static inline void on_ready(void *arg)
{
    (void)arg;
    s.ready = true;
    if (s.free_at_ready)
        free_client();
}

static inline void on_closed(void *arg, const struct error *why)
{
    (void)arg;
    assert_false(s.closed);
    s.closed = true;
    s.why = *why;
    if (s.free_at_closed)
        free_client();
}

static inline void on_log(void *arg, enum client_source source, const char *level, const char *text,
                          size_t len)
{
    static const char *const names[] = { "stderr", "message", "problem" };

    (void)arg;
    buf_addf(&s.log, "%s %s ", names[source], level ? level : "-");
    buf_add(&s.log, text, len);
    buf_addc(&s.log, '\n');
    if (s.free_at_log)
        free_client();
}

static inline void on_changed(void *arg, const char *what)
{
    (void)arg;
    snprintf(s.changed, sizeof s.changed, "%s", what);
}

static inline void on_ask(void *arg, uint64_t ask, const char *method, const cJSON *params)
{
    (void)arg;
    (void)params;
    s.ask = ask;
    snprintf(s.asked, sizeof s.asked, "%s", method);
    if (s.free_at_ask)
        free_client();
    else if (s.answer_asks)
        client_reply(s.client, ask, "{\"ok\":true}");
}

static inline void on_ask_dropped(void *arg, uint64_t ask)
{
    (void)arg;
    s.dropped = ask;
}

static const struct client_events session_events = {
    .ready = on_ready,
    .closed = on_closed,
    .log = on_log,
    .changed = on_changed,
    .ask = on_ask,
    .ask_dropped = on_ask_dropped,
};

static inline char *json_text(const cJSON *node)
{
    return node ? cJSON_PrintUnformatted(node) : NULL;
}

static inline void take_answer(struct got *got, const struct client_answer *answer)
{
    assert_false(got->done);
    got->done = true;
    got->result = json_text(answer->result);
    if (answer->error)
        got->error = *answer->error;
    got->rpc_code = answer->rpc_code;
    got->rpc_data = json_text(answer->rpc_data);
}

static inline void on_done(void *arg, const struct client_answer *answer)
{
    take_answer(arg, answer);
    if (s.cancel_at_answer)
        client_cancel(s.cancel_at_answer, NULL);
    s.cancel_at_answer = NULL;
    if (s.free_at_answer)
        free_client();
}

static inline void on_progress(void *arg, double progress, double total, const char *message)
{
    struct got *got = arg;

    got->progresses++;
    got->progress = progress;
    got->total = total;
    snprintf(got->message, sizeof got->message, "%s", message ? message : "");
}

static const struct client_callbacks plain = { .done = on_done };
static const struct client_callbacks with_progress = { .done = on_done, .progress = on_progress };

/* --- sent messages ---------------------------------------------------------------- */

/* The next message that was not looked at yet; fails if there is none. Borrowed. */
static inline const char *next_sent(void)
{
    static char *line;
    const char *end =
        s.read < s.sent.len ? memchr(s.sent.data + s.read, '\n', s.sent.len - s.read) : NULL;

    free(line);
    line = NULL;
    if (!end)
        return NULL;
    line = mem_strndup(s.sent.data + s.read, (size_t)(end - s.sent.data) - s.read);
    s.read = (size_t)(end - s.sent.data) + 1;
    return line;
}

static inline void sent(const char *text)
{
    const char *line = next_sent();

    assert_non_null(line);
    assert_string_equal(line, text);
}

static inline void sent_nothing(void)
{
    assert_null(next_sent());
}

static inline void logged(const char *text)
{
    if (!strstr(buf_text(&s.log), text))
        fail_msg("not in the log: %s\n%s", text, buf_text(&s.log));
}

/* --- received messages ------------------------------------------------------------ */

static inline void hear(const char *line)
{
    client_receive(s.client, line, strlen(line));
}

static inline void answered(const char *id, const char *result)
{
    char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", id, result);

    hear(text);
    free(text);
}

static inline void turn_until(const bool *flag)
{
    while (!*flag)
        uv_run(&loop, UV_RUN_ONCE);
}

/* --- beginnings ------------------------------------------------------------------- */

#define NONE ((struct client_options){ 0 })

#define INFO "{\"name\":\"test\",\"version\":\"1\"}"
#define META(capabilities)                                                                         \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientInfo\":" INFO ","                                             \
    "\"io.modelcontextprotocol/clientCapabilities\":" capabilities
#define DISCOVER(id)                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":" id                                                              \
    ",\"method\":\"server/discover\",\"params\":{\"_meta\":{" META("{}") "}}}"
#define INITIALIZE(id)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"initialize\",\"params\":{"                    \
    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":" INFO "}}"
#define INITIALIZED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"
#define DISCOVERED(id)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{\"supportedVersions\":[\"2026-07-28\"],"       \
    "\"capabilities\":{\"tools\":{}},\"instructions\":\"hi\",\"resultType\":\"complete\","         \
    "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"m\",\"version\":\"2\"}}}}"

static inline void begin(struct client_options options)
{
    struct client_wire wire = { .send = mem_send, .restart = mem_restart, .close = mem_close };

    options.name = "test";
    options.version = "1";
    s.client = client_new(&loop, &wire, &options, &session_events, NULL);
    client_started(s.client);
}

static inline char *initialize_answer(const char *id, const char *version)
{
    return mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"%s\","
                      "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"l\","
                      "\"version\":\"1\"},\"instructions\":\"hello\"}}",
                      id, version);
}

static inline void hear_initialize_answer(const char *id, const char *version)
{
    char *text = initialize_answer(id, version);

    hear(text);
    free(text);
}

/* A session of each era; the next id of a request is 2. */
static inline void begin_legacy(struct client_options options)
{
    options.era = CLIENT_LEGACY;
    begin(options);
    assert_non_null(next_sent());
    hear_initialize_answer("1", "2025-11-25");
    sent(INITIALIZED);
    assert_true(s.ready);
}

static inline void begin_modern(struct client_options options)
{
    options.era = CLIENT_MODERN;
    begin(options);
    assert_non_null(next_sent());
    hear(DISCOVERED("1"));
    assert_true(s.ready);
}

static inline struct client_call *request(struct got *got, const char *method, const char *params)
{
    struct error err = { .code = "" };
    struct client_call *call = client_request(s.client, method, params, NULL, &plain, got, &err);

    if (!call)
        fail_msg("%s: %s", err.code, err.text);
    return call;
}

static inline void failed(const struct got *got, const char *code)
{
    assert_true(got->done);
    assert_null(got->result);
    assert_string_equal(got->error.code, code);
    assert_true(got->error.text[0]);
}

static inline void resulted(const struct got *got, const char *json)
{
    assert_true(got->done);
    if (!got->result)
        fail_msg("%s: %s", got->error.code, got->error.text);
    assert_string_equal(got->result, json);
}

static inline int session_setup(void **state)
{
    s = (struct session){ 0 };
    memset(gots, 0, sizeof gots);
    return loop_setup(state);
}

static inline int session_teardown(void **state)
{
    client_free(s.client);
    buf_free(&s.sent);
    buf_free(&s.log);
    for (size_t i = 0; i < countof(gots); i++) {
        cJSON_free(gots[i].result);
        cJSON_free(gots[i].rpc_data);
    }
    s.sent.len = s.read = 0;
    next_sent(); /* returns its line to the buffer */
    return loop_teardown(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, session_setup, session_teardown)

#endif
