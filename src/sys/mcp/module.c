/* sys.mcp -- other servers' tools, prompts and resources: the methods of a client, and the table of
 * them. The differences between the eras are settled here, so that scripts need not know which era
 * they speak. */
#include <lauxlib.h>

#include "json/document.h"
#include "json/writer.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/mcp/waiting.h"
#include "sys/sys.h"

static void add_text_param(lua_State *L, int index, struct buf *out, const char *key)
{
    size_t len;
    const char *text = luaL_checklstring(L, index, &len);

    buf_addf(out, "\"%s\":", key);
    json_write_string(out, text, len);
}

static int push_true(lua_State *L)
{
    lua_pushboolean(L, 1);
    return 1;
}

static struct client *running_client(lua_State *L, struct error *err)
{
    struct mcp_connection *connection = mcp_connection_check(L);

    if (!connection->client)
        error_set(err, "closed", "%s", connection->why.text);
    return connection->client;
}

/* --- tools and prompts ------------------------------------------------------------- */

/* Writes `{"name":NAME`, then `,"arguments":{...}` if there is a table at index 3, then `}`. */
static void write_named(lua_State *L, struct buf *out)
{
    size_t len;
    const char *name = luaL_checklstring(L, 2, &len);

    buf_lit(out, "{\"name\":");
    json_write_string(out, name, len);
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        buf_lit(out, ",\"arguments\":");
        mcp_write_object(L, 3, out);
    }
    buf_addc(out, '}');
}

/* client:call(name [, arguments [, options]]) -> result | nil, text, code, data */
static int method_call(lua_State *L)
{
    struct mcp_waiting *waiting;

    lua_settop(L, 4);
    waiting = mcp_wait(L, mcp_push_call);
    write_named(L, &waiting->params);
    return mcp_ask(L, waiting, "tools/call", 4);
}

