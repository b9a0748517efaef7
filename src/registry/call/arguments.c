#include "registry/call/arguments.h"

#include <lauxlib.h>

#include "json/schema/schema.h"
#include "registry/call/gate.h"
#include "script/value.h"

enum { BORDER_MS = 2000 }; /* for arguments as large as a message may be */

/* A visit to lua/lib/border/arguments.lua. */
struct visit {
    struct entry *entry;
    struct caller *caller;
    const cJSON *args;
    struct buf *names, out;
    lua_Integer step;
    struct error *err;
};

/* (visit) */
static int visit_border(lua_State *L)
{
    struct visit *visit = lua_touserdata(L, 1);
    int order;

    if (!gate_push_border(L, false))
        return 0;
    lua_pushinteger(L, visit->step);
    lua_createtable(L, 0, 5);        /* border, step, given */
    value_push_json(L, visit->args); /* border, step, given, args */
    order = value_push_order(L, -1); /* border, step, given, args, order? */
    if (order)
        lua_setfield(L, -3, "order");
    lua_setfield(L, -2, "args");
    value_push_json(L, json_get(entry_definition(visit->entry), "inputSchema"));
    lua_setfield(L, -2, "schema");
    if (visit->caller) {
        caller_push(visit->caller, L);
        lua_setfield(L, -2, "caller");
    }
    lua_pushboolean(L, visit->names != NULL);
    lua_setfield(L, -2, "client");
    lua_call(L, 2, 3); /* args, step, names | nil, text, code | false */
    if (lua_isnil(L, -3))
        error_set(visit->err, luaL_checkstring(L, -1), "%s", luaL_checkstring(L, -2));
    if (!lua_istable(L, -3) || !value_write_json(L, -3, &visit->out, visit->err))
        return 0;
    visit->step = lua_tointeger(L, -2);
    if (!lua_isnil(L, -1)) {
        buf_adds(visit->names, visit->names->len ? ", " : "");
        buf_adds(visit->names, lua_tostring(L, -1));
    }
    return 0;
}

/* Puts a document in the place of *read. False: err stays, or says more. */
static bool prepare(struct visit *visit, const cJSON **args, struct json_doc **read)
{
    struct vm *vm = visit->entry->vm;
    struct json_doc *doc = NULL;

    visit->args = *args;
    lua_pushcfunction(vm_lua(vm), visit_border);
    lua_pushlightuserdata(vm_lua(vm), visit);
    if (vm_call(vm, 1, 0, BORDER_MS, visit->err))
        doc = json_parse(visit->out.data, visit->out.len, NULL, NULL);
    buf_free(&visit->out);
    if (!doc)
        return false;
    json_doc_free(*read);
    *read = doc;
    *args = json_root(doc);
    return true;
}

bool arguments_refer(const cJSON *args)
{
    static const char mark[] = "@@ref_";
    const cJSON *each;

    if (cJSON_IsString(args))
        return strstr(args->valuestring, mark) != NULL;
    cJSON_ArrayForEach (each, args)
        if (arguments_refer(each))
            return true;
    return false;
}

int arguments_push_references(lua_State *L, const void *pushed)
{
    const struct arguments_given *given = pushed;

    if (!gate_push_border(L, true))
        return luaL_error(L, "there is no gate");
    value_push_json(L, given->args);
    value_push_json(L, json_get(entry_definition(given->entry), "inputSchema"));
    lua_pushstring(L, given->entry->name);
    return 4;
}

bool arguments_take(struct entry *entry, struct caller *caller, const cJSON **args,
                    struct json_doc **read, struct buf *names, struct error *err)
{
    cJSON none = { .type = cJSON_Object };
    struct visit visit = { entry, caller, .names = names, .step = 1, .err = err };

    *read = NULL;
    if (!entry_schemas(entry, err))
        return false;
    while (entry->input && !schema_check(entry->input, *args ? *args : &none, err))
        if (!*args || !prepare(&visit, args, read))
            return false;
    return true;
}
