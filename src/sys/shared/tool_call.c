/* Calls a tool, renders a prompt or reads a resource from Lua: the caller's task waits for the task
 * of the call. */
#include "sys/shared/tool_call.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/distance.h"
#include "registry/call/arguments.h"
#include "registry/call/call_struct.h"
#include "registry/call/contents.h"
#include "registry/call/outcome.h"
#include "script/bind.h"
#include "script/purity.h"
#include "script/tools_table.h"
#include "script/value.h"
#include "script/vm.h"
#include "script/wake.h"
#include "sys/shared/policy_runs.h"

enum {
    NESTED_MAX = 64,     /* calls */
    FROM_TEXT_MAX = 200, /* bytes */
};

const char sys_registry_key;

struct registry *sys_registry(lua_State *L)
{
    return vm_service(L, &sys_registry_key);
}

struct waiting {
    struct op op;
    struct call *call; /* NULL: it ended */
    const struct call_reports *reports;
    bool raw;
    char from_text[FROM_TEXT_MAX]; /* names of arguments that came as JSON in strings; or "" */
};

static void call_waiting_cancel(struct op *op)
{
    struct waiting *waiting = container_of(op, struct waiting, op);
    struct call *call = waiting->call;

    waiting->call = NULL;
    if (call)
        call_cancel(call);
}

/* --- the results for the caller ----------------------------------------------------- */

void tool_push_text(lua_State *L, const cJSON *result)
{
    const cJSON *block;
    luaL_Buffer text;
    bool first = true;

    luaL_buffinit(L, &text);
    cJSON_ArrayForEach (block, json_get(result, "content")) {
        struct str part = json_string(json_get(block, "text"));

        if (!cJSON_IsString(json_get(block, "text")))
            continue;
        if (!first)
            luaL_addchar(&text, '\n');
        luaL_addlstring(&text, part.ptr, part.len);
        first = false;
    }
    luaL_pushresult(&text);
}

/* Pushes the wire's result as a table, with `text` and `code`. */
static int push_result(lua_State *L, const struct outcome *outcome)
{
    struct json_limits limits = { (size_t)1 << 30, 2 * VALUE_DEPTH, 10000000 };
    struct json_doc **doc = bind_document(L);
    struct buf *out = bind_buffer(L);
    struct error err;

    outcome_write_object(outcome, out);
    *doc = json_parse(out->data, out->len, &limits, &err);
    buf_free(out);
    if (!*doc)
        return bind_error(L, &err);
    value_push_json(L, json_root(*doc)); /* result */
    tool_push_text(L, json_root(*doc));
    lua_setfield(L, -2, "text");
    json_doc_free(*doc);
    *doc = NULL;
    if (outcome->failed || outcome->err.code[0]) {
        lua_pushstring(L, outcome->err.code);
        lua_setfield(L, -2, "code");
    }
    if (outcome->end == TASK_TIMED_OUT) {
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, "timed_out");
    }
    return 1;
}

int tool_push_value(lua_State *L, const struct outcome *outcome)
{
    lua_State *from = outcome->L;
    int n;

    if (outcome->failed) {
        if (outcome->value) {
            lua_pushnil(L);
            lua_pushvalue(from, outcome->value);
            lua_xmove(from, L, 1);
            lua_pushstring(L, outcome->err.code);
            return 3;
        }
        return bind_error(L, &outcome->err);
    }
    if (!outcome->value) {
        lua_pushboolean(L, 1);
        return 1;
    }
    if (outcome->entry->kind != ENTRY_TOOL || !call_is_result(from, outcome->value)) {
        lua_pushvalue(from, outcome->value);
        lua_xmove(from, L, 1);
        return 1;
    }
    n = push_result(L, outcome); /* result | nil, text, code */
    if (n != 1)
        return n;
    lua_getfield(L, -1, "isError");
    if (lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        lua_pushnil(L);
        lua_getfield(L, -2, "text");
        lua_pushstring(L, outcome->err.code[0] ? outcome->err.code : "failed");
        return 3;
    }
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "structuredContent") != LUA_TNIL)
        return 1;
    lua_pop(L, 1);
    return 1;
}

struct coming {
    const struct outcome *outcome;
    const struct waiting *waiting;
};

/* Called with (coming). */
static int push_coming(lua_State *L)
{
    const struct coming *coming = lua_touserdata(L, 1);
    int n;

    if (coming->waiting->raw)
        return tool_push_value(L, coming->outcome);
    n = push_result(L, coming->outcome);
    if (n == 1 && *coming->waiting->from_text) {
        lua_pushstring(L, coming->waiting->from_text);
        lua_setfield(L, -2, "from_text");
    }
    return n;
}

