/* completion/complete: what may stand for an argument of a prompt, or a variable of a resource's
 * template. A file says so in `complete`: a list of strings, or a function. */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"
#include "json/shown.h"
#include "json/writer.h"
#include "mcp/server/call/pending_start.h"
#include "mcp/server/methods.h"
#include "mcp/server/request/reply.h"
#include "registry/call/gate.h"
#include "registry/call/outcome.h"
#include "registry/uri_template.h"
#include "script/value.h"
#include "script/vm.h"

enum { VALUES_MAX = 100, CANDIDATES_MAX = 2000, COMPLETE_MS = 10000 };

/* The values that the file offers. */
struct candidates {
    struct buf texts; /* the first ones, as bytes_str() writes them */
    size_t kept, total;
    struct error err;
    bool ok;
};

/* {values} on top of the stack, or a list with a count: {values, total = n}. Protected. */
static int read_candidates(lua_State *L)
{
    struct candidates *c = lua_touserdata(L, 1);
    struct str text;

    c->ok = lua_isnoneornil(L, 2) || lua_istable(L, 2) ||
            error_set(&c->err, "bad_result", "expected a list of strings, not a %s",
                      luaL_typename(L, 2));
    if (!lua_istable(L, 2))
        return 0;
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++, lua_pop(L, 2)) {
        text.ptr = luaL_tolstring(L, -1, &text.len);
        c->total++;
        if (c->kept == CANDIDATES_MAX)
            continue;
        c->kept++;
        bytes_str(&c->texts, text);
    }
    lua_pop(L, 1);
    lua_getfield(L, 2, "total");
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) > (lua_Integer)c->total)
        c->total = (size_t)lua_tointeger(L, -1);
    return 0;
}

/* --- which of them may be told ----------------------------------------------------------- */

/* The URI that a template has with the values that are given. */
struct filling {
    const struct entry *entry;
    struct str values[URI_NAMES];
    struct str *completed; /* among them */
};

static void read_given(struct filling *f, const struct entry *entry, const char *completed,
                       const cJSON *given)
{
    *f = (struct filling){ .entry = entry };
    for (size_t i = 0; entry->template && i < uri_template_count(entry->template); i++) {
        const char *name = uri_template_name(entry->template, i);
        const cJSON *value = json_given(given, name);

        if (strcmp(name, completed) == 0)
            f->completed = &f->values[i];
        else if (cJSON_IsString(value))
            f->values[i] = json_string(value);
    }
}

static void write_uri(const struct filling *f, struct buf *out)
{
    if (f->entry->template)
        uri_template_fill(f->entry->template, f->values, out);
    else
        buf_adds(out, f->entry->uri);
}

/* A caller who may not read a resource is not told that it exists. */
static bool may_be_told(struct filling *f, struct caller *caller, struct str candidate,
                        struct error *err)
{
    struct buf uri = { 0 };
    bool denied;

    if (!f->completed)
        return true;
    *f->completed = candidate;
    write_uri(f, &uri);
    denied = gate_denies((struct entry *)f->entry, caller, buf_text(&uri), err);
    buf_free(&uri);
    return !denied;
}

/* "a","b". Where one is left out, nobody is told how many there are. */
struct told {
    struct buf values;
    size_t count;
    bool more, hidden;
};

/* False: err, of one of them cannot be told whether it may. */
static bool choose_candidates(const struct candidates *c, struct filling *f, struct caller *caller,
                              struct told *told, struct error *err)
{
    struct bytes from = { .left = buf_str(&c->texts) };

    for (size_t i = 0; i < c->kept && !told->more; i++) {
        struct str text = bytes_get_str(&from);

        err->code[0] = '\0';
        if (!may_be_told(f, caller, text, err)) {
            if (err->code[0])
                return false;
            told->hidden = true;
        } else if (told->count == VALUES_MAX) {
            told->more = true;
        } else {
            if (told->count++)
                buf_addc(&told->values, ',');
            json_write_string(&told->values, text.ptr, text.len);
        }
    }
    told->more |= c->total > c->kept;
    return true;
}

static void reply_failure(const struct request *request, const struct entry *entry,
                          const struct error *err)
{
    reply_error(request, RPC_INTERNAL_ERROR, NULL, "Completion of %s: %s", entry->name, err->text);
}

static void write_values(const struct request *request, const struct candidates *c,
                         struct told *told)
{
    struct buf *out;

    json_show_from(&told->values, 0);
    out = reply_begin(request);
    buf_lit(out, "\"completion\":{\"values\":[");
    buf_add(out, told->values.data, told->values.len);
    buf_addc(out, ']');
    if (!told->hidden)
        buf_addf(out, ",\"total\":%zu", c->total);
    buf_addf(out, ",\"hasMore\":%s}", told->more ? "true" : "false");
    reply_end(request, out, false, NULL);
}

static void reply_values(const struct request *request, const struct candidates *c,
                         struct filling *f)
{
    struct told told = { .count = 0 };
    struct error err;

    if (choose_candidates(c, f, session_caller(request->session), &told, &err))
        write_values(request, c, &told);
    else
        reply_failure(request, f->entry, &err);
    buf_free(&told.values);
}

/* --- the call ---------------------------------------------------------------------------- */

