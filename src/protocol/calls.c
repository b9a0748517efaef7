/* tools/call. */
#include <stdlib.h>

#include "protocol/session.h"
#include "registry/outcome.h"

static void on_tool_done(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;

    if (!pending_answer_trouble(pending, outcome)) {
        struct buf *out = reply_begin(&pending->request);
        struct buf meta = { 0 };

        struct outcome capped = *outcome;

        capped.cap = pending->server->cap;
        outcome_write(&capped, out, &meta, pending->request.modern);
        reply_end(&pending->request, out, false, &meta);
        buf_free(&meta);
    }
    pending_free(pending);
}

/* --- tools/call -------------------------------------------------------------------- */

static void refuse_arguments(const struct request *request, const struct entry *entry,
                             const struct error *err)
{
    char *text = mem_printf("Invalid arguments for %s: %s", entry->name, err->text);
    struct buf *out = reply_begin(request);
    struct buf meta = { 0 };

    outcome_write_error(out, &meta, text, strlen(text), "invalid_arguments");
    reply_end(request, out, false, &meta);
    buf_free(&meta);
    free(text);
}

static bool find_tool(const struct request *request, struct entry **entry)
{
    const cJSON *name = json_get(request->params, "name");

    if (!cJSON_IsString(name)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "tools/call needs params.name, a string");
        return false;
    }
    *entry =
        generation_tool(registry_current(request->session->server->registry), name->valuestring);
    if (*entry && (*entry)->here)
        return true;
    if (*entry)
        reply_error(request, RPC_INVALID_PARAMS, NULL, "Tool %s is not for this platform",
                    name->valuestring);
    else
        reply_error(request, RPC_INVALID_PARAMS, NULL, "Tool %.128s not found", name->valuestring);
    return false;
}

void method_tools_call(struct request *request)
{
    const cJSON *args = json_get(request->params, "arguments");
    struct server *server = request->session->server;
    struct entry *entry;
    struct error err;
    struct retry retry;
    cJSON none = { .type = cJSON_Object };

    if (!find_tool(request, &entry))
        return;
    if (args && !cJSON_IsObject(args)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "params.arguments must be an object");
        return;
    }
    if (!schema_check(entry->input, args ? args : &none, &err)) {
        refuse_arguments(request, entry, &err);
        return;
    }
    if (!retry_read(request, &retry))
        return;
    pending_start(request, &retry,
                  &(struct call_spec){ .entry = entry,
                                       .args = args,
                                       .timeout_ms = entry->timeout_ms ? 0 : server->timeout_ms,
                                       .done = on_tool_done },
                  NULL);
}