static void on_tool_call_done(void *arg, const struct outcome *outcome)
{
    struct waiting *waiting = arg;

    if (!waiting->call)
        return; /* the caller was cancelled, or is told at once */
    waiting->call = NULL;
    task_wake_with(&waiting->op, push_coming, &(struct coming){ outcome, waiting });
}

/* --- the call ---------------------------------------------------------------------------- */

static struct json_doc *arguments_of(struct entry *entry, struct str json, struct buf *names,
                                     struct error *err)
{
    struct json_doc *doc = json_parse(json.ptr, json.len, NULL, err), *read = NULL;
    const cJSON *args = json_root(doc);
    struct error inner;
    struct caller *caller = call_caller_of(vm_running(entry->vm));
    bool fits = doc && arguments_take(entry, caller, &args, &read, names, &inner);

    if (!doc || (fits && !read))
        return doc;
    json_doc_free(doc);
    if (fits)
        return read;
    json_doc_free(read);
    error_set(err, "invalid_arguments", "%sInvalid arguments for %s: %s",
              entry->says_error ? ERROR_WORD : "", entry->name, inner.text);
    return NULL;
}

struct json_doc *tool_arguments(struct entry *entry, struct str json, struct error *err)
{
    return arguments_of(entry, json, NULL, err);
}

/* Reads the arguments at `index` into a document that matches the schema. */
static struct json_doc *read_arguments(lua_State *L, int index, struct entry *entry,
                                       struct buf *names, struct error *err)
{
    struct buf *text = bind_buffer(L);

    if (lua_isnoneornil(L, index))
        buf_lit(text, "{}");
    else if (!value_write_json(L, index, text, err))
        return NULL;
    if (text->len == 2 && text->data[0] == '[') /* an empty list of arguments means none */
        memcpy(text->data, "{}", 2);
    return arguments_of(entry, buf_str(text), names, err);
}

/* Reads options.timeout in milliseconds. 0: not given. */
static uint64_t read_tool_timeout(lua_State *L, int options)
{
    static const char *const names[] = { "timeout", "from_text", NULL };
    double seconds = 0;

    bind_check_options(L, options, names);
    if (lua_istable(L, options)) {
        if (lua_getfield(L, options, "timeout") != LUA_TNIL) {
            seconds = luaL_checknumber(L, -1);
            luaL_argcheck(L, seconds > 0 && seconds <= 86400, options,
                          "timeout: more than 0, at most 86400 seconds");
        }
        lua_pop(L, 1);
    }
    return (uint64_t)ceil(seconds * 1000);
}

/* The buffer for the names if options.from_text is true; otherwise NULL. */
static struct buf *read_from_text(lua_State *L, int options)
{
    bool wanted = lua_istable(L, options) && lua_getfield(L, options, "from_text") != LUA_TNIL &&
                  lua_toboolean(L, -1);

    return wanted ? bind_buffer(L) : NULL;
}

static void on_tool_progress(void *arg, double done, double total, const char *message)
{
    const struct waiting *waiting = arg;

    waiting->reports->progress(waiting->reports->arg, done, total, message);
}

static void on_tool_log(void *arg, const char *level, const char *logger, lua_State *L, int data)
{
    const struct waiting *waiting = arg;

    waiting->reports->log(waiting->reports->arg, level, logger, L, data);
}

static bool on_tool_ask(void *arg, struct elicitation *elicitation, struct error *err)
{
    const struct waiting *waiting = arg;

    return waiting->reports->ask(sys_registry(task_lua(waiting->op.task)), elicitation, err);
}

static void on_unask(void *arg, struct elicitation *elicitation)
{
    const struct waiting *waiting = arg;

    waiting->reports->unask(elicitation);
}

static bool on_can(void *arg, int kind)
{
    const struct waiting *waiting = arg;

    return waiting->reports->can(kind);
}

static void add_reports(struct call_spec *spec, struct waiting *waiting)
{
    const struct tool_caller *caller = task_context(task_lua(spec->parent));

    if (!caller || !caller->reports || call_above(spec->parent))
        return;
    waiting->reports = caller->reports;
    spec->progress = caller->reports->progress ? on_tool_progress : NULL;
    spec->log = caller->reports->log ? on_tool_log : NULL;
    spec->print = caller->reports->print;
    if (!caller->reports->ask)
        return;
    spec->ask = on_tool_ask;
    spec->unask = on_unask;
    spec->can = on_can;
}

/* Parks the task. Without a call there was no memory for it: it cannot have ended, since this task
 * is running. */
