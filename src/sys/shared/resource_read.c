/* Reading a resource from Lua: the reader's task waits for the call of its read(). */
#include <lauxlib.h>
#include <stdlib.h>

#include "base/base64.h"
#include "registry/call/contents.h"
#include "registry/call/outcome.h"
#include "script/value.h"
#include "sys/shared/tool_call.h"

struct reading {
    struct op op;
    struct call *call; /* NULL: it ended */
    char uri[];
};

static void reading_cancel(struct op *op)
{
    struct reading *reading = container_of(op, struct reading, op);
    struct call *call = reading->call;

    reading->call = NULL;
    if (call)
        call_cancel(call);
}

/* The blob of the content on top of the stack becomes bytes again. */
static void decode_blob(lua_State *L)
{
    struct buf bytes = { 0 };
    struct str text;

    if (lua_getfield(L, -1, "blob") == LUA_TSTRING) { /* content, blob */
        text.ptr = lua_tolstring(L, -1, &text.len);
        if (base64_decode(&bytes, text)) {
            lua_pushlstring(L, bytes.len ? bytes.data : "", bytes.len);
            lua_setfield(L, -3, "blob");
        }
        buf_free(&bytes);
    }
    lua_pop(L, 1);
}

static int push_contents(lua_State *L, const struct outcome *outcome, const char *uri)
{
    struct json_limits limits = json_limits_default;
    struct buf out = { 0 };
    struct json_doc *doc = NULL;
    struct error err;

    limits.bytes = (size_t)4 * OUTCOME_BYTES;
    buf_addc(&out, '{');
    if (contents_write(outcome, str_from(uri), &out, &err)) {
        buf_addc(&out, '}');
        doc = json_parse(out.data, out.len, &limits, &err);
    }
    buf_free(&out);
    if (!doc)
        return bind_error(L, &err);
    value_push_json(L, json_get(json_root(doc), "contents")); /* contents */
    json_doc_free(doc);
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
        decode_blob(L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return 1;
}

static void on_read(void *arg, const struct outcome *outcome)
{
    struct reading *reading = arg;
    lua_State *L = task_lua(reading->op.task);

    if (!reading->call)
        return; /* the reader was cancelled */
    reading->call = NULL;
    if (lua_checkstack(L, 16))
        task_wake(&reading->op, push_contents(L, outcome, reading->uri));
}

/* Pushes read, uri, params. False: the URI is none of this entry's, and nothing was pushed. */
static bool push_function(lua_State *L, struct entry *entry, const char *uri)
{
    struct uri_values values = { 0 };

    if (entry->template ? !uri_template_match(entry->template, str_from(uri), &values)
                        : strcmp(entry->uri, uri) != 0)
        return false;
    entry_push_run(entry, L);
    lua_pushstring(L, uri);
    entry_push_values(entry, L, &values);
    return true;
}

int lua_read_entry(lua_State *L, struct entry *entry, int uri, int options)
{
    struct task *task = task_here(L);
    const char *wanted = luaL_checkstring(L, uri);
    uint64_t timeout_ms = lua_read_timeout(L, options);
    struct reading *reading;

    reading = lua_newuserdatauv(L, sizeof *reading + strlen(wanted) + 1, 0);
    *reading = (struct reading){ .op = { task, reading_cancel } };
    memcpy(reading->uri, wanted, strlen(wanted) + 1);
    if (!push_function(L, entry, wanted))
        return bind_fail(L, "not_found", "%s is no URI of %s", wanted, entry->label);
    reading->call = call_start(L, &(struct call_spec){ .entry = entry,
                                                       .pushed = 3,
                                                       .with_call = entry->takes_call,
                                                       .timeout_ms = timeout_ms,
                                                       .parent = task,
                                                       .done = on_read,
                                                       .arg = reading });
    return task_park(L, &reading->op);
}

/* sys.engine.read(uri [, options]) */
int engine_read(lua_State *L)
{
    const char *uri = luaL_checkstring(L, 1);
    struct uri_values values;
    struct entry *entry =
        generation_resource(registry_current(sys_registry(L)), str_from(uri), &values);

    lua_settop(L, 2);
    if (!entry)
        return bind_fail(L, "not_found", "there is no resource %s", uri);
    return lua_read_entry(L, entry, 1, 2);
}
