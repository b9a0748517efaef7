/* tools/call and prompts/get: requests that run Lua. */
#include <math.h>
#include <stdlib.h>

#include "protocol/session.h"
#include "registry/outcome.h"
#include "script/value.h"
#include "json/writer.h"

/* --- while it runs ------------------------------------------------------------ */

static void on_progress(void *arg, double done, double total, const char *message)
{
    struct pending *pending = arg;
    struct sink *sink = pending->request.sink;
    struct buf *out;

    if (!pending->progress_token || pending->cancelled)
        return;
    out = notify_begin(sink, "notifications/progress");
    buf_addf(out, "\"progressToken\":%s,\"progress\":", pending->progress_token);
    json_write_number(out, done);
    if (!isnan(total)) {
        buf_lit(out, ",\"total\":");
        json_write_number(out, total);
    }
    if (message) {
        buf_lit(out, ",\"message\":");
        json_write_string(out, message, strlen(message));
    }
    notify_end(sink, out);
}

static void on_log(void *arg, const char *level, const char *logger, lua_State *L, int data)
{
    struct pending *pending = arg;
    struct session *session = pending->request.session;
    int threshold = pending->request.modern ? pending->log_level : session->log_level;

    if (!pending->cancelled && log_level_index(level) >= threshold)
        send_log(pending->request.sink, level, logger, L, data);
}

/* --- start and end --------------------------------------------------------------- */

static struct pending *pending_new(const struct request *request)
{
    const cJSON *meta = json_get(request->params, "_meta");
    const cJSON *token = json_get(meta, "progressToken");
    const cJSON *level = json_get(meta, MCP_META_LEVEL);
    struct pending *pending = mem_zero(sizeof *pending);

    pending->request = *request;
    pending->request.id.ptr = mem_strndup(request->id.ptr, request->id.len);
    pending->request.method = NULL;
    pending->request.params = NULL;
    pending->log_level = cJSON_IsString(level) && log_level_index(level->valuestring) >= 0
                             ? log_level_index(level->valuestring)
                             : LOG_LEVEL_NONE;
    if (cJSON_IsString(token) || cJSON_IsNumber(token))
        pending->progress_token = message_token(request->source, "_meta", "progressToken", token);
    if (pending->request.batch)
        batch_hold(pending->request.batch);
    sink_hold(request->sink);
    list_push(&request->session->calls, &pending->link);
    return pending;
}

static void pending_free(struct pending *pending)
{
    struct sink *sink = pending->request.sink;

    list_remove(&pending->link);
    if (pending->request.batch)
        batch_drop(pending->request.batch);
    free((char *)pending->request.id.ptr);
    free(pending->progress_token);
    free(pending);
    sink_drop(sink);
}