static int park_or_fail(lua_State *L, struct op *op, const struct call *call,
                        const struct entry *entry)
{
    if (!call)
        return bind_fail(L, "memory", "%s failed: not enough memory", entry->name);
    return task_park(L, op);
}

/* Refuses calls that call one another until memory or time are used up. */
static bool may_nest(const struct task *task, const struct entry *entry, struct error *err)
{
    const struct call *call = call_above(task);

    if (call_depth(call) < NESTED_MAX)
        return true;
    return error_set(err, "too_deep", "%s is not called: %d calls are in one another already",
                     entry->name, NESTED_MAX);
}

int entry_call(lua_State *L, struct entry *entry, int args, int options, bool raw)
{
    struct call_spec spec = { .entry = entry,
                              .timeout_ms = read_tool_timeout(L, options),
                              .parent = task_here(L),
                              .done = on_tool_call_done };
    struct waiting *waiting = lua_newuserdatauv(L, sizeof *waiting, 0);
    struct buf *names = read_from_text(L, options);
    struct json_doc *doc;
    struct error err;

    *waiting = (struct waiting){ .op = { spec.parent, call_waiting_cancel, OP_CALL, entry->name },
                                 .raw = raw };
    doc = may_nest(spec.parent, entry, &err) ? read_arguments(L, args, entry, names, &err) : NULL;
    if (!doc) {
        tool_note_refused(sys_registry(L), entry->name, spec.parent, &err);
        return bind_error(L, &err);
    }
    if (names)
        snprintf(waiting->from_text, FROM_TEXT_MAX, "%.*s", (int)names->len,
                 names->len ? names->data : "");
    spec.args = json_root(doc);
    spec.arg = waiting;
    add_reports(&spec, waiting);
    waiting->call = call_start(vm_of(L), &spec);
    json_doc_free(doc);
    return park_or_fail(L, &waiting->op, waiting->call, entry);
}

static bool count_call(struct tool_caller *caller)
{
    if (!caller)
        return true;
    if (caller->most && caller->made >= caller->most)
        return false;
    caller->made++;
    return true;
}

static void unknown_tool(struct registry *registry, const char *name, struct error *err)
{
    error_set(err, "unknown_tool", "there is no tool '%s'%s", name,
              generation_nearest(registry_current(registry), ENTRY_TOOL, name).text);
}

/* The tool that the message about an unknown one names; NULL: none. */
static struct entry *named_in(struct registry *registry, const char *message)
{
    const char *mark = "did you mean '", *at = strstr(message, mark);
    char name[DISTANCE_NAME + 1];
    size_t len = at ? strcspn(at + strlen(mark), "'") : 0;

    if (!len || len > DISTANCE_NAME)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)len, at + strlen(mark));
    return generation_tool(registry_current(registry), name);
}

void tool_note_refused(struct registry *registry, const char *name, struct task *task,
                       const struct error *err)
{
    struct call *call = call_above(task);
    struct entry *entry = generation_tool(registry_current(registry), name);

    call_refused(&(struct call_refused){
        .tool = name, .caller = call_caller_of(task), .why = err->text, .code = err->code });
    if (!entry)
        entry = named_in(registry, err->text);
    if (!call || !entry || (entry->libs && !entry->foreign))
        return;
    call->from |= FROM_MOUNT;
    policy_runs_read(call, FROM_MOUNT, entry->libs ? NULL : entry->toolset, NULL);
}

struct entry *tool_take(struct registry *registry, const char *name, struct tool_caller *caller,
                        struct error *err)
{
    struct entry *entry = generation_tool(registry_current(registry), name);

    if (!entry)
        unknown_tool(registry, name, err);
    else if (!entry->here)
        error_set(err, "wrong_platform", "the tool '%s' is not for this platform", name);
    else if (!count_call(caller))
        error_set(err, "too_many_calls", "this script has used all its tool calls (limit: %u)",
                  caller->most);
    else if (entry_schemas(entry, err))
        return entry;
    return NULL;
}

int tool_call(lua_State *L, bool raw)
{
    struct error err;
    size_t len;
    const char *name = luaL_checklstring(L, 1, &len);
    struct entry *entry;

    luaL_argcheck(L, strlen(name) == len, 1, "a name without a NUL expected");
    entry = tool_take(sys_registry(L), name, task_context(L), &err);
    lua_settop(L, 3);
    if (entry)
        return entry_call(L, entry, 2, 3, raw);
    tool_note_refused(sys_registry(L), lua_tostring(L, 1), task_current(L), &err);
    return bind_error(L, &err);
}

/* --- reading ---------------------------------------------------------------------------- */

struct resource_wait {
    struct op op;
    struct call *call; /* NULL: it ended */
    char uri[];
};

