/* Reads a sys.mcp.Spec.
 *
 * The texts that C needs are laid out in userdata on the stack, so that they are freed if a wrong
 * value raises half way. */
#include "sys/mcp/spec.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "script/bind.h"
#include "script/task.h"
#include "sys/mcp/hooks.h"

enum { MAX_MS = 600 * 1000 };

/* Returns the text on top of the stack. `what` names it in the message. */
static const char *check_spec_text(lua_State *L, const char *what)
{
    size_t len;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;

    if (!text || strlen(text) != len)
        luaL_error(L, "bad server: %s must be a string without NUL bytes, not %s", what,
                   text ? "this one" : luaL_typename(L, -1));
    return text;
}

/* Returns the field as a text, which the table keeps. NULL: there is none. */
static const char *text_field(lua_State *L, const char *key)
{
    const char *text = NULL;

    if (lua_getfield(L, 1, key) != LUA_TNIL)
        text = check_spec_text(L, key);
    lua_pop(L, 1);
    return text;
}

/* Reads seconds and gives milliseconds. 0: there is no such field. */
static uint64_t seconds_field(lua_State *L, const char *key)
{
    lua_Number seconds = 0;

    if (lua_getfield(L, 1, key) != LUA_TNIL) {
        seconds = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : -1;
        if (!(seconds > 0 && seconds <= 86400))
            luaL_error(L, "bad server: %s must be more than 0 and at most 86400 seconds", key);
    }
    lua_pop(L, 1);
    return (uint64_t)ceil(seconds * 1000);
}

/* Returns the list, and leaves it on the stack. */
static const char *const *read_spec_argv(lua_State *L, const char *command)
{
    lua_Integer count;
    const char **argv;

    if (lua_getfield(L, 1, "args") == LUA_TNIL) { /* args */
        lua_pop(L, 1);
        lua_newtable(L);
    }
    luaL_argcheck(L, lua_istable(L, -1), 1, "args must be a list of strings");
    count = (lua_Integer)lua_rawlen(L, -1);
    luaL_argcheck(L, count < 10000, 1, "too many args");
    argv = lua_newuserdatauv(L, ((size_t)count + 2) * sizeof *argv, 0); /* args, argv */
    argv[0] = command;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -2, i);
        argv[i] = check_spec_text(L, "each of args"); /* alive in args, in the caller's table */
        lua_pop(L, 1);
    }
    argv[count + 1] = NULL;
    return argv;
}

/* Returns the list. Leaves on the stack the table of variables, their "K=V" texts and the list. */
static const char *const *read_spec_env(lua_State *L)
{
    size_t count = 0;
    const char **env;
    int given, texts;

    if (lua_getfield(L, 1, "env") == LUA_TNIL) { /* given */
        lua_pop(L, 1);
        return NULL;
    }
    luaL_argcheck(L, lua_istable(L, -1), 1, "env must be a table of strings");
    given = lua_gettop(L);
    lua_newtable(L); /* given, texts */
    texts = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, given); lua_pop(L, 1)) { /* ..., k, v */
        const char *value = check_spec_text(L, "each value of env");
        const char *name;

        lua_pushvalue(L, -2);
        name = check_spec_text(L, "each name in env");
        luaL_argcheck(L, *name && !strchr(name, '='), 1, "a name in env is empty or contains '='");
        lua_pushfstring(L, "%s=%s", name, value); /* ..., k, v, k, text */
        lua_rawseti(L, texts, (lua_Integer)++count);
        lua_pop(L, 1);
    }
    env = lua_newuserdatauv(L, (count + 1) * sizeof *env, 0); /* given, texts, env */
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, texts, (lua_Integer)i + 1);
        env[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    env[count] = NULL;
    return env;
}

static enum client_era read_era(lua_State *L)
{
    static const char *const names[] = { "auto", "legacy", "modern" };
    const char *name = text_field(L, "era");

    for (size_t i = 0; name && i < countof(names); i++) {
        if (strcmp(names[i], name) == 0)
            return (enum client_era)i;
    }
    if (name)
        luaL_error(L, "bad server: era must be \"auto\", \"legacy\" or \"modern\"");
    return CLIENT_AUTO;
}

/* Returns the list. Leaves on the stack the table of headers and the list. */
static struct http_headers read_spec_headers(lua_State *L)
{
    struct http_header *items;
    size_t count = 0;
    int given;

    if (lua_getfield(L, 1, "headers") == LUA_TNIL) { /* given */
        lua_pop(L, 1);
        return (struct http_headers){ 0 };
    }
    luaL_argcheck(L, lua_istable(L, -1), 1, "headers must be a table of strings");
    given = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, given); lua_pop(L, 1))
        count++;
    luaL_argcheck(L, count <= 1000, 1, "too many headers");
    items = lua_newuserdatauv(L, (count + 1) * sizeof *items, 0); /* given, items */
    count = 0;
    for (lua_pushnil(L); lua_next(L, given); lua_pop(L, 1)) { /* ..., k, v */
        items[count].value = check_spec_text(L, "each value of headers");
        lua_pushvalue(L, -2);
        items[count++].name = check_spec_text(L, "each name in headers");
        lua_pop(L, 1);
    }
    return (struct http_headers){ items, count };
}

