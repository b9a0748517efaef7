/* sys.engine.parts(): what the program is made of here. Modules are opened to see whether they
 * can be; the libraries behind them tell their versions themselves. */
#include <cjson/cJSON.h>
#include <lauxlib.h>
#include <uv.h>

#include "base/module.h"
#include "script/value.h"
#include "sys/shared/tool_call.h"

static const struct part {
    const char *module;
    const char *purpose;
    const char *library; /* NULL: none that tells its version */
    const char *version; /* a function without arguments that gives it as a text */
} parts[] = {
    { "curl", "fetching over HTTP", "libcurl", "curl_version" },
    { "encoders", "PNG and JPEG", NULL, NULL },
    { "libedit", "editing lines at a prompt", NULL, NULL },
#ifdef __APPLE__
    { "macos", "the desktop", NULL, NULL },
#endif
    { "microhttpd", "serving HTTP", "libmicrohttpd", "MHD_get_version" },
    { "nettle", "digests and random bytes", NULL, NULL },
    { "pcre2", "patterns of JSON Schema", NULL, NULL },
#ifndef __APPLE__
    { "x11", "the desktop", NULL, NULL },
#endif
};

static void set_text(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* A symbol that no module has: what matters is how far the search came. */
static bool can_open(const char *module, struct error *err)
{
    return module_symbol(module, "perigee_no_such_symbol", err) ||
           strcmp(err->code, "module_symbol") == 0;
}

static void push_module(lua_State *L, const struct part *part)
{
    const char *(*version)(void);
    struct error err;

    lua_createtable(L, 0, 5); /* module */
    set_text(L, "name", part->module);
    set_text(L, "purpose", part->purpose);
    if (!can_open(part->module, &err)) {
        set_text(L, "problem", err.text);
        return;
    }
    if (!part->library)
        return;
    version = (const char *(*)(void))module_symbol(part->module, part->version, &err);
    set_text(L, "library", part->library);
    if (version)
        set_text(L, "version", version());
}

/* sys.engine.parts() -> {program, libraries, modules} */
int engine_parts(lua_State *L)
{
    lua_createtable(L, 0, 4); /* parts */
    set_text(L, "program", module_executable());
    lua_createtable(L, 0, 4); /* parts, libraries */
    set_text(L, "Lua", LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE);
    set_text(L, "libuv", uv_version_string());
    set_text(L, "cJSON", cJSON_Version());
    lua_setfield(L, -2, "libraries");
    lua_createtable(L, (int)countof(parts), 0); /* parts, modules */
    for (size_t i = 0; i < countof(parts); i++) {
        push_module(L, &parts[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    value_mark_array(L, -1);
    lua_setfield(L, -2, "modules");
    return 1;
}
