/* From a message to the function that answers it. */

#include "mcp/server/session.h"
#include <stdlib.h>

#include "base/crypto.h"
#include "base/log.h"
#include "mcp/server/mcp_task.h"
#include "json/span.h"
#include "json/writer.h"

enum { LEGACY = 1, MODERN = 2, BOTH = 3, LIST_PAGE = 250 };

static void method_ping(struct request *request)
{
    reply_end(request, reply_begin(request), true, NULL);
}

static void method_shutdown(struct request *request)
{
    request->session->shut = true;
    session_end_calls(request->session);
    mcp_tasks_end(request->session->server, request->session);
    reply_end(request, reply_begin(request), true, NULL);
}

static void leave(struct session *session)
{
    if (session->events.exit)
        session->events.exit(session->events.arg);
}

static void method_exit(struct request *request)
{
    reply_end(request, reply_begin(request), true, NULL);
    leave(request->session);
}

static const struct method {
    const char *name;
    int eras;
    method_fn *run;
} methods[] = {
    { "tools/call", BOTH, method_tools_call },
    { "tools/list", BOTH, method_tools_list },
    { "ping", LEGACY, method_ping },
    { "initialize", BOTH, method_initialize }, /* refuses by itself, with the versions */
    { "server/discover", BOTH, method_discover },
    { "prompts/list", BOTH, method_prompts_list },
    { "prompts/get", BOTH, method_prompts_get },
    { "resources/list", BOTH, method_resources_list },
    { "resources/templates/list", BOTH, method_templates_list },
    { "resources/read", BOTH, method_resources_read },
    { "resources/subscribe", LEGACY, method_subscribe },
    { "resources/unsubscribe", LEGACY, method_unsubscribe },
    { "completion/complete", BOTH, method_complete },
    { "logging/setLevel", LEGACY, method_set_level },
    { "subscriptions/listen", MODERN, method_listen },
    { "tasks/get", BOTH, method_tasks_get },
    { "tasks/cancel", BOTH, method_tasks_cancel },
    { "tasks/result", LEGACY, method_tasks_result },
    { "tasks/list", LEGACY, method_tasks_list },
    { "tasks/update", MODERN, method_tasks_update },
    { "shutdown", BOTH, method_shutdown },
    { "exit", BOTH, method_exit },
};

/* --- eras ------------------------------------------------------------------------- */

static void refuse_version(const struct request *request, const cJSON *version)
{
    struct buf data = { 0 };

    buf_lit(&data, "{\"supported\":[\"" MCP_MODERN "\"],\"requested\":");
    json_write(&data, version);
    buf_addc(&data, '}');
    reply_error(request, RPC_UNSUPPORTED_VERSION, buf_text(&data),
                "Unsupported protocol version: %.64s", version->valuestring);
    buf_free(&data);
}

static bool envelope_ok(const struct request *request, const cJSON *meta)
{
    const cJSON *level = json_get(meta, MCP_META_LEVEL);
    const char *wrong = NULL;

    if (!cJSON_IsString(json_get(meta, MCP_META_VERSION)))
        wrong = MCP_META_VERSION " in _meta must be a string";
    else if (!cJSON_IsObject(json_get(meta, MCP_META_CAPS)))
        wrong = "Request is missing " MCP_META_CAPS " (an object) in _meta";
    else if (level && (!cJSON_IsString(level) || log_level_index(level->valuestring) < 0))
        wrong = MCP_META_LEVEL " in _meta must be the name of a log level";
    if (wrong)
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", wrong);
    return !wrong;
}

/* Is this a stateless request, and a good one? False: an error was sent. */
static bool settle_era(struct request *request)
{
    struct session *session = request->session;
    const cJSON *meta = json_get(request->params, "_meta");
    const cJSON *version = json_get(meta, MCP_META_VERSION);

    if (!version) {
        if (!session->modern || strcmp(request->method, "initialize") == 0 ||
            (strcmp(request->method, "server/discover") == 0 && !session->stateless))
            return true;
        reply_error(
            request, RPC_INVALID_PARAMS, NULL,
            "Request is missing the required _meta envelope for protocol revision " MCP_MODERN
            " (" MCP_META_VERSION ", " MCP_META_CAPS ")");
        return false;
    }
    request->modern = true;
    if (cJSON_IsString(version) && strcmp(version->valuestring, MCP_MODERN) != 0) {
        refuse_version(request, version);
        return false;
    }
    if (!envelope_ok(request, meta))
        return false;
    if (!session->version && strcmp(request->method, "server/discover") != 0)
        session->modern = true;
    return true;
}

