/* Reading a sys.mcp.Spec, and files of them.
 *
 * What C needs of the texts is laid out in userdata on the stack, so that
 * nothing is lost when a wrong value raises half way. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lua_mcp.h"
#include "io/file.h"
#include "protocol/servers_file.h"
#include "script/task.h"

enum { MAX_MS = 600 * 1000 };

/* The text on top of the stack; `what` names it in the message. */
static const char *check_text(lua_State *L, const char *what)
{
    size_t len;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;

    if (!text || strlen(text) != len)
        luaL_error(L, "bad server: %s must be a text without NUL, not %s", what,
                   text ? "this one" : luaL_typename(L, -1));
    return text;
}

/* The field as a text, which stays alive in the table; NULL: there is none. */
static const char *text_field(lua_State *L, const char *key)
{
    const char *text = NULL;

    if (lua_getfield(L, 1, key) != LUA_TNIL)
        text = check_text(L, key);
    lua_pop(L, 1);
    return text;
}

/* Milliseconds; 0: there is none. */
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

/* Leaves on the stack: the list. */
static const char *const *read_argv(lua_State *L)
{
    const char *command = text_field(L, "command");
    lua_Integer count;
    const char **argv;

    if (!command || !*command)
        luaL_error(L, "bad server: command is missing");
    if (lua_getfield(L, 1, "args") == LUA_TNIL) { /* args */
        lua_pop(L, 1);
        lua_newtable(L);
    }
    luaL_argcheck(L, lua_istable(L, -1), 1, "args must be a list of texts");
    count = (lua_Integer)lua_rawlen(L, -1);
    luaL_argcheck(L, count < 10000, 1, "too many args");
    argv = lua_newuserdatauv(L, ((size_t)count + 2) * sizeof *argv, 0); /* args, argv */
    argv[0] = command;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -2, i);
        argv[i] = check_text(L, "each of args"); /* alive in args, in the caller's table */
        lua_pop(L, 1);
    }
    argv[count + 1] = NULL;
    return argv;
}

/* Leaves on the stack: the table of variables, their "K=V" texts, the list. */
static const char *const *read_env(lua_State *L)
{
    size_t count = 0;
    const char **env;
    int given, texts;

    if (lua_getfield(L, 1, "env") == LUA_TNIL) { /* given */
        lua_pop(L, 1);
        return NULL;
    }
    luaL_argcheck(L, lua_istable(L, -1), 1, "env must be a table of texts");
    given = lua_gettop(L);
    lua_newtable(L); /* given, texts */
    texts = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, given); lua_pop(L, 1)) { /* ..., k, v */
        const char *value = check_text(L, "each value of env");
        const char *name;

        lua_pushvalue(L, -2);
        name = check_text(L, "each name in env");
        luaL_argcheck(L, *name && !strchr(name, '='), 1, "a name in env is empty or has a '='");
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

void lua_mcp_read_spec(lua_State *L, struct lua_mcp_spec *spec)
{
    uint64_t timeout_ms = seconds_field(L, "timeout");

    *spec = (struct lua_mcp_spec){ .options = { .era = read_era(L),
                                                .connect_ms = timeout_ms,
                                                .timeout_ms = timeout_ms,
                                                .max_ms = seconds_field(L, "max_timeout") } };
    if (!spec->options.max_ms)
        spec->options.max_ms = timeout_ms > MAX_MS ? timeout_ms : MAX_MS;
    luaL_argcheck(L, spec->options.max_ms >= timeout_ms, 1, "max_timeout is less than timeout");
    luaL_checkstack(L, 16, "no room");
    spec->server.argv = read_argv(L);
    spec->server.env = read_env(L);
    spec->server.cwd = text_field(L, "cwd");
    if (lua_getfield(L, 1, "log") != LUA_TNIL) {
        luaL_argcheck(L, lua_isfunction(L, -1), 1, "log must be a function");
        spec->log = lua_gettop(L);
    }
}

/* --- files ------------------------------------------------------------------------ */

static const char FILE_TYPE[] = "sys.mcp.file";

static int file_gc(lua_State *L)
{
    struct servers_file **file = lua_touserdata(L, 1);

    servers_file_free(*file);
    *file = NULL;
    return 0;
}

/* On the stack, so that it is freed whatever happens. */
static struct servers_file **new_file(lua_State *L)
{
    struct servers_file **file = lua_newuserdatauv(L, sizeof *file, 0); /* file */

    *file = NULL;
    if (luaL_newmetatable(L, FILE_TYPE)) { /* file, mt */
        lua_pushcfunction(L, file_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return file;
}

static void set_text(lua_State *L, const char *key, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

static void push_args(lua_State *L, const char *const *argv)
{
    lua_newtable(L);
    for (lua_Integer i = 1; argv[i]; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i);
    }
}

static void push_env(lua_State *L, const char *const *env)
{
    lua_newtable(L);
    for (size_t i = 0; env[i]; i++) {
        const char *equals = strchr(env[i], '=');

        lua_pushlstring(L, env[i], (size_t)(equals - env[i]));
        lua_pushstring(L, equals + 1);
        lua_rawset(L, -3);
    }
}

static void push_entry(lua_State *L, const struct server_entry *entry)
{
    lua_newtable(L); /* spec */
    if (entry->problem.code[0]) {
        set_text(L, "problem", entry->problem.text);
        set_text(L, "problem_code", entry->problem.code);
        return;
    }
    set_text(L, "command", entry->argv[0]);
    push_args(L, entry->argv);
    lua_setfield(L, -2, "args");
    push_env(L, entry->env);
    lua_setfield(L, -2, "env");
    if (entry->cwd)
        set_text(L, "cwd", entry->cwd);
}

/* sys.mcp.servers(path) -> name -> spec | nil, text, code */
int mcp_servers(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    struct servers_file **file = new_file(L); /* file */
    char *real = path_expand_home(path);
    struct error err;

    *file = servers_file_read(real, &err);
    free(real);
    if (!*file)
        return bind_error(L, &err);
    lua_newtable(L); /* file, specs */
    for (size_t i = 0; i < servers_file_count(*file); i++) {
        const struct server_entry *entry = servers_file_at(*file, i);

        push_entry(L, entry);
        lua_setfield(L, -2, entry->name);
    }
    return 1;
}

int lua_mcp_spec_problem(lua_State *L)
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
