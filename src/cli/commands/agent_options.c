/* Options for the agent in Lua. */
#include "cli/commands/agent_options.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/module.h"
#include "cli/terminal.h"
#include "files/file.h"

/* --- folders ---------------------------------------------------------------------- */

/* A file's folder, as a path of its own. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return mem_strdup(".");
    return mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool grant(struct engine *engine, const char *folder, bool write, struct error *err)
{
    char *real;
    bool ok;

    if (write && !folder_make(folder, err))
        return false;
    real = realpath(folder, NULL);
    if (!real)
        return error_errno(err, errno, "%s", folder);
    ok = fs_grants_add(engine_grants(engine), real, write, err);
    free(real);
    return ok;
}

static bool grant_file(struct engine *engine, const char *path, bool write, struct error *err)
{
    char *folder = folder_of(path);
    bool ok = grant(engine, folder, write, err);

    free(folder);
    return ok;
}

/* A journal in the current folder, which is granted already, must not become read-only. */
static bool grant_replay(struct engine *engine, const char *path, struct error *err)
{
    char *real = realpath(path, NULL);
    char *cwd = realpath(".", NULL);
    size_t len = cwd ? strlen(cwd) : 0;
    bool inside = real && cwd && strncmp(real, cwd, len) == 0 && real[len] == '/';

    if (!real)
        error_errno(err, errno, "the journal %s", path);
    free(cwd);
    if (!real)
        return false;
    free(real);
    return inside || grant_file(engine, path, false, err);
}

bool agent_options_replay(const struct agent_options *agent)
{
    return agent->replay || (agent->model && strncmp(agent->model, "replay/", 7) == 0);
}

bool agent_options_grant(const struct agent_options *agent, struct engine *engine,
                         struct error *err)
{
    if (agent->log && !grant_file(engine, agent->log, true, err))
        return false;
    if (agent->journal && !grant(engine, agent->journal, true, err))
        return false;
    if (agent->replay)
        return grant_replay(engine, agent->replay, err);
    return !agent_options_replay(agent) || grant_replay(engine, agent->model + 7, err);
}

/* --- the server's command ------------------------------------------------------------ */

/* Takes one word off *text, unquoted: '...', "..." and \x. NULL at the end; *open: a quote
 * was not closed. */
static char *next_word(const char **text, bool *open)
{
    const char *p = *text + strspn(*text, " \t\n");
    struct buf word = { 0 };
    char quote = 0;

    if (!*p)
        return NULL;
    for (; *p && (quote || !strchr(" \t\n", *p)); p++) {
        if (*p == '\\' && quote != '\'' && p[1])
            buf_addc(&word, *++p);
        else if (quote ? *p == quote : (*p == '\'' || *p == '"'))
            quote = quote ? 0 : *p;
        else
            buf_addc(&word, *p);
    }
    *open = quote != 0;
    *text = p;
    return buf_take(&word);
}

/* server = { command = ..., args = { ... } } */
static bool push_command(lua_State *L, const char *text, struct error *err)
{
    const char *rest = text;
    bool open = false;
    char *word = next_word(&rest, &open);
    lua_Integer n = 0;

    if (!word)
        return error_set(err, "usage", "--server is a command, as in --server \"node server.js\"");
    lua_newtable(L); /* server */
    lua_pushstring(L, word);
    lua_setfield(L, -2, "command");
    lua_newtable(L); /* server, args */
    do {
        if (n > 0) {
            lua_pushstring(L, word);
            lua_rawseti(L, -2, n);
        }
        n++;
        free(word);
    } while (!open && (word = next_word(&rest, &open)));
    lua_setfield(L, -2, "args");
    if (!open)
        return true;
    lua_pop(L, 1);
    return error_set(err, "usage", "a quote in --server is not closed: %s", text);
}

static void add_arg(lua_State *L, const char *option, const char *value)
{
    lua_pushstring(L, option);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    if (!value)
        return;
    lua_pushstring(L, value);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* This program as `serve`, with the roots, toolsets and folders that it was given itself. */
static void push_own_server(lua_State *L, const struct args_common *common)
{
    lua_newtable(L); /* server */
    lua_pushstring(L, module_executable());
    lua_setfield(L, -2, "command");
    lua_newtable(L); /* server, args */
    add_arg(L, "serve", NULL);
    add_arg(L, "--log-calls", NULL);
    for (size_t i = 0; i < common->root_count; i++)
        add_arg(L, "--root", common->roots[i]);
    for (size_t i = 0; i < common->grant_count; i++)
        add_arg(L, "--grant", common->grants[i]);
    for (size_t i = 0; i < common->mount_count; i++)
        add_arg(L, "--mount", common->mounts[i]);
    if (common->config)
        add_arg(L, "--config", common->config);
    if (common->toolset_list)
        add_arg(L, "--toolset", common->toolset_list);
    if (common->no_user_root)
        add_arg(L, "--no-user-root", NULL);
    if (common->verbose)
        add_arg(L, "--verbose", NULL);
    lua_setfield(L, -2, "args");
}

/* --- the table --------------------------------------------------------------------------- */

static int write_output(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);

    fwrite(text, 1, len, stdout);
    return 0;
}

static void set_text(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value); /* NULL: nil */
    lua_setfield(L, -2, key);
}

static void set_boolean(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

bool agent_options_push(const struct agent_options *agent, lua_State *L, struct error *err)
{
    lua_newtable(L); /* options */
    if (agent->request.len)
        lua_pushlstring(L, agent->request.data, agent->request.len);
    else
        lua_pushnil(L);
    lua_setfield(L, -2, "request");
    set_text(L, "prompt", agent->prompt);
    set_text(L, "model", agent->model);
    set_text(L, "servers", agent->servers);
    set_text(L, "log", agent->log);
    set_text(L, "journal", agent->journal);
    set_text(L, "replay", agent->replay);
    set_boolean(L, "json", agent->json);
    set_boolean(L, "terminal", terminal_is(stdout));
    set_boolean(L, "color", terminal_colours(stdout));
    lua_pushcfunction(L, write_output);
    lua_setfield(L, -2, "output");
    if (agent->max_turns) {
        lua_pushinteger(L, agent->max_turns);
        lua_setfield(L, -2, "max_turns");
    }
    if (agent->servers || (agent_options_replay(agent) && !agent->server))
        return true;
    if (!agent->server)
        push_own_server(L, &agent->args.common);
    else if (!push_command(L, agent->server, err)) {
        lua_pop(L, 1);
        return false;
    }
    lua_setfield(L, -2, "server");
    return true;
}