static void check_token(lua_State *L, const char *token)
{
    for (const char *c = token; c && *c; c++)
        luaL_argcheck(L, *c > 0x20 && *c < 0x7F, 1,
                      "token must be visible ASCII, without the word Bearer");
}

static void read_spec_http(lua_State *L, struct mcp_http_spec *http)
{
    http->url = text_field(L, "url");
    http->token = text_field(L, "token");
    check_token(L, http->token);
    http->ca_file = text_field(L, "ca_file");
    http->connect_timeout_ms = seconds_field(L, "connect_timeout");
    http->headers = read_spec_headers(L);
}

/* Leaves the functions on the stack. */
static void read_hooks(lua_State *L, struct mcp_spec *spec)
{
    static const char *const names[HOOK_COUNT] = {
        "authorize", "elicit", "sample", "roots", "log", "changed", "updated", "notification"
    };

    for (int i = 0; i < HOOK_COUNT; i++) {
        int type = lua_getfield(L, 1, names[i]);

        if (type == LUA_TNIL) {
            lua_pop(L, 1);
            continue;
        }
        if (type != LUA_TFUNCTION && !(i == HOOK_ROOTS && type == LUA_TTABLE))
            luaL_error(L, "bad server: %s must be a function", names[i]);
        spec->hooks[i] = lua_gettop(L);
    }
}

static bool read_spec_flag(lua_State *L, const char *key, bool absent)
{
    bool value = absent;

    if (lua_getfield(L, 1, key) != LUA_TNIL) {
        if (!lua_isboolean(L, -1))
            luaL_error(L, "bad server: %s must be true or false", key);
        value = lua_toboolean(L, -1);
    }
    lua_pop(L, 1);
    return value;
}

/* true, false, or seconds for the answer to the question for the era. */
static void read_probe(lua_State *L, struct client_options *options)
{
    int type = lua_getfield(L, 1, "probe");
    bool is_seconds = type == LUA_TNUMBER;

    lua_pop(L, 1);
    if (!is_seconds && type != LUA_TBOOLEAN && type != LUA_TNIL)
        luaL_error(L, "bad server: probe must be true, false or seconds");
    if (is_seconds)
        options->probe_ms = seconds_field(L, "probe");
    else
        options->no_probe = !read_spec_flag(L, "probe", true);
    if (is_seconds && options->era != CLIENT_AUTO)
        luaL_error(L, "bad server: probe = SECONDS requires era = \"auto\"");
    if (options->no_probe && options->era != CLIENT_MODERN)
        luaL_error(L, "bad server: probe = false requires era = \"modern\"");
}

void mcp_spec_read(lua_State *L, struct mcp_spec *spec)
{
    static const char *const names[] = {
        "args",    "authorize", "ca_file",        "changed",     "command", "connect_timeout",
        "client",  "cwd",       "elicit",         "env",         "era",     "headers",
        "log",     "log_level", "login_metadata", "max_timeout", "mount",   "notification",
        "probe",   "problem",   "problem_code",   "roots",       "sample",  "socket",
        "timeout", "token",     "updated",        "url",         NULL
    };
    uint64_t timeout_ms = seconds_field(L, "timeout");
    const char *command = text_field(L, "command");
    bool is_command = command && *command;

    bind_check_fields(L, 1, names);
    *spec = (struct mcp_spec){ .options = { .era = read_era(L),
                                            .connect_ms = timeout_ms,
                                            .timeout_ms = timeout_ms,
                                            .max_ms = seconds_field(L, "max_timeout") } };
    if (!spec->options.max_ms)
        spec->options.max_ms = timeout_ms > MAX_MS ? timeout_ms : MAX_MS;
    luaL_argcheck(L, spec->options.max_ms >= timeout_ms, 1, "max_timeout is less than timeout");
    luaL_checkstack(L, 32, "no room");
    spec->options.name = text_field(L, "client");
    spec->options.log_level = text_field(L, "log_level");
    read_probe(L, &spec->options);
    read_spec_http(L, &spec->http);
    spec->socket = text_field(L, "socket");
    if (is_command + (spec->http.url != NULL) + (spec->socket != NULL) != 1 ||
        (command && !is_command))
        luaL_error(L, "bad server: one of command, url and socket is required");
    if (is_command) {
        spec->server.argv = read_spec_argv(L, command);
        spec->server.env = read_spec_env(L);
        spec->server.cwd = text_field(L, "cwd");
    }
    read_hooks(L, spec);
    spec->options.abilities = mcp_hooks_abilities(spec);
    spec->options.listen = spec->hooks[HOOK_CHANGED] != 0;
    spec->http.authorize = spec->hooks[HOOK_AUTHORIZE] ? mcp_hooks_authorize : NULL;
}

int mcp_spec_problem(lua_State *L)
{
    if (lua_getfield(L, 1, "problem") == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    lua_pushnil(L);
    lua_insert(L, -2);
    lua_getfield(L, 1, "problem_code");
    return 3;
}