/* "subject" of a pending completion: the variable, and what is given of the others. */
static void write_subject(struct buf *out, const char *name, const cJSON *given)
{
    buf_lit(out, "{\"name\":");
    json_write_string(out, name, strlen(name));
    if (cJSON_IsObject(given)) {
        buf_lit(out, ",\"given\":");
        json_write(out, given);
    }
    buf_addc(out, '}');
}

static void answer_completion(struct pending *pending, const struct outcome *outcome)
{
    struct candidates c = { .ok = false };
    struct json_doc *subject = json_parse(pending->subject, strlen(pending->subject), NULL, &c.err);
    struct filling f;

    if (outcome->failed)
        c.err = outcome->err;
    else if (subject)
        c.ok = outcome_read(outcome, outcome->value, read_candidates, &c, &c.err) && c.ok;
    if (c.ok) {
        read_given(&f, outcome->entry, json_string(json_get(json_root(subject), "name")).ptr,
                   json_get(json_root(subject), "given"));
        reply_values(&pending->request, &c, &f);
    } else {
        reply_failure(&pending->request, outcome->entry, &c.err);
    }
    json_doc_free(subject);
    buf_free(&c.texts);
}

static void on_completed(void *arg, const struct outcome *outcome)
{
    struct pending *pending = arg;

    if (!pending_answer_refusal(pending, outcome))
        answer_completion(pending, outcome);
    pending_free(pending);
}

/* --- the request ------------------------------------------------------------------------- */

/* How long a template is without the query at its end: "a/{id}" of "a/{id}{?page}". */
static size_t length_without_query(const char *uri)
{
    const char *query = strstr(uri, "{?");

    return query && strchr(query, '}') == strrchr(uri, '}') && uri[strlen(uri) - 1] == '}'
               ? (size_t)(query - uri)
               : strlen(uri);
}

/* The resource with this template. A client may leave out the query, unless another one is called
 * so. */
static struct entry *find_template(const struct generation *generation, const char *uri)
{
    struct entry *found = NULL;

    for (size_t i = 0; i < generation->count; i++) {
        struct entry *entry = generation->entries[i];

        if (entry->kind != ENTRY_RESOURCE)
            continue;
        if (strcmp(entry->uri, uri) == 0)
            return entry;
        if (length_without_query(entry->uri) == strlen(uri) &&
            strncmp(entry->uri, uri, strlen(uri)) == 0)
            found = entry;
    }
    return found;
}

/* The file that the request asks about; NULL: an error was sent. */
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
    bool completes;     /* the file says something of it */
};

/* (completing) Protected. */
static int look_up_completer(lua_State *L)
{
    struct completing *c = lua_touserdata(L, 1);

    c->completes = push_completer(L, c->entry, c->name) != LUA_TNIL;
    return 0;
}

/* (text, ...) -> what of the list, its upvalue, begins with the text */
static int complete_list(lua_State *L)
{
    int list = lua_upvalueindex(1);
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);
    lua_Integer count = 0;

    lua_settop(L, 1);
    lua_newtable(L); /* text, values */
    for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++, lua_settop(L, 2))
        if (strncasecmp(luaL_tolstring(L, -1, NULL), text, len) == 0)
            lua_rawseti(L, 2, ++count);
    lua_settop(L, 2);
    lua_getfield(L, list, "total");
    lua_setfield(L, 2, "total");
    return 1;
}

static int push_completion_call(lua_State *L, const void *completing)
{
    const struct completing *c = completing;

    if (push_completer(L, c->entry, c->name) != LUA_TFUNCTION)
        lua_pushcclosure(L, complete_list, 1);
    lua_pushlstring(L, c->text.ptr, c->text.len);
    if (cJSON_IsObject(c->given))
        value_push_json(L, c->given);
    else
        lua_newtable(L);
    return 3;
}

/* The policy is asked about the template, with what is given filled in. */
static void start_completion(struct request *request, const struct completing *c)
{
    struct input_round round = { 0 };
    struct buf subject = { 0 }, uri = { 0 };
    struct filling f;

    write_subject(&subject, c->name, c->given);
    if (c->entry->kind == ENTRY_RESOURCE) {
        read_given(&f, c->entry, c->name, c->given);
        write_uri(&f, &uri);
    }
    pending_start(request, &(struct start){ .round = &round, .subject = buf_text(&subject) },
                  &(struct call_spec){ .entry = c->entry,
                                       .push = push_completion_call,
                                       .pushed = c,
                                       .with_call = true,
                                       .uri = uri.len ? buf_text(&uri) : NULL,
                                       .completes = true,
                                       .timeout_ms = COMPLETE_MS,
                                       .done = on_completed });
    buf_free(&subject);
    buf_free(&uri);
}

void method_complete(struct request *request)
{
    const cJSON *argument = json_given(request->params, "argument");
    struct completing c = { .entry = find_ref(request),
                            .text = json_string(json_given(argument, "value")),
                            .given =
                                json_given(json_given(request->params, "context"), "arguments") };
    struct error err;

    if (!c.entry || !argument_ok(request, c.entry, argument))
        return;
    c.name = json_given(argument, "name")->valuestring;
    if (!vm_run(registry_vm(request->session->server->registry), look_up_completer, &c, &err))
        reply_failure(request, c.entry, &err);
    else if (c.completes)
        start_completion(request, &c);
    else
        reply_values(request, &(struct candidates){ .ok = true },
                     &(struct filling){ .entry = c.entry });
}