static void on_tool_done(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;

    if (!pending->cancelled) {
        struct buf *out = reply_begin(&pending->request);
        struct buf meta = { 0 };

        outcome_write(outcome, out, &meta, pending->request.modern);
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
    struct pending *pending;
    struct entry *entry;
    struct error err;
    cJSON none = { .type = cJSON_Object };
    struct call *call;

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
    pending = pending_new(request);
    call = call_start(vm_lua(registry_vm(server->registry)),
                      &(struct call_spec){ .entry = entry,
                                           .args = args,
                                           .timeout_ms = entry->timeout_ms ? 0 : server->timeout_ms,
                                           .progress = on_progress,
                                           .log = on_log,
                                           .done = on_tool_done,
                                           .arg = pending });
    if (call)
        pending->call = call;
}

/* --- prompts/get ---------------------------------------------------------------------- */

struct rendering {
    const struct outcome *outcome;
    struct buf *out;
    struct error err;
    bool ok;
};

static bool write_message(struct rendering *r, lua_State *L, int message, int index)
{
    struct error inner;
    size_t len;
    const char *text;

    if (!lua_istable(L, message) || lua_getfield(L, message, "role") != LUA_TSTRING)
        return error_set(&r->err, "bad_result",
                         "message %d needs a role, \"user\" or \"assistant\"", index);
    text = lua_tolstring(L, -1, &len);
    buf_lit(r->out, "{\"role\":");
    json_write_string(r->out, text, len);
    buf_lit(r->out, ",\"content\":");
    if (lua_getfield(L, message, "content") == LUA_TSTRING) {
        text = lua_tolstring(L, -1, &len);
        buf_lit(r->out, "{\"type\":\"text\",\"text\":");
        json_write_string(r->out, text, len);
        buf_addc(r->out, '}');
    } else if (!lua_istable(L, -1) || !value_write_json(L, -1, r->out, &inner)) {
        return error_set(&r->err, "bad_result",
                         "message %d needs content, a text or a content block", index);
    }
    buf_addc(r->out, '}');
    lua_pop(L, 2);
    return true;
}

static bool write_messages(struct rendering *r, lua_State *L, int value)
{
    size_t len;
    const char *text;

    if (value && lua_type(L, value) == LUA_TSTRING) {
        text = lua_tolstring(L, value, &len);
        buf_lit(r->out, "[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":");
        json_write_string(r->out, text, len);
        buf_lit(r->out, "}}]");
        return true;
    }
    if (!value || !lua_istable(L, value))
        return error_set(&r->err, "bad_result", "render must return a text or a list of messages");
    buf_addc(r->out, '[');
    for (int i = 1; lua_rawgeti(L, value, i) != LUA_TNIL; i++) {
        if (i > 1)
            buf_addc(r->out, ',');
        if (!write_message(r, L, lua_gettop(L), i))
            return false;
        lua_pop(L, 1);
    }
    buf_addc(r->out, ']');
    return true;
}

static int render_protected(lua_State *L)
{
    struct rendering *r = lua_touserdata(L, 1);

    r->ok = write_messages(r, L, lua_isnone(L, 2) ? 0 : 2);
    return 0;
}

static bool render(const struct outcome *outcome, struct buf *out, struct error *err)
{
    struct rendering r = { .outcome = outcome, .out = out };
    lua_State *L = outcome->L;

    if (outcome->failed) {
        *err = outcome->err;
        return false;
    }
    lua_pushcfunction(L, render_protected);
    lua_pushlightuserdata(L, &r);
    if (outcome->value)
        lua_pushvalue(L, outcome->value);
    if (lua_pcall(L, outcome->value ? 2 : 1, 0, 0) != LUA_OK)
        return error_set(err, "memory", "%s", lua_tostring(L, -1));
    *err = r.err;
    return r.ok;
}

static void on_prompt_done(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;
    const cJSON *about = json_get(json_root(outcome->entry->definition), "description");
    struct buf messages = { 0 };
    struct error err;
    struct buf *out;

    if (pending->cancelled) {
        /* no reply is owed */
    } else if (render(outcome, &messages, &err)) {
        out = reply_begin(&pending->request);
        buf_lit(out, "\"description\":");
        json_write(out, about);
        buf_lit(out, ",\"messages\":");
        buf_add(out, messages.data, messages.len);
        reply_end(&pending->request, out, false, NULL);
    } else {
        reply_error(&pending->request, RPC_INTERNAL_ERROR, NULL, "Prompt %s: %s",
                    outcome->entry->name, err.text);
    }
    buf_free(&messages);
    pending_free(pending);
}

static bool check_prompt_arguments(const struct request *request, const struct entry *entry,
                                   const cJSON *args)
{
    const cJSON *wanted = json_get(json_root(entry->definition), "arguments");
    const cJSON *item;

    if (args && !cJSON_IsObject(args)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "params.arguments must be an object");
        return false;
    }
    cJSON_ArrayForEach (item, args) {
        if (!cJSON_IsString(item)) {
            reply_error(request, RPC_INVALID_PARAMS, NULL, "Argument %s must be a string",
                        item->string);
            return false;
        }
    }
    cJSON_ArrayForEach (item, wanted) {
        const cJSON *name = json_get(item, "name");

        if (cJSON_IsTrue(json_get(item, "required")) && cJSON_IsString(name) &&
            !json_get(args, name->valuestring)) {
            reply_error(request, RPC_INVALID_PARAMS, NULL, "Prompt %s needs the argument %s",
                        entry->name, name->valuestring);
            return false;
        }
    }
    return true;
}

void method_prompts_get(struct request *request)
{
    const cJSON *name = json_get(request->params, "name");
    const cJSON *args = json_get(request->params, "arguments");
    struct server *server = request->session->server;
    struct entry *entry;
    struct pending *pending;
    struct call *call;

    entry = cJSON_IsString(name) ? generation_find(registry_current(server->registry), ENTRY_PROMPT,
                                                   name->valuestring)
                                 : NULL;
    if (!entry) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "Prompt %.128s not found",
                    cJSON_IsString(name) ? name->valuestring : "(params.name is missing)");
        return;
    }
    if (!check_prompt_arguments(request, entry, args))
        return;
    pending = pending_new(request);
    call = call_start(vm_lua(registry_vm(server->registry)),
                      &(struct call_spec){
                          .entry = entry, .args = args, .done = on_prompt_done, .arg = pending });
    if (call)
        pending->call = call;
}

/* --- cancellation ------------------------------------------------------------------------ */

static void cancel(struct pending *pending)
{
    pending->cancelled = true;
    if (pending->call)
        call_cancel(pending->call);
}

void session_cancel(struct session *session, const struct message *message)
{
    const cJSON *id = json_get(message->params, "requestId");
    struct str wanted;
    char *text;

    if (!cJSON_IsString(id) && !cJSON_IsNumber(id))
        return; /* a notification: nobody to tell */
    text = message_token(message->source, NULL, "requestId", id);
    wanted = str_from(text);
    list_each (link, &session->calls) {
        struct pending *pending = container_of(link, struct pending, link);

        if (str_same(pending->request.id, wanted)) {
            cancel(pending);
            break;
        }
    }
    listen_cancel(session, wanted);
    free(text);
}

void session_end_calls(struct session *session)
{
    while (!list_empty(&session->calls))
        cancel(container_of(session->calls.next, struct pending, link));
}
