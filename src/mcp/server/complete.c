/* completion/complete: what may stand for an argument of a prompt, or a variable of a resource's
 * template. A file says so in `complete`: a list of strings, or a function. */
#include <lauxlib.h>
#include <stdlib.h>
#include <strings.h>

#include "json/writer.h"
#include "mcp/server/call/pending_start.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/reply.h"
#include "registry/call/outcome.h"
#include "script/value.h"
#include "script/vm.h"

enum { VALUES_MAX = 100, COMPLETE_MS = 10000 };

struct filling {
    struct buf values; /* "a","b" */
    size_t kept, total;
    const char *prefix; /* values that do not begin so are left out; NULL: none are */
    struct error err;
    bool ok;
};

/* {values} on top of the stack, or a list with a count: {values, total = n}. Protected. */
static int fill_protected(lua_State *L)
{
    struct filling *f = lua_touserdata(L, 1);
    size_t len;

    if (lua_isnoneornil(L, 2)) {
        f->ok = true;
        return 0;
    }
    if (!lua_istable(L, 2)) {
        f->ok = error_set(&f->err, "bad_result", "expected a list of strings, not a %s",
                          luaL_typename(L, 2));
        return 0;
    }
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
        const char *text = luaL_tolstring(L, -1, &len);

        if (!f->prefix || strncasecmp(text, f->prefix, strlen(f->prefix)) == 0) {
            f->total++;
            if (f->kept < VALUES_MAX) {
                if (f->kept++)
                    buf_addc(&f->values, ',');
                json_write_string(&f->values, text, len);
            }
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_getfield(L, 2, "total");
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) > (lua_Integer)f->total)
        f->total = (size_t)lua_tointeger(L, -1);
    f->ok = true;
    return 0;
}

static void reply_values(const struct request *request, const struct entry *entry,
                         struct filling *f)
{
    struct buf *out;

    if (!f->ok) {
        reply_error(request, RPC_INTERNAL_ERROR, NULL, "Completion of %s: %s", entry->name,
                    f->err.text);
    } else {
        out = reply_begin(request);
        buf_lit(out, "\"completion\":{\"values\":[");
        buf_add(out, f->values.data, f->values.len);
        buf_addf(out, "],\"total\":%zu,\"hasMore\":%s}", f->total,
                 f->total > f->kept ? "true" : "false");
        reply_end(request, out, false, NULL);
    }
    buf_free(&f->values);
}

static void on_completed(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;
    struct filling f = { .ok = false, .err = outcome->err };

    if (!pending_answer_refusal(pending, outcome)) {
        if (!outcome->failed)
            f.ok = outcome_read(outcome, outcome->value, fill_protected, &f, &f.err) && f.ok;
        reply_values(&pending->request, outcome->entry, &f);
    }
    pending_free(pending);
}

/* --- the request ------------------------------------------------------------------------- */

static struct entry *find_template(const struct generation *generation, const char *uri)
{
    for (size_t i = 0; i < generation->count; i++)
        if (generation->entries[i]->kind == ENTRY_RESOURCE &&
            strcmp(generation->entries[i]->uri, uri) == 0)
            return generation->entries[i];
    return NULL;
}

/* What is asked about; NULL: an error was sent. */
static struct entry *find_ref(const struct request *request)
{
    const struct generation *generation = registry_current(request->session->server->registry);
    const cJSON *ref = json_given(request->params, "ref");
    const cJSON *type = json_given(ref, "type");
    bool prompt = cJSON_IsString(type) && strcmp(type->valuestring, "ref/prompt") == 0;
    bool resource = cJSON_IsString(type) && strcmp(type->valuestring, "ref/resource") == 0;
    const cJSON *name = json_given(ref, resource ? "uri" : "name");
    struct entry *entry;

    if ((!prompt && !resource) || !cJSON_IsString(name)) {
        reply_error(
            request, RPC_INVALID_PARAMS, NULL,
            "completion/complete needs params.ref: {\"type\":\"ref/prompt\",\"name\":...} or "
            "{\"type\":\"ref/resource\",\"uri\":...}");
        return NULL;
    }
    entry = prompt ? generation_find(generation, ENTRY_PROMPT, name->valuestring)
                   : find_template(generation, name->valuestring);
    if (!entry)
        reply_error(request, RPC_INVALID_PARAMS, NULL, "%s %.200s not found",
                    prompt ? "Prompt" : "Resource template", name->valuestring);
    return entry;
}

static bool argument_ok(const struct request *request, struct entry *entry, const cJSON *argument)
{
    const cJSON *name = json_given(argument, "name");

    if (!cJSON_IsString(name) || !cJSON_IsString(json_given(argument, "value"))) {
        reply_error(request, RPC_INVALID_PARAMS, NULL,
                    "completion/complete needs params.argument: {\"name\":...,\"value\":...}, both "
                    "strings");
        return false;
    }
    if (entry_has_argument(entry, name->valuestring))
        return true;
    reply_error(request, RPC_INVALID_PARAMS, NULL, "%s has no %s %.100s", entry->name,
                entry->kind == ENTRY_PROMPT ? "argument" : "variable", name->valuestring);
    return false;
}

/* Pushes complete[NAME] of the entry's table, or nil. */
static int push_completer(lua_State *L, struct entry *entry, const char *name)
{
    int type = LUA_TNIL;

    entry_push_table(entry, L);
    if (lua_getfield(L, -1, "complete") == LUA_TTABLE)
        type = lua_getfield(L, -1, name);
    else
        lua_pushnil(L);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return type;
}

struct completing {
    struct entry *entry;
    const char *name;
    struct str text;
    const cJSON *given; /* the other arguments; NULL: there are none */
    struct filling filling;
    bool calls; /* a function says what fits */
};

/* (completing): a list is taken at once. Protected. */
static int look_up(lua_State *L)
{
    struct completing *c = lua_touserdata(L, 1);

    c->calls = push_completer(L, c->entry, c->name) == LUA_TFUNCTION;
    if (c->calls)
        return 0;
    lua_pushlightuserdata(L, &c->filling); /* completing, list, filling */
    lua_replace(L, 1);
    return fill_protected(L);
}

static int push_call(lua_State *L, const void *completing)
{
    const struct completing *c = completing;

    push_completer(L, c->entry, c->name);
    lua_pushlstring(L, c->text.ptr, c->text.len);
    if (cJSON_IsObject(c->given))
        value_push_json(L, c->given);
    else
        lua_newtable(L);
    return 3;
}

void method_complete(struct request *request)
{
    const cJSON *argument = json_given(request->params, "argument");
    const cJSON *value = json_given(argument, "value");
    struct completing c = { .entry = find_ref(request),
                            .text = json_string(value),
                            .given =
                                json_given(json_given(request->params, "context"), "arguments") };
    struct filling *f = &c.filling;
    struct input_round round = { 0 };

    if (!c.entry || !argument_ok(request, c.entry, argument))
        return;
    c.name = json_given(argument, "name")->valuestring;
    f->prefix = value->valuestring;
    f->ok = vm_run(registry_vm(request->session->server->registry), look_up, &c, &f->err) &&
            (f->ok || c.calls);
    if (!f->ok || !c.calls)
        reply_values(request, c.entry, f);
    else
        pending_start(request, &(struct start){ .round = &round },
                      &(struct call_spec){ .entry = c.entry,
                                           .push = push_call,
                                           .pushed = &c,
                                           .with_call = true,
                                           .timeout_ms = COMPLETE_MS,
                                           .done = on_completed });
}