/* --- dispatch ------------------------------------------------------------------------ */

static void answer(struct request *request)
{
    if (!settle_era(request))
        return;
    if (request->session->shut && strcmp(request->method, "exit") != 0) {
        reply_error(request, RPC_INVALID_REQUEST, NULL,
                    "The server was shut down; only exit is accepted");
        return;
    }
    for (size_t i = 0; i < countof(methods); i++) {
        if (strcmp(methods[i].name, request->method) != 0)
            continue;
        if (!(methods[i].eras & (request->modern ? MODERN : LEGACY)))
            break;
        if (request->session->stateless && methods[i].run == method_initialize)
            break; /* there is nothing to negotiate with */
        request->taken = true;
        methods[i].run(request);
        request->session->greeted = true;
        return;
    }
    reply_error(request, RPC_METHOD_NOT_FOUND, NULL, "Method not found: %.128s", request->method);
}

static void hear(struct session *session, const struct message *message)
{
    if (strcmp(message->method, "notifications/cancelled") == 0)
        session_cancel(session, message);
    else if (strcmp(message->method, "exit") == 0)
        leave(session);
    /* notifications/initialized and unknown ones need nothing */
}

static void handle(struct session *session, struct sink *sink, struct batch *batch,
                   const struct message *message)
{
    struct request request = { .session = session,
                               .sink = sink,
                               .batch = batch,
                               .id = message->id,
                               .method = message->method,
                               .params = message->params,
                               .source = message->source };

    switch (message->kind) {
    case MESSAGE_REQUEST:
        if (batch && strcmp(message->method, "initialize") == 0)
            reply_error(&request, RPC_INVALID_REQUEST, NULL,
                        "initialize must not be part of a batch");
        else
            answer(&request);
        break;
    case MESSAGE_NOTIFICATION:
        hear(session, message);
        break;
    case MESSAGE_RESPONSE:
        if (!session_answer(session, message))
            log_debug("a response to a request that is not open: id %.*s", (int)message->id.len,
                      message->id.ptr);
        break;
    case MESSAGE_BATCH: /* inside a batch; the outer one is handled by receive_batch() */
        reply_orphan(sink, batch, RPC_INVALID_REQUEST, "Invalid Request: a batch inside a batch");
        break;
    case MESSAGE_INVALID:
        if (message->id.len)
            reply_error(&request, RPC_INVALID_REQUEST, NULL, "%s", message->error.text);
        else
            reply_orphan(sink, batch, RPC_INVALID_REQUEST, message->error.text);
        break;
    }
}

/* Each member is parsed once more on its own, so that its id stays verbatim: batches
 * are rare, and belong to one old revision. */
static void receive_batch(struct session *session, struct sink *sink, struct str text)
{
    struct batch *batch;
    struct str item;

    if (!session->version || strcmp(session->version, "2025-03-26") != 0) {
        reply_orphan(sink, NULL, RPC_INVALID_REQUEST,
                     "Invalid Request: batches belong to protocol revision 2025-03-26 only");
        return;
    }
    if (!json_span_next(&text, &item)) {
        reply_orphan(sink, NULL, RPC_INVALID_REQUEST, "Invalid Request: an empty batch");
        return;
    }
    batch = batch_new(sink);
    do {
        struct json_doc *doc = json_parse(item.ptr, item.len, NULL, NULL);
        struct message message;

        message_read(&message, doc, item);
        handle(session, sink, batch, &message);
        json_doc_free(doc);
    } while (json_span_next(&text, &item));
    batch_drop(batch);
}

void session_take(struct session *session, struct sink *sink, const struct json_doc *doc,
                  const char *text, size_t len)
{
    struct message message;

    if (!sink)
        sink = session->sink;
    message_read(&message, doc, (struct str){ text, len });
    if (message.kind == MESSAGE_BATCH)
        receive_batch(session, sink, message.source);
    else
        handle(session, sink, NULL, &message);
}