/* Sets t.parameter_order of the tool on top, since a Lua table forgets the order of its keys. */
static void set_parameter_order(lua_State *L, const cJSON *tool)
{
    const cJSON *properties = json_given(json_given(tool, "inputSchema"), "properties");
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

/* Called with (list of tools). Pushes the list, each tool with `parameter_order`. */
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

/* client:list_tools() -> tools | nil, text, code, data */
static int method_list_tools(lua_State *L)
{
    return mcp_list(L, "tools/list", "tools", push_tools);
}

/* client:list_prompts() -> prompts | nil, text, code, data */
static int method_list_prompts(lua_State *L)
{
    return mcp_list(L, "prompts/list", "prompts", mcp_push_plain);
}

/* client:get_prompt(name [, arguments]) -> result | nil, text, code, data */
static int method_get_prompt(lua_State *L)
{
    struct mcp_waiting *waiting;

    lua_settop(L, 4);
    waiting = mcp_wait(L, mcp_push_plain);
    write_named(L, &waiting->params);
    return mcp_ask(L, waiting, "prompts/get", 4);
}

/* client:request(method [, params [, options]]) -> result | nil, text, code, data */
static int method_request(lua_State *L)
{
    struct mcp_waiting *waiting;
    const char *method;

    lua_settop(L, 4);
    waiting = mcp_wait(L, mcp_push_plain);
    method = luaL_checkstring(L, 2);
    if (!lua_isnil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        mcp_write_object(L, 3, &waiting->params);
    }
    return mcp_ask(L, waiting, method, 4);
}

/* --- resources -------------------------------------------------------------------- */

/* client:list_resources() -> resources | nil, text, code, data */
static int method_list_resources(lua_State *L)
{
    return mcp_list(L, "resources/list", "resources", mcp_push_plain);
}

static int push_text(lua_State *L)
{
    struct buf *text = bind_buffer(L);

    json_write(text, lua_touserdata(L, 1));
    lua_pushlstring(L, text->data, text->len);
    return 1;
}

/* client:definitions([list]) -> JSON text | nil, text, code, data, number */
static int method_definitions(lua_State *L)
{
    static const char *const names[] = { "tools", "prompts", "resources", "templates", NULL };
    static const char *const methods[] = { "tools/list", "prompts/list", "resources/list",
                                           "resources/templates/list" };
    static const char *const keys[] = { "tools", "prompts", "resources", "resourceTemplates" };
    int list = luaL_checkoption(L, 2, "tools", names);

    return mcp_list(L, methods[list], keys[list], push_text);
}

/* client:list_templates() -> templates | nil, text, code, data */
static int method_list_templates(lua_State *L)
{
    return mcp_list(L, "resources/templates/list", "resourceTemplates", mcp_push_plain);
}

/* Asks with {"uri":...}. The uri is at index 2, the options are at 3. */
static int ask_of_uri(lua_State *L, const char *method, lua_CFunction push)
{
    struct mcp_waiting *waiting;

    lua_settop(L, 3);
    waiting = mcp_wait(L, push);
    buf_addc(&waiting->params, '{');
    add_text_param(L, 2, &waiting->params, "uri");
    buf_addc(&waiting->params, '}');
    return mcp_ask(L, waiting, method, 3);
}

/* client:read(uri [, options]) -> result | nil, text, code, data */
static int method_read(lua_State *L)
{
    return ask_of_uri(L, "resources/read", mcp_push_plain);
}

static int subscribe_uri(lua_State *L, bool on, const char *method)
{
    const char *uri = luaL_checkstring(L, 2);
    struct error err;
    struct client *client = running_client(L, &err);

    if (!client || !client_subscribe(client, uri, on, &err))
        return bind_error(L, &err);
    if (client_era(client) == CLIENT_LEGACY)
        return ask_of_uri(L, method, push_true);
    return push_true(L);
}

/* client:subscribe(uri) -> true | nil, text, code, data */
static int method_subscribe(lua_State *L)
{
    return subscribe_uri(L, true, "resources/subscribe");
}

/* client:unsubscribe(uri) -> true | nil, text, code, data */
static int method_unsubscribe(lua_State *L)
{
    return subscribe_uri(L, false, "resources/unsubscribe");
}

/* --- completion ------------------------------------------------------------------- */

static int push_completion(lua_State *L)
{
    const cJSON *result = lua_touserdata(L, 1);
    const cJSON *completion = json_given(result, "completion");

    value_push_json(L, cJSON_IsObject(completion) ? completion : result);
    return 1;
}

static void write_reference(lua_State *L, struct buf *out)
{
    static const char *const names[] = { "prompt", "resource", NULL };
    bool prompt = lua_getfield(L, 2, "prompt") == LUA_TSTRING;

    bind_check_fields(L, 2, names);
    if (!prompt && lua_getfield(L, 2, "resource") != LUA_TSTRING)
        luaL_argerror(L, 2, "expected {prompt = NAME} or {resource = URI}");
    buf_addf(out, "{\"ref\":{\"type\":\"ref/%s\",", prompt ? "prompt" : "resource");
    add_text_param(L, lua_gettop(L), out, prompt ? "name" : "uri");
    buf_addc(out, '}');
}

/* client:complete(reference, argument, value [, others]) -> completion | nil, text, code, data */
static int method_complete(lua_State *L)
{
    struct mcp_waiting *waiting;

    lua_settop(L, 5);
    waiting = mcp_wait(L, push_completion);
    luaL_checktype(L, 2, LUA_TTABLE);
    write_reference(L, &waiting->params);
    buf_lit(&waiting->params, ",\"argument\":{");
    add_text_param(L, 3, &waiting->params, "name");
    buf_addc(&waiting->params, ',');
    add_text_param(L, 4, &waiting->params, "value");
    buf_addc(&waiting->params, '}');
    if (!lua_isnil(L, 5)) {
        luaL_checktype(L, 5, LUA_TTABLE);
        buf_lit(&waiting->params, ",\"context\":{\"arguments\":");
        mcp_write_object(L, 5, &waiting->params);
        buf_addc(&waiting->params, '}');
    }
    buf_addc(&waiting->params, '}');
    lua_settop(L, 6); /* the struct that waits stays on the stack */
    lua_pushnil(L);
    return mcp_ask(L, waiting, "completion/complete", 7);
}

/* --- the rest --------------------------------------------------------------------- */

/* client:log_level(level) -> true | nil, text, code, data */
static int method_log_level(lua_State *L)
{
    static const char *const levels[] = { "debug",    "info",  "notice",    "warning", "error",
                                          "critical", "alert", "emergency", NULL };
    const char *level = levels[luaL_checkoption(L, 2, NULL, levels)];
    struct mcp_waiting *waiting;
    struct error err;
    struct client *client = running_client(L, &err);

    if (!client)
        return bind_error(L, &err);
    if (client_era(client) == CLIENT_MODERN) { /* each request carries the level */
        client_set_log_level(client, level);
        return push_true(L);
    }
    lua_settop(L, 3);
    waiting = mcp_wait(L, push_true);
    buf_addf(&waiting->params, "{\"level\":\"%s\"}", level);
    return mcp_ask(L, waiting, "logging/setLevel", 3);
}

/* client:ping([options]) -> true | nil, text, code; modern servers know no ping */
static int method_ping(lua_State *L)
{
    struct mcp_waiting *waiting;
    struct error err;
    struct client *client = running_client(L, &err);

    if (!client)
        return bind_error(L, &err);
    lua_settop(L, 2);
    waiting = mcp_wait(L, push_true);
    return mcp_ask(L, waiting, client_era(client) == CLIENT_MODERN ? "server/discover" : "ping", 2);
}

/* --- the module -------------------------------------------------------------------- */

static const luaL_Reg client_methods[] = { { "call", method_call },
                                           { "close", mcp_connection_close },
                                           { "complete", method_complete },
                                           { "definitions", method_definitions },
                                           { "get_prompt", method_get_prompt },
                                           { "list_prompts", method_list_prompts },
                                           { "list_resources", method_list_resources },
                                           { "list_templates", method_list_templates },
                                           { "list_tools", method_list_tools },
                                           { "log_level", method_log_level },
                                           { "ping", method_ping },
                                           { "read", method_read },
                                           { "request", method_request },
                                           { "running", mcp_connection_running },
                                           { "subscribe", method_subscribe },
                                           { "unsubscribe", method_unsubscribe },
                                           { "wait", mcp_connection_wait },
                                           { NULL, NULL } };

static const luaL_Reg mcp_funcs[] = { { "connect", mcp_connect }, { NULL, NULL } };

int luaopen_sys_mcp(lua_State *L)
{
    mcp_connection_init(L, client_methods);
    mcp_waiting_init(L);
    luaL_newlib(L, mcp_funcs);
    return 1;
}
