/* sys.engine.parts() -- the parts of which the program is made here. It opens modules to see
 * whether they can be opened; the libraries behind them tell their versions themselves. */
#include <cjson/cJSON.h>
#include <lauxlib.h>
#include <uv.h>

#include "base/module.h"
#include "platform/backends.h"
#include "script/value.h"
#include "sys/engine/pieces.h"

static const struct engine_part {
    const char *module;
    const char *purpose;
    const char *library; /* NULL: it has no library that tells its version */
    const char *version; /* a function without arguments that gives it as a text */
} parts[] = {
    { "curl", "fetching over HTTP", "libcurl", "curl_version" },
    { "encoders", "PNG and JPEG", NULL, NULL },
#ifndef __APPLE__
    { "libdbus", "calls over D-Bus", NULL, NULL },
#endif
    { "hogweed", "signatures of tokens", NULL, NULL },
    { "libedit", "editing lines at a prompt", NULL, NULL },
    { "microhttpd", "serving HTTP", "libmicrohttpd", "MHD_get_version" },
    { "nettle", "digests", NULL, NULL },
    { "pcre2", "patterns of JSON Schema", NULL, NULL },
    { "utf8proc", "comparing text beyond ASCII", "utf8proc", "utf8proc_version" },
};

static void set_text(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* Asks for a symbol that no module has: the error tells how far the search came. */
static bool can_open(const char *module, struct error *err)
{
    return module_symbol(module, "perigee_no_such_symbol", err) ||
           strcmp(err->code, "module_symbol") == 0;
}

/* Pushes {name, purpose, problem}. The problem is the text of err; NULL: none. */
static void push_module(lua_State *L, const char *name, const char *purpose,
                        const struct error *err)
{
    lua_createtable(L, 0, 5); /* module */
    set_text(L, "name", name);
    set_text(L, "purpose", purpose);
    if (err)
        set_text(L, "problem", err->text);
}

static void push_part(lua_State *L, const struct engine_part *part)
{
    const char *(*version)(void);
    struct error err;
    bool ok = can_open(part->module, &err);

    push_module(L, part->module, part->purpose, ok ? NULL : &err);
    if (!ok || !part->library)
        return;
    version = (const char *(*)(void))module_symbol(part->module, part->version, &err);
    set_text(L, "library", part->library);
    if (version)
        set_text(L, "version", version());
}

static void push_modules(lua_State *L)
{
    const char *name;

    lua_createtable(L, (int)countof(parts) + 1, 0); /* modules */
    for (size_t i = 0; i < countof(parts); i++) {
        push_part(L, &parts[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    for (size_t i = 0; (name = platform_module(i)); i++) {
        struct error err;

        push_module(L, name, "the desktop", platform_named(name, &err) ? NULL : &err);
        lua_rawseti(L, -2, (lua_Integer)(countof(parts) + i) + 1);
    }
    value_mark_array(L, -1);
}

/* sys.engine.desktop() -> the name of the desktop, or nil. Other modules stay closed. */
int engine_desktop(lua_State *L)
{
    const struct platform_ops *desktop = platform_native(NULL);

    if (!desktop)
        return 0;
    lua_pushstring(L, desktop->name);
    return 1;
}

/* sys.engine.program() -> the path of this program */
int engine_program(lua_State *L)
{
    lua_pushstring(L, module_executable());
    return 1;
}

/* sys.engine.parts() -> {program, libraries, modules, desktop} */
int engine_parts(lua_State *L)
{
    const struct platform_ops *desktop;

    lua_createtable(L, 0, 4); /* parts */
    set_text(L, "program", module_executable());
    lua_createtable(L, 0, 4); /* parts, libraries */
    set_text(L, "Lua", LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE);
    set_text(L, "libuv", uv_version_string());
    set_text(L, "cJSON", cJSON_Version());
    lua_setfield(L, -2, "libraries");
    push_modules(L);
    lua_setfield(L, -2, "modules");
    desktop = platform_native(NULL);
    if (desktop)
        set_text(L, "desktop", desktop->name);
    return 1;
}
