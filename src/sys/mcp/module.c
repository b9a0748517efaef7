/* sys.mcp -- resources, completion, levels of logging, pings. What differs between
 * the eras is settled here, so that scripts need not know which they speak. */
#include <lauxlib.h>

#include "script/bind.h"
#include "script/value.h"
#include "sys/mcp/connection.h"
#include "json/document.h"
#include "json/writer.h"

static void add_text(lua_State *L, int index, struct buf *out, const char *key)
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

static struct client *open_client(lua_State *L, struct error *err)
{
    struct lua_mcp *session = lua_mcp_check(L);

    if (!session->client)
        error_set(err, "closed", "%s", session->why.text);
    return session->client;
}

/* --- resources -------------------------------------------------------------------- */

/* client:list_resources() -> resources | nil, text, code, data */
int mcp_client_list_resources(lua_State *L)
{
    return lua_mcp_list(L, "resources/list", "resources", lua_mcp_push_plain);
}

static int push_text(lua_State *L)
{
    struct buf *text = bind_buffer(L);

    json_write(text, lua_touserdata(L, 1));
    lua_pushlstring(L, text->data, text->len);
    return 1;
}

/* client:definitions([list]) -> JSON text | nil, text, code, data, number */
int mcp_client_definitions(lua_State *L)
{
    static const char *const names[] = { "tools", "prompts", "resources", "templates", NULL };
    static const char *const methods[] = { "tools/list", "prompts/list", "resources/list",
                                           "resources/templates/list" };
    static const char *const keys[] = { "tools", "prompts", "resources", "resourceTemplates" };
    int list = luaL_checkoption(L, 2, "tools", names);

    return lua_mcp_list(L, methods[list], keys[list], push_text);
}

/* client:list_templates() -> templates | nil, text, code, data */
int mcp_client_list_templates(lua_State *L)
{
    return lua_mcp_list(L, "resources/templates/list", "resourceTemplates", lua_mcp_push_plain);
}

/* {"uri":...} with the uri at index 2; options at 3 */
static int ask_of_uri(lua_State *L, const char *method, lua_CFunction push)
{
    struct lua_mcp_waiting *waiting;

    lua_settop(L, 3);
    waiting = lua_mcp_wait(L, push);
    buf_addc(&waiting->params, '{');
    add_text(L, 2, &waiting->params, "uri");
    buf_addc(&waiting->params, '}');
    return lua_mcp_ask(L, waiting, method, 3);
}

/* client:read(uri [, options]) -> result | nil, text, code, data */
int mcp_client_read(lua_State *L)
{
    return ask_of_uri(L, "resources/read", lua_mcp_push_plain);
}

static int subscribe(lua_State *L, bool on, const char *method)
{
    const char *uri = luaL_checkstring(L, 2);
    struct error err;
    struct client *client = open_client(L, &err);

    if (!client || !client_subscribe(client, uri, on, &err))
        return bind_error(L, &err);
    if (client_era(client) == CLIENT_LEGACY)
        return ask_of_uri(L, method, push_true);
    return push_true(L);
}

/* client:subscribe(uri) -> true | nil, text, code, data */
int mcp_client_subscribe(lua_State *L)
{
    return subscribe(L, true, "resources/subscribe");
}

/* client:unsubscribe(uri) -> true | nil, text, code, data */
int mcp_client_unsubscribe(lua_State *L)
{
    return subscribe(L, false, "resources/unsubscribe");
}

/* --- completion ------------------------------------------------------------------- */

static int push_completion(lua_State *L)
{
    const cJSON *result = lua_touserdata(L, 1);
    const cJSON *completion = json_get(result, "completion");

    value_push_json(L, cJSON_IsObject(completion) ? completion : result);
    return 1;
}

static void write_reference(lua_State *L, struct buf *out)
{
    bool prompt = lua_getfield(L, 2, "prompt") == LUA_TSTRING;

    if (!prompt && lua_getfield(L, 2, "resource") != LUA_TSTRING)
        luaL_argerror(L, 2, "expected {prompt = NAME} or {resource = URI}");
    buf_addf(out, "{\"ref\":{\"type\":\"ref/%s\",", prompt ? "prompt" : "resource");
    add_text(L, lua_gettop(L), out, prompt ? "name" : "uri");
    buf_addc(out, '}');
}

/* client:complete(reference, argument, value [, others]) -> completion | nil, text, code, data */
int mcp_client_complete(lua_State *L)
{
    struct lua_mcp_waiting *waiting;

    lua_settop(L, 5);
    waiting = lua_mcp_wait(L, push_completion);
    luaL_checktype(L, 2, LUA_TTABLE);
    write_reference(L, &waiting->params);
    buf_lit(&waiting->params, ",\"argument\":{");
    add_text(L, 3, &waiting->params, "name");
    buf_addc(&waiting->params, ',');
    add_text(L, 4, &waiting->params, "value");
    buf_addc(&waiting->params, '}');
    if (!lua_isnil(L, 5)) {
        luaL_checktype(L, 5, LUA_TTABLE);
        buf_lit(&waiting->params, ",\"context\":{\"arguments\":");
        lua_mcp_write_object(L, 5, &waiting->params);
        buf_addc(&waiting->params, '}');
    }
    buf_addc(&waiting->params, '}');
    lua_settop(L, 6); /* the waiting one stays on the stack */
    lua_pushnil(L);
    return lua_mcp_ask(L, waiting, "completion/complete", 7);
}

/* --- the rest --------------------------------------------------------------------- */

/* client:log_level(level) -> true | nil, text, code, data */
int mcp_client_log_level(lua_State *L)
{
    static const char *const levels[] = { "debug",    "info",  "notice",    "warning", "error",
                                          "critical", "alert", "emergency", NULL };
    const char *level = levels[luaL_checkoption(L, 2, NULL, levels)];
    struct lua_mcp_waiting *waiting;
    struct error err;
    struct client *client = open_client(L, &err);

    if (!client)
        return bind_error(L, &err);
    if (client_era(client) == CLIENT_MODERN) { /* each request carries it */
        client_set_log_level(client, level);
        return push_true(L);
    }
    lua_settop(L, 3);
    waiting = lua_mcp_wait(L, push_true);
    buf_addf(&waiting->params, "{\"level\":\"%s\"}", level);
    return lua_mcp_ask(L, waiting, "logging/setLevel", 3);
}

/* client:ping([options]) -> true | nil, text, code; modern servers know no ping */
int mcp_client_ping(lua_State *L)
{
    struct lua_mcp_waiting *waiting;
    struct error err;
    struct client *client = open_client(L, &err);

    if (!client)
        return bind_error(L, &err);
    lua_settop(L, 2);
    waiting = lua_mcp_wait(L, push_true);
    return lua_mcp_ask(L, waiting, client_era(client) == CLIENT_MODERN ? "server/discover" : "ping",
                       2);
}
