/* prompts/get: what render() returned, as messages. */
#include <stdlib.h>

#include "json/marks.h"
#include "json/shown.h"
#include "json/writer.h"
#include "mcp/server/call/input_required.h"
#include "mcp/server/call/pending_start.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/reply.h"
#include "registry/call/arguments.h"
#include "registry/call/outcome.h"
#include "script/value.h"

struct rendering {
    const struct outcome *outcome;
    struct buf *out;
    struct error err;
    bool ok;
};

static bool write_prompt_message(struct rendering *r, lua_State *L, int message, int index)
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
                         "message %d needs content, a string or a content block", index);
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
        return error_set(&r->err, "bad_result",
                         "render must return a string or a list of messages");
    buf_addc(r->out, '[');
    for (int i = 1; lua_rawgeti(L, value, i) != LUA_TNIL; i++) {
        if (i > 1)
            buf_addc(r->out, ',');
        if (!write_prompt_message(r, L, lua_gettop(L), i))
            return false;
        lua_pop(L, 1);
    }
    buf_addc(r->out, ']');
    return true;
}

/* call:result{messages = {...}}: a whole result, as another server said it. */
static bool write_whole_prompt(struct rendering *r, lua_State *L, int value)
{
    if (lua_getfield(L, value, "description") == LUA_TSTRING) {
        size_t len;
        const char *text = lua_tolstring(L, -1, &len);

        buf_lit(r->out, "\"description\":");
        json_write_string(r->out, text, len);
        buf_addc(r->out, ',');
    }
    buf_lit(r->out, "\"messages\":");
    if (lua_getfield(L, value, "messages") != LUA_TTABLE)
        return error_set(&r->err, "bad_result", "the result has no messages");
    return write_messages(r, L, lua_gettop(L));
}

/* The members of the result, without its braces. */
static bool write_result(struct rendering *r, lua_State *L, int value)
{
    const cJSON *about = json_given(entry_definition(r->outcome->entry), "description");

    if (value && call_is_result(L, value))
        return write_whole_prompt(r, L, value);
    if (about) {
        buf_lit(r->out, "\"description\":");
        json_write(r->out, about);
        buf_addc(r->out, ',');
    }
    buf_lit(r->out, "\"messages\":");
    return write_messages(r, L, value);
}

static int render_protected(lua_State *L)
{
    struct rendering *r = lua_touserdata(L, 1);

    r->ok = write_result(r, L, lua_isnone(L, 2) ? 0 : 2);
    return 0;
}

static bool write_prompt(const struct outcome *outcome, struct buf *out, struct error *err)
{
    struct rendering r = { .outcome = outcome, .out = out };

    if (outcome->failed) {
        *err = outcome->err;
        return false;
    }
    if (!outcome_read(outcome, outcome->value, render_protected, &r, err))
        return false;
    *err = r.err;
    return r.ok;
}

static void on_prompt_done(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;
    struct buf result = { 0 }, meta = { 0 };
    struct error err;
    struct buf *out;

    if (pending_answer_refusal(pending, outcome)) {
        /* it is answered, or no reply is owed */
    } else if (write_prompt(outcome, &result, &err)) {
        outcome_write_marks(outcome, json_show(result.data, &result.len), &meta);
        json_drop_marks(result.data, &result.len);
        out = reply_begin(&pending->request);
        buf_add(out, result.data, result.len);
        reply_end(&pending->request, out, false, &meta);
    } else {
        reply_error(&pending->request,
                    strcmp(err.code, "invalid_arguments") == 0 ? RPC_INVALID_PARAMS
                                                               : RPC_INTERNAL_ERROR,
                    NULL, "Prompt %s: %s", outcome->entry->name, err.text);
    }
    buf_free(&result);
    buf_free(&meta);
    pending_free(pending);
}

/* The arguments have what they referred to, or it cannot be found. */
static void on_referred(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;
    struct error err = outcome->err;
    struct json_doc *doc = NULL;
    struct buf json = { 0 };

    if (pending->cancelled || !pending->request.session) {
        on_prompt_done(arg, outcome);
        return;
    }
    if (!outcome->failed && value_write_json(outcome->L, outcome->value, &json, &err))
        doc = json_parse(json.data, json.len, NULL, &err);
    if (doc) {
        pending_call(pending,
                     &(struct call_spec){ .entry = outcome->entry,
                                          .args = json_root(doc),
                                          .caller = session_caller(pending->request.session),
                                          .done = on_prompt_done });
    } else {
        reply_error(&pending->request, RPC_INVALID_PARAMS, NULL, "%s", err.text);
        pending_free(pending);
    }
    json_doc_free(doc);
    buf_free(&json);
}

/* null is as good as not there, as for tools. */
static void drop_nulls(cJSON *args)
{
    cJSON *next;

    for (cJSON *item = args ? args->child : NULL; item; item = next) {
        next = item->next;
        if (cJSON_IsNull(item))
            json_take_out(args, item);
    }
}

static bool check_prompt_arguments(const struct request *request, struct entry *entry,
                                   const cJSON *args)
{
    const cJSON *wanted = json_given(entry_definition(entry), "arguments");
    const cJSON *item;

    if (args && !cJSON_IsObject(args)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "params.arguments must be an object");
        return false;
    }
    drop_nulls((cJSON *)args);
    cJSON_ArrayForEach (item, args) {
        if (!cJSON_IsString(item)) {
            reply_error(request, RPC_INVALID_PARAMS, NULL, "Argument %s must be a string",
                        item->string);
            return false;
        }
    }
    cJSON_ArrayForEach (item, wanted) {
        const cJSON *name = json_given(item, "name");

        if (cJSON_IsTrue(json_given(item, "required")) && cJSON_IsString(name) &&
            !json_given(args, name->valuestring)) {
            reply_error(request, RPC_INVALID_PARAMS, NULL, "Prompt %s needs the argument %s",
                        entry->name, name->valuestring);
            return false;
        }
    }
    return true;
}

void method_prompts_get(struct request *request)
{
    const cJSON *name = json_given(request->params, "name");
    const cJSON *args = json_given(request->params, "arguments");
    struct server *server = request->session->server;
    struct arguments_given referring;
    struct call_spec spec;
    struct entry *entry;
    struct input_round round;

    entry = cJSON_IsString(name) ? generation_find(registry_current(server->registry), ENTRY_PROMPT,
                                                   name->valuestring)
                                 : NULL;
    if (!entry) {
        const char *given = cJSON_IsString(name) ? name->valuestring : "(params.name is missing)";

        reply_error(
            request, RPC_INVALID_PARAMS, NULL, "Prompt %.128s not found%s", given,
            generation_nearest(registry_current(server->registry), ENTRY_PROMPT, given).text);
        return;
    }
    if (!check_prompt_arguments(request, entry, args))
        return;
    referring = (struct arguments_given){ entry, args };
    spec = (struct call_spec){ .entry = entry, .args = args, .done = on_prompt_done };
    if (arguments_refer(args))
        spec = (struct call_spec){ .entry = entry,
                                   .own = true,
                                   .push = arguments_push_references,
                                   .pushed = &referring,
                                   .done = on_referred };
    if (input_round_read(request, &round))
        pending_start(request, &(struct start){ .round = &round }, &spec);
}
