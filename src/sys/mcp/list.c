/* sys.mcp -- lists, put together from their pages. */
#include <lauxlib.h>

#include "script/task.h"
#include "script/value.h"
#include "sys/mcp/connection.h"
#include "json/document.h"
#include "json/writer.h"

enum { LIST_MAX = 64 * 1024 * 1024 }; /* bytes of all pages together */

/* Sets t.parameter_order, for the tool on top: a Lua table forgets the order of its keys. */
static void set_parameter_order(lua_State *L, const cJSON *tool)
{
    const cJSON *properties = json_get(json_get(tool, "inputSchema"), "properties");
    const cJSON *property;
    lua_Integer n = 0;

    lua_newtable(L); /* t, order */
    cJSON_ArrayForEach (property, properties) {
        struct str name = json_name(property);

        lua_pushlstring(L, name.ptr, name.len);
        lua_rawseti(L, -2, ++n);
    }
    value_mark_array(L, -1);
    lua_setfield(L, -2, "parameter_order");
}

/* (list of tools) -> the same, each with `parameter_order` */
static int push_tools(lua_State *L)
{
    const cJSON *tools = lua_touserdata(L, 1);
    const cJSON *tool;
    lua_Integer n = 0;

    value_push_json(L, tools); /* list */
    cJSON_ArrayForEach (tool, tools) {
        if (lua_rawgeti(L, -1, ++n) == LUA_TTABLE) /* list, t */
            set_parameter_order(L, tool);
        lua_pop(L, 1);
    }
    return 1;
}

static void on_page(void *arg, const cJSON *items)
{
    struct lua_mcp_waiting *waiting = arg;
    static const struct error too_large = { "too_large", "the server's list is larger than 64 MB" };
    const cJSON *item;

    cJSON_ArrayForEach (item, items) {
        if (waiting->items.len > 1)
            buf_addc(&waiting->items, ',');
        json_write(&waiting->items, item);
    }
    if (waiting->items.len <= LIST_MAX)
        return;
    client_list_cancel(waiting->listing);
    lua_mcp_wake(waiting, lua_mcp_push_failure, &(struct client_answer){ .error = &too_large }, 5);
}

static void on_list_done(void *arg, const struct client_answer *answer)
{
    struct json_limits limits = { SIZE_MAX, VALUE_DEPTH, 10000000 };
    struct lua_mcp_waiting *waiting = arg;
    struct client_answer failure = { 0 };
    struct json_doc *doc = NULL;
    struct error err;

    buf_addc(&waiting->items, ']');
    if (answer->result)
        doc = json_parse(waiting->items.data, waiting->items.len, &limits, &err);
    if (!doc && answer->result) {
        failure.error = &err;
        answer = &failure;
    }
    if (doc)
        lua_mcp_wake(waiting, waiting->push, json_root(doc), 1);
    else
        lua_mcp_wake(waiting, lua_mcp_push_failure, answer, 5);
    json_doc_free(doc);
    buf_free(&waiting->items);
}

int lua_mcp_list(lua_State *L, const char *method, const char *key, lua_CFunction push)
{
    static const struct client_list_callbacks callbacks = { on_page, on_list_done };
    struct lua_mcp_waiting *waiting;
    struct client *client;
    struct error err;

    lua_settop(L, 1);
    waiting = lua_mcp_wait(L, push);
    buf_addc(&waiting->items, '[');
    luaL_checkstack(L, 10, "no room");
    client = lua_mcp_client(waiting, &err);
    if (client)
        waiting->listing = client_list(client, method, key, NULL, &callbacks, waiting, &err);
    return waiting->listing ? task_park(L, &waiting->op) : bind_error(L, &err);
}

/* client:list_tools() -> tools | nil, text, code, data */
int mcp_client_list_tools(lua_State *L)
{
    return lua_mcp_list(L, "tools/list", "tools", push_tools);
}

/* client:list_prompts() -> prompts | nil, text, code, data */
int mcp_client_list_prompts(lua_State *L)
{
    return lua_mcp_list(L, "prompts/list", "prompts", lua_mcp_push_plain);
}
