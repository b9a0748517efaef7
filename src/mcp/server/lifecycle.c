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

static const char instructions[] =
    "Perigee controls this desktop. Look with get_ui_tree, do several steps with act, answer a "
    "dialog with handle_dialog; results tell what changed. If a tool that you need is not listed, "
    "call search_tools to find it, describe_tool to see its parameters and call_tool to run it. "
    "run_lua runs a script in which every tool is a function. Tools can change while the engine "
    "runs. A result with isError says what failed and what to do next.";

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

static void write_instructions(struct buf *out)
{
    buf_lit(out, "\"instructions\":");
    json_write_string(out, instructions, sizeof instructions - 1);
}

void method_initialize(struct request *request)
{
    const cJSON *asked = json_given(request->params, "protocolVersion");
    struct session *session = request->session;
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
    out = reply_begin(request);
    buf_addf(out, "\"protocolVersion\":\"%s\",", session->version);
    write_abilities(out, session->version);
    buf_lit(out, ",\"serverInfo\":");
    write_server_info(out);
    buf_addc(out, ',');
    write_instructions(out);
    reply_end(request, out, false, NULL);
}

void method_discover(struct request *request)
{
    struct buf *out;

    request->modern = true; /* also on a connection of an older revision: it asks for this form */
    out = reply_begin(request);
    buf_lit(out, "\"supportedVersions\":[\"" MCP_MODERN "\"],");
    write_abilities(out, NULL);
    buf_addc(out, ',');
    write_instructions(out);
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
