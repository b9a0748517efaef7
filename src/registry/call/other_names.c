#include "registry/call/other_names.h"

#include <lauxlib.h>

#include "base/buf.h"
#include "json/document.h"
#include "json/equal.h"
#include "json/schema/schema.h"
#include "json/writer.h"

enum { VALUE_SHOWN_MAX = 80 };

static const char *other_name(const cJSON *property)
{
    return cJSON_GetStringValue(json_get(property, SCHEMA_ALSO));
}

static void add_value(struct buf *out, const cJSON *value)
{
    struct buf text = { 0 };

    json_write(&text, value);
    if (text.len > VALUE_SHOWN_MAX)
        buf_lit(out, "a long value");
    else
        buf_add(out, text.data, text.len);
    buf_free(&text);
}

static bool differ(const char *own, const cJSON *value, const cJSON *other, struct error *err)
{
    struct buf text = { 0 };

    buf_addf(&text, "%s is ", own);
    add_value(&text, value);
    buf_addf(&text, " and %s is ", other->string);
    add_value(&text, other);
    buf_addf(&text, ", but both name the same parameter. Pass only %s", own);
    error_set(err, "invalid_arguments", "%s", buf_text(&text));
    buf_free(&text);
    return false;
}

/* Renames the argument `other` to `own`. */
static bool settle_one(cJSON *args, const char *own, const char *other, bool *changed,
                       struct error *err)
{
    cJSON *given = (cJSON *)json_get(args, other), *known = (cJSON *)json_get(args, own);

    if (!given)
        return true;
    *changed = true;
    if (!known || cJSON_IsNull(known)) { /* serializers write null for what is not set */
        if (known)
            json_take_out(args, known);
        json_rename(given, own);
        return true;
    }
    if (!cJSON_IsNull(given) && !json_equal(given, known))
        return differ(own, known, given, err);
    json_take_out(args, given);
    return true;
}

bool other_names_settle(cJSON *args, const cJSON *schema, bool *changed, struct error *err)
{
    const cJSON *properties = json_get(schema, "properties"), *property;

    *changed = false;
    cJSON_ArrayForEach (property, properties) {
        const char *other = other_name(property);

        if (other && !json_get(properties, other) &&
            !settle_one(args, property->string, other, changed, err))
            return false;
    }
    return true;
}

void other_names_push(lua_State *L, const cJSON *schema)
{
    const cJSON *property;

    luaL_checkstack(L, 3, NULL);
    lua_pushnil(L); /* names */
    cJSON_ArrayForEach (property, json_get(schema, "properties")) {
        const char *other = other_name(property);

        if (!other)
            continue;
        if (lua_isnil(L, -1)) {
            lua_newtable(L);
            lua_replace(L, -2);
        }
        lua_pushstring(L, property->string); /* names[other] = own */
        lua_setfield(L, -2, other);
    }
}
