/* initialize and server/discover: who we are and what we can do; and the methods that are about the
 * session itself. */
#include "json/writer.h"
#include "mcp/server/call/mcp_task.h"
#include "mcp/server/call/pending.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/abilities.h"
#include "mcp/server/request/logging.h"
#include "mcp/server/request/reply.h"
#include "mcp/versions.h"

/* Tasks are of the core in 2025-11-25 only, and an extension since 2026-07-28. */
static void write_abilities(struct buf *out, const char *version)
{
    buf_lit(out, "\"capabilities\":{\"tools\":{\"listChanged\":true},"
                 "\"prompts\":{\"listChanged\":true},"
                 "\"resources\":{\"subscribe\":true,\"listChanged\":true},"
                 "\"completions\":{},\"logging\":{}");
    if (!version)
        buf_lit(out, ",\"extensions\":{\"" MCP_TASKS "\":{}}");
    else if (strcmp(version, "2025-11-25") >= 0)
        buf_lit(out, ",\"tasks\":{\"list\":{},\"cancel\":{},"
                     "\"requests\":{\"tools\":{\"call\":{}}}}");
    buf_addc(out, '}');
}

/* The words for the model that uses this server; NULL: no file has them. Call it before a reply is
 * opened, because it may load files, and what that has to say is written to the same place. */
static const char *find_instructions(const struct request *request)
{
    return registry_text(request->session->server->registry, "server_instructions");
}

static void write_instructions(struct buf *out, const char *instructions)
{
    if (!instructions)
        return;
    buf_lit(out, ",\"instructions\":");
    json_write_string(out, instructions, strlen(instructions));
}

void method_initialize(struct request *request)
{
    const cJSON *asked = json_given(request->params, "protocolVersion");
    struct session *session = request->session;
    const char *instructions;
    struct buf *out;

    if (session->modern) {
        reply_error(request, RPC_UNSUPPORTED_VERSION,
                    "{\"supported\":[\"" MCP_MODERN "\"],\"requested\":\"initialize\"}",
                    "This connection was opened by a %s request. Send that version in _meta",
                    MCP_MODERN);
        return;
    }
    if (!cJSON_IsString(asked)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "initialize needs params.protocolVersion, a string");
        return;
    }
    session->version = version_legacy(asked->valuestring);
    if (!session->version)
        session->version = MCP_LEGACY;
    session->abilities = abilities_read(json_given(request->params, "capabilities"));
    session_named(session, json_get(request->params, "clientInfo"));
    instructions = find_instructions(request);
    out = reply_begin(request);
    buf_addf(out, "\"protocolVersion\":\"%s\",", session->version);
    write_abilities(out, session->version);
    buf_lit(out, ",\"serverInfo\":");
    write_server_info(out);
    write_instructions(out, instructions);
    reply_end(request, out, false, NULL);
}

void method_discover(struct request *request)
{
    const char *instructions = find_instructions(request);
    struct buf *out;

    request->modern = true; /* also on a connection of an older revision: it asks for this form */
    out = reply_begin(request);
    buf_lit(out, "\"supportedVersions\":[\"" MCP_MODERN "\"],");
    write_abilities(out, NULL);
    write_instructions(out, instructions);
    buf_lit(out, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
    reply_end(request, out, false, NULL);
}

void method_ping(struct request *request)
{
    reply_end(request, reply_begin(request), true, NULL);
}

void method_set_level(struct request *request)
{
    const cJSON *level = json_given(request->params, "level");
    int index = cJSON_IsString(level) ? log_level_index(level->valuestring) : -1;

    if (index < 0) {
        reply_error(
            request, RPC_INVALID_PARAMS, NULL,
            "Invalid level. Use debug, info, notice, warning, error, critical, alert or emergency");
        return;
    }
    request->session->log_level = index;
    reply_end(request, reply_begin(request), true, NULL);
}

void method_shutdown(struct request *request)
{
    request->session->shut = true;
    session_end_calls(request->session);
    mcp_tasks_end(request->session->server, request->session);
    reply_end(request, reply_begin(request), true, NULL);
}

void session_leave(struct session *session)
{
    if (session->on_exit)
        session->on_exit(session->arg);
}

void method_exit(struct request *request)
{
    reply_end(request, reply_begin(request), true, NULL);
    session_leave(request->session);
}
