/* One walk along the arguments and the defaults that they get, so it is as deep as the schema. */
#include "registry/call/defaults.h"

#include <lauxlib.h>

#include "json/document.h"
#include "script/value.h"

static void fill_items(lua_State *L, int index, const cJSON *schema)
{
    lua_Integer count = cJSON_IsObject(schema) ? (lua_Integer)lua_rawlen(L, index) : 0;

    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, index, i); /* item */
        defaults_fill(L, lua_gettop(L), schema);
        lua_pop(L, 1);
    }
}

void defaults_fill(lua_State *L, int index, const cJSON *schema)
{
    const cJSON *property;

    if (!lua_istable(L, index))
        return;
    luaL_checkstack(L, 8, "the arguments are nested too deep");
    fill_items(L, index, json_get(schema, "items"));
    cJSON_ArrayForEach (property, json_get(schema, "properties")) {
        const cJSON *value = json_get(property, "default");
        struct str name = json_name(property);

        lua_pushlstring(L, name.ptr, name.len); /* name */
        lua_pushvalue(L, -1);
        lua_rawget(L, index); /* name, given */
        if (lua_isnil(L, -1) && value) {
            lua_pop(L, 1);
            value_push_json(L, value); /* name, default */
            lua_pushvalue(L, -2);
            lua_pushvalue(L, -2);
            lua_rawset(L, index);
        }
        defaults_fill(L, lua_gettop(L), property);
        lua_pop(L, 2);
    }
}
