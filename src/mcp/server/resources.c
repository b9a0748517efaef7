/* resources/read. */
#include "mcp/server/resources.h"

#include <lua.h>

#include "json/marks.h"
#include "json/shown.h"
#include "json/writer.h"
#include "mcp/server/call/input_required.h"
#include "mcp/server/call/pending_start.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/reply.h"
#include "registry/call/contents.h"
#include "registry/call/gate.h"
#include "registry/call/outcome.h"
#include "script/vm.h"

struct entry *find_resource(const struct server *server, const char *uri, struct uri_values *values)
{
    return generation_resource(registry_current(server->registry), str_from(uri), values);
}

bool resource_may_be_told(struct session *session, const char *uri)
{
    struct uri_values values;
    struct entry *entry = find_resource(session->server, uri, &values);
    struct error err;

    return !entry || !gate_denies(entry, session_caller(session), uri, &err);
}

void resource_reply_missing(const struct request *request, const char *uri, const char *why)
{
    struct buf data = { 0 };

    buf_lit(&data, "{\"uri\":");
    json_write_string(&data, uri, strlen(uri));
    buf_addc(&data, '}');
    reply_error(request, request->modern ? RPC_INVALID_PARAMS : RPC_RESOURCE_NOT_FOUND,
                buf_text(&data), "Resource not found: %.200s%s%.600s", uri, *why ? ". " : "", why);
    buf_free(&data);
}

const char *resource_uri(const struct request *request)
{
    const cJSON *uri = json_given(request->params, "uri");

    if (cJSON_IsString(uri))
        return uri->valuestring;
    reply_error(request, RPC_INVALID_PARAMS, NULL, "%s needs params.uri, a string",
                request->method);
    return NULL;
}

static void on_resource_read(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;
    struct request *request = &pending->request;
    struct buf contents = { 0 }, meta = { 0 };
    struct error err;
    struct buf *out;

    if (pending_answer_refusal(pending, outcome)) {
        /* it is answered, or no reply is owed */
    } else if (contents_write(outcome, str_from(pending->subject), &contents, &err)) {
        outcome_write_marks(outcome, json_show(contents.data, &contents.len), &meta);
        json_drop_marks(contents.data, &contents.len);
        out = reply_begin(request);
        buf_add(out, contents.data, contents.len);
        if (request->modern)
            buf_lit(out, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
        reply_end(request, out, false, &meta);
    } else if (strcmp(err.code, "not_found") == 0) {
        resource_reply_missing(request, pending->subject, err.text);
    } else {
        reply_error(request, RPC_INTERNAL_ERROR, NULL, "Resource %s: %s", outcome->entry->name,
                    err.text);
    }
    buf_free(&contents);
    buf_free(&meta);
    pending_free(pending);
}

void method_resources_read(struct request *request)
{
    struct server *server = request->session->server;
    struct uri_values values;
    struct entry *entry;
    struct input_round round;
    const char *uri = resource_uri(request);
    struct entry_address address;

    if (!uri)
        return;
    entry = find_resource(server, uri, &values);
    if (!entry) {
        resource_reply_missing(request, uri, "");
        return;
    }
    if (!input_round_read(request, &round))
        return;
    address = (struct entry_address){ entry, uri, &values };
    pending_start(request, &(struct start){ .round = &round, .subject = uri },
                  &(struct call_spec){ .entry = entry,
                                       .push = entry_push_read,
                                       .pushed = &address,
                                       .with_call = entry->takes_call,
                                       .uri = uri,
                                       .timeout_ms = entry->timeout_ms ? 0 : server->timeout_ms,
                                       .done = on_resource_read });
}