static void resource_cancel(struct op *op)
{
    struct resource_wait *wait = container_of(op, struct resource_wait, op);
    struct call *call = wait->call;

    wait->call = NULL;
    if (call)
        call_cancel(call);
}

struct reading {
    const struct outcome *outcome;
    const char *uri;
};

/* Makes bytes of the blob of the content on top of the stack. */
static void decode_blob(lua_State *L)
{
    struct buf *bytes;
    struct str text;

    if (lua_getfield(L, -1, "blob") == LUA_TSTRING) { /* content, blob */
        text.ptr = lua_tolstring(L, -1, &text.len);
        bytes = bind_buffer(L); /* content, blob, bytes */
        if (base64_decode(bytes, text)) {
            lua_pushlstring(L, bytes->len ? bytes->data : "", bytes->len);
            lua_setfield(L, -4, "blob");
        }
        buf_free(bytes);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Called with (reading). */
static int push_contents(lua_State *L)
{
    const struct reading *reading = lua_touserdata(L, 1);
    struct json_limits limits = json_limits_default;
    struct json_doc **doc = bind_document(L);
    struct buf *out = bind_buffer(L);
    struct error err;

    limits.bytes = (size_t)4 * OUTCOME_BYTES;
    buf_addc(out, '{');
    if (contents_write(reading->outcome, str_from(reading->uri), out, &err)) {
        buf_addc(out, '}');
        *doc = json_parse(out->data, out->len, &limits, &err);
    }
    buf_free(out);
    if (!*doc)
        return bind_error(L, &err);
    value_push_json(L, json_get(json_root(*doc), "contents")); /* contents */
    json_doc_free(*doc);
    *doc = NULL;
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
        decode_blob(L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return 1;
}

static void on_resource_read(void *arg, const struct outcome *outcome)
{
    struct resource_wait *wait = arg;

    if (!wait->call)
        return; /* the reader was cancelled, or is told at once */
    wait->call = NULL;
    task_wake_with(&wait->op, push_contents, &(struct reading){ outcome, wait->uri });
}

/* True if the URI is one of this entry's. */
static bool entry_has_uri(const struct entry *entry, const char *uri, struct uri_values *values)
{
    return entry->template ? uri_template_match(entry->template, str_from(uri), values)
                           : strcmp(entry->uri, uri) == 0;
}

int entry_read(lua_State *L, struct entry *entry, int uri, int options)
{
    struct task *task = task_here(L);
    const char *wanted = luaL_checkstring(L, uri);
    uint64_t timeout_ms = read_tool_timeout(L, options);
    struct uri_values values = { 0 };
    struct entry_address address = { entry, wanted, &values };
    struct resource_wait *wait;

    wait = lua_newuserdatauv(L, sizeof *wait + strlen(wanted) + 1, 0);
    *wait = (struct resource_wait){ .op = { task, resource_cancel, "the resource", wait->uri } };
    memcpy(wait->uri, wanted, strlen(wanted) + 1);
    if (!entry_has_uri(entry, wanted, &values))
        return bind_fail(L, "not_found", "%s is not a URI of %s", wanted, entry->label);
    wait->call = call_start(vm_of(L), &(struct call_spec){ .entry = entry,
                                                           .push = entry_push_read,
                                                           .pushed = &address,
                                                           .with_call = entry->takes_call,
                                                           .uri = wanted,
                                                           .timeout_ms = timeout_ms,
                                                           .parent = task,
                                                           .done = on_resource_read,
                                                           .arg = wait });
    return park_or_fail(L, &wait->op, wait->call, entry);
}

/* --- tools.NAME{...} ------------------------------------------------------------------------ */

/* Called with (name, args, options). Returns a value, or nil, text, code. */
static int tool_call_raw(lua_State *L)
{
    return tool_call(L, true);
}

/* Called with (i). Returns the next index and the name of an entry of the current generation. */
static int next_tool(lua_State *L)
{
    const struct generation *generation = registry_current(sys_registry(L));

    for (lua_Integer i = luaL_checkinteger(L, 1); i < (lua_Integer)generation->count; i++) {
        const struct entry *entry = generation->entries[i];

        if (!entry_offered(entry))
            continue;
        lua_pushinteger(L, i + 1);
        lua_pushstring(L, entry->name);
        return 2;
    }
    return 0;
}

lua_CFunction tools_call_function(void)
{
    return tool_call_raw;
}

void tools_push(lua_State *L, bool raises)
{
    lua_pushcfunction(L, next_tool);
    purity_add(L); /* the list of tools follows from other files */
    tools_table_push(L, tool_call_raw, next_tool, raises);
}
