/* What `perigee mcp` shares with `perigee call`, for its Lua. */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "cli/arguments.h"
#include "cli/commands/mcp.h"
#include "cli/nearest.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/render.h"
#include "files/file.h"
#include "script/bind.h"
#include "script/value.h"
#include "json/document.h"
#include "json/writer.h"

static struct json_doc *parse(lua_State *L, int index, struct error *err)
{
    struct json_limits limits = { (size_t)1 << 30, 2 * VALUE_DEPTH, 10000000 };
    size_t len;
    const char *text = luaL_checklstring(L, index, &len);

    return json_parse(text, len, &limits, err);
}

/* arguments(schema, words, base) */
static int helper_arguments(lua_State *L)
{
    const char *base = luaL_optstring(L, 3, NULL);
    struct buf *out = bind_buffer(L);
    struct arguments arguments;
    struct json_doc *schema;
    struct error err;
    bool ok = true;

    luaL_checktype(L, 2, LUA_TTABLE);
    schema = parse(L, 1, &err);
    if (!schema)
        return bind_error(L, &err);
    arguments_init(&arguments, json_root(schema));
    if (base)
        ok = arguments_read(&arguments, base, &err);
    for (lua_Integer i = 1; ok && lua_rawgeti(L, 2, i) == LUA_TSTRING; i++) {
        ok = arguments_add(&arguments, lua_tostring(L, -1), &err);
        lua_pop(L, 1);
    }
    if (ok)
        json_write(out, arguments.object);
    arguments_free(&arguments);
    json_doc_free(schema);
    if (!ok)
        return bind_error(L, &err);
    lua_pushlstring(L, out->data, out->len);
    return 1;
}

static int helper_complain(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);

    output_flush(); /* what was printed comes first where both go to one place */
    if (lua_toboolean(L, 2))
        output_error_text(text, len);
    else
        output_message("mcp", "%s", text);
    return 0;
}

static int helper_progress(lua_State *L)
{
    if (lua_isnoneornil(L, 1))
        progress_clear();
    else
        progress_show(luaL_checknumber(L, 1), luaL_optnumber(L, 2, NAN),
                      luaL_optstring(L, 3, NULL));
    return 0;
}

static int helper_render(lua_State *L)
{
    struct error err;
    struct json_doc *doc = parse(L, 1, &err);

    if (!doc)
        return bind_error(L, &err);
    render_result(json_root(doc), stdout);
    json_doc_free(doc);
    return 0;
}

/* save(result, path); "-" is stdout */
static int helper_save(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    struct buf *bytes = bind_buffer(L);
    struct error err;
    struct json_doc *doc = parse(L, 1, &err);
    const char *mime;
    bool ok;

    if (!doc)
        return bind_error(L, &err);
    ok = render_binary(json_root(doc), bytes, &mime);
    json_doc_free(doc);
    if (!ok)
        return bind_fail(L, "nothing",
                         "it gave no picture, sound or file; --output has nothing to save");
    if (strcmp(path, "-") == 0)
        ok = fwrite(bytes->data, 1, bytes->len, stdout) == bytes->len ||
             error_set(&err, "io_error", "stdout cannot be written");
    else
        ok = file_write_atomic(path, bytes->data, bytes->len, 0, &err);
    if (!ok)
        return bind_error(L, &err);
    lua_pushboolean(L, 1);
    return 1;
}

/* nearest(wanted, names) -> "; did you mean ...?" or "" */
static int helper_nearest(lua_State *L)
{
    const char *wanted = luaL_checkstring(L, 1);
    struct nearest nearest = { 0 };

    luaL_checktype(L, 2, LUA_TTABLE);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; i++, lua_pop(L, 1))
        nearest_add(&nearest, wanted, lua_tostring(L, -1)); /* the table keeps it */
    lua_pushstring(L, nearest_text(&nearest, "; ", ""));
    return 1;
}

void mcp_push_helpers(lua_State *L)
{
    static const luaL_Reg helpers[] = {
        { "arguments", helper_arguments },
        { "complain", helper_complain },
        { "nearest", helper_nearest },
        { "progress", helper_progress },
        { "render", helper_render },
        { "save", helper_save },
        { NULL, NULL },
    };

    luaL_setfuncs(L, helpers, 0);
}