void session_receive(struct session *session, struct sink *sink, const char *text, size_t len)
{
    struct json_doc *doc;
    struct error err;

    doc = json_parse(text, len, NULL, &err);
    if (!doc) {
        char *what = mem_printf("Parse error: %s", err.text);

        reply_orphan(sink ? sink : session->sink, NULL, RPC_PARSE_ERROR, what);
        free(what);
        return;
    }
    session_take(session, sink, doc, text, len);
    json_doc_free(doc);
}

void session_oversize(struct session *session, size_t limit)
{
    char *what =
        mem_printf("Invalid Request: the message is longer than %zu bytes and was skipped", limit);

    reply_orphan(session->sink, NULL, RPC_INVALID_REQUEST, what);
    free(what);
}

/* --- life ------------------------------------------------------------------------------ */

static void make_key(struct server *server, const char *given)
{
    struct error err;

    crypto_random(server->key, sizeof server->key);
    if (given && *given && !crypto_sha256(str_from(given), server->key, &err))
        log_error("PERIGEE_STATE_KEY is not used: %s", err.text);
}

struct server *server_new(const struct server_options *options)
{
    struct server *server = mem_zero(sizeof *server);

    server->registry = options->registry;
    server->lean = options->lean;
    server->whole = options->whole;
    server->page = options->page ? options->page : LIST_PAGE;
    server->timeout_ms = options->timeout_ms;
    server->cap = options->cap;
    make_key(server, options->state_key);
    list_init(&server->sessions);
    list_init(&server->parked);
    list_init(&server->watched);
    list_init(&server->tasks);
    server->task_ttl_ms = options->task_ttl_ms;
    return server;
}

void server_end_tasks(struct server *server)
{
    mcp_tasks_end(server, NULL);
}

void server_free(struct server *server)
{
    while (server && !list_empty(&server->parked))
        pending_cancel(container_of(server->parked.next, struct pending, link));
    if (server)
        server_end_tasks(server);
    free(server);
}

void server_changed(struct server *server, unsigned what)
{
    list_each (link, &server->sessions) {
        struct session *session = container_of(link, struct session, link);

        listens_changed(session, what);
        if (!session->version)
            continue;
        if (what & REGISTRY_TOOLS)
            notify_end(session->sink,
                       notify_begin(session->sink, "notifications/tools/list_changed"));
        if (what & REGISTRY_PROMPTS)
            notify_end(session->sink,
                       notify_begin(session->sink, "notifications/prompts/list_changed"));
        if (what & REGISTRY_RESOURCES)
            notify_end(session->sink,
                       notify_begin(session->sink, "notifications/resources/list_changed"));
    }
    if (what & REGISTRY_FILES)
        watched_resources_reload(server);
}

void server_updated(struct server *server, const char *uri)
{
    list_each (link, &server->sessions) {
        struct session *session = container_of(link, struct session, link);

        subscriptions_updated(session, uri);
        listens_updated(session, uri);
    }
}

struct session *session_new(struct server *server, struct sink *sink,
                            const struct session_events *events)
{
    struct session *session = mem_zero(sizeof *session);

    session->server = server;
    session->sink = sink;
    session->events = *events;
    session->log_level = LOG_LEVEL_INFO;
    list_init(&session->calls);
    list_init(&session->listens);
    list_init(&session->subscriptions);
    list_push(&server->sessions, &session->link);
    return session;
}

void session_stateless(struct session *session)
{
    session->stateless = true;
    session->modern = true;
}

void session_identify(struct session *session, const char *who)
{
    free(session->who);
    session->who = who ? mem_strdup(who) : NULL;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    session->closing = true;
    session_end_calls(session);
    mcp_tasks_end(session->server, session);
    listens_free(session);
    subscriptions_free(session);
    list_remove(&session->link);
    free(session->who);
    free(session);
}

bool session_has_tasks(const struct session *session)
{
    return mcp_tasks_running(session);
}

bool session_greeted(const struct session *session)
{
    return session->greeted;
}

const char *session_version(const struct session *session)
{
    return session->version;
}

struct registry *server_registry(const struct server *server)
{
    return server->registry;
}
