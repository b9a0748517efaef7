/* The methods, and which of them a request may call. */
#include "mcp/server/methods.h"

#include <stdlib.h>

#include "json/writer.h"
#include "mcp/server/call/mcp_waiter.h"
#include "mcp/server/call/pending.h"
#include "mcp/server/listen.h"
#include "mcp/server/request/logging.h"
#include "mcp/server/request/reply.h"
#include "mcp/versions.h"

enum { LEGACY = 1, MODERN = 2, BOTH = 3 };

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
    const cJSON *level = json_given(meta, MCP_META_LEVEL);
    const char *wrong = NULL;

    if (!cJSON_IsString(json_given(meta, MCP_META_VERSION)))
        wrong = MCP_META_VERSION " in _meta must be a string";
    else if (!cJSON_IsObject(json_given(meta, MCP_META_CAPS)))
        wrong = "Request is missing " MCP_META_CAPS " (an object) in _meta";
    else if (level && (!cJSON_IsString(level) || log_level_index(level->valuestring) < 0))
        wrong = MCP_META_LEVEL " in _meta must be the name of a log level";
    if (wrong)
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s", wrong);
    return !wrong;
}

/* Checks the envelope of a stateless request. False: an error was sent. */
static bool settle_era(struct request *request)
{
    struct session *session = request->session;
    const cJSON *meta = json_given(request->params, "_meta");
    const cJSON *version = json_given(meta, MCP_META_VERSION);

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
    session_named(session, json_get(meta, MCP_META_CLIENT));
    if (!session->version && strcmp(request->method, "server/discover") != 0)
        session->modern = true;
    return true;
}

/* --- dispatch ------------------------------------------------------------------------ */

void methods_answer(struct request *request)
{
    if (!settle_era(request))
        return;
    if (request->session->shut && strcmp(request->method, "exit") != 0) {
        reply_error(request, RPC_INVALID_REQUEST, NULL,
                    "The server was shut down and accepts only exit");
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

/* A notification gets no reply, so what is wrong with it is not reported. */
static void cancel_request(struct session *session, const struct message *message)
{
    const cJSON *id = json_given(message->params, "requestId");
    struct str wanted;
    char *text;

    if (!cJSON_IsString(id) && !cJSON_IsNumber(id))
        return;
    text = message_token(message->source, NULL, "requestId", id);
    wanted = str_from(text);
    pending_cancel_id(session, wanted);
    listen_cancel(session, wanted);
    mcp_waiter_cancel(session, wanted);
    free(text);
}

void methods_hear(struct session *session, const struct message *message)
{
    if (strcmp(message->method, "notifications/cancelled") == 0)
        cancel_request(session, message);
    else if (strcmp(message->method, "exit") == 0)
        session_leave(session);
    /* notifications/initialized and unknown ones need nothing */
}
