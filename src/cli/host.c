/* Functions and facts for lua/lib/cli. */
#include "cli/host.h"

#include <errno.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/dry_run.h"
#include "base/log.h"
#include "base/module.h"
#include "cli/asks.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/read_input.h"
#include "cli/terminal.h"
#include "files/file.h"
#include "registry/call/caller.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/gateway.h"

/* Upvalues: the engine, the command's name. */
static struct engine *engine_of_host(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

static const char *name_of_host(lua_State *L)
{
    return lua_tostring(L, lua_upvalueindex(2));
}

static int return_written(lua_State *L, bool ok, const struct error *err)
{
    if (!ok)
        return bind_error(L, err);
    lua_pushboolean(L, 1);
    return 1;
}

/* --- what is said ------------------------------------------------------------------- */

static int host_write(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);

    output_write(text, len);
    return 0;
}

static int host_complain(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);

    output_flush(); /* its output comes first if both go to one place */
    if (lua_toboolean(L, 2))
        output_error_text(text, len);
    else
        output_message(name_of_host(L), "%s", text);
    return 0;
}

/* Text of our own for stderr: it may have colours. */
static int host_say(lua_State *L)
{
    struct buf plain = { 0 };
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);

    output_flush();
    log_hide_secrets(&plain, text, len);
    fwrite(plain.data, 1, plain.len, stderr);
    buf_free(&plain);
    return 0;
}

static int host_progress(lua_State *L)
{
    if (lua_isnoneornil(L, 1))
        progress_clear();
    else
        progress_show(luaL_checknumber(L, 1), luaL_optnumber(L, 2, NAN),
                      luaL_optstring(L, 3, NULL));
    return 0;
}

static int host_log_level(lua_State *L)
{
    enum log_level level;

    luaL_argcheck(L, log_level_named(luaL_checkstring(L, 1), &level), 1, "no level of log lines");
    log_set_level(level);
    return 0;
}

static int host_role(lua_State *L)
{
    log_set_role(luaL_checkstring(L, 1));
    return 0;
}

static int host_hide(lua_State *L)
{
    log_add_secret(luaL_checkstring(L, 1));
    return 0;
}

/* --- files that the user named ------------------------------------------------------- */

static int host_read(lua_State *L)
{
    struct buf *out = bind_buffer(L);
    struct error err;

    if (!read_input(luaL_checkstring(L, 1), (size_t)luaL_checkinteger(L, 2), out, &err))
        return bind_error(L, &err);
    lua_pushlstring(L, out->data ? out->data : "", out->len);
    return 1;
}

static int host_save(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    struct error err;
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);

    if (strcmp(path, "-") != 0 && dry_run_refuses(&err, "save %.200s", path))
        return bind_error(L, &err);
    if (strcmp(path, "-") != 0)
        return return_written(L, file_write_atomic(path, bytes, len, 0, &err), &err);
    output_write(bytes, len); /* that it fails is told at the end */
    return return_written(L, true, NULL);
}

static int host_grant(lua_State *L)
{
    const char *folder = luaL_checkstring(L, 1);
    bool write = lua_toboolean(L, 2), ok;
    struct error err;
    char *real;

    if (write && !folder_make(folder, &err))
        return bind_error(L, &err);
    real = realpath(folder, NULL);
    ok = real ? fs_grants_add(engine_grants(engine_of_host(L)), real, write, &err)
              : error_errno(&err, errno, "%s", folder);
    lua_pushstring(L, real);
    free(real);
    return ok ? 1 : bind_error(L, &err);
}

static int host_listen(lua_State *L)
{
    engine_settle(engine_of_host(L), name_of_host(L));
    return 0;
}

/* As `perigee serve` does, but for clients. */
static int host_serve(lua_State *L)
{
    struct engine *engine = engine_of_host(L);

    caller_set_default(CALLER_ENGINE);
    log_set_role("server");
    engine_listen(engine, name_of_host(L));
    engine_watch(engine);
    return 0;
}

/* --- what tools say -------------------------------------------------------------------- */

static void on_host_progress(void *arg, double finished, double total, const char *message)
{
    (void)arg;
    progress_show(finished, total, message);
}

static enum log_level level_of(const char *level)
{
    enum log_level known;

    if (log_level_named(level, &known))
        return known;
    return strcmp(level, "notice") == 0 ? LOG_INFO : LOG_ERROR;
}

static void on_host_log(void *arg, const char *level, const char *logger, lua_State *L, int data)
{
    struct buf *text = bind_buffer(L);
    struct error err;

    (void)arg;
    buf_addf(text, "%s: ", logger ? logger : task_name(task_current(L)));
    if (lua_type(L, data) == LUA_TSTRING)
        buf_adds(text, lua_tostring(L, data));
    else if (!value_write_json(L, data, text, &err))
        buf_adds(text, err.text);
    progress_clear();
    log_bytes(level_of(level), text->data, text->len);
    lua_pop(L, 1);
}

static void on_host_print(void *context, const char *text, size_t len)
{
    (void)context;
    log_bytes(LOG_INFO, text, len);
}

const struct call_reports host_reports = { .progress = on_host_progress,
                                           .log = on_host_log,
                                           .print = on_host_print,
                                           .ask = asks_put,
                                           .unask = asks_drop,
                                           .can = asks_can };

/* --- declarations in C ------------------------------------------------------------------ */

static void set_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value); /* NULL: nil */
    lua_setfield(L, -2, key);
}

static void set_boolean(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

/* { name, type, about, letter = ... }, as lua/lib/options.lua has it. */
static void push_option(lua_State *L, const struct option *option)
{
    lua_createtable(L, 3, 6);
    lua_pushstring(L, option->name);
    lua_rawseti(L, -2, 1);
    lua_pushstring(L, option_type_name(option->type));
    lua_rawseti(L, -2, 2);
    lua_pushstring(L, option->about);
    lua_rawseti(L, -2, 3);
    if (option->letter)
        set_string(L, "letter", (char[]){ option->letter, '\0' });
    set_string(L, "value", option->value);
    set_string(L, "absent", option->absent);
    if (option->repeatable)
        set_boolean(L, "repeatable", true);
    if (option->type == OPTION_INTEGER) {
        lua_pushinteger(L, (lua_Integer)option->least);
        lua_setfield(L, -2, "minimum");
        lua_pushinteger(L, (lua_Integer)option->most);
        lua_setfield(L, -2, "maximum");
    }
}

static void push_option_list(lua_State *L, const struct option *options)
{
    lua_newtable(L); /* list */
    for (lua_Integer n = 1; options && (options->name || options->letter); options++) {
        if (!options->about)
            continue;
        push_option(L, options);
        lua_rawseti(L, -2, n++);
    }
}

static void push_usage(lua_State *L, const char *usage)
{
    lua_newtable(L); /* lines */
    for (lua_Integer n = 1; *usage; n++) {
        size_t len = strcspn(usage, "\n");

        lua_pushlstring(L, usage, len);
        lua_rawseti(L, -2, n);
        usage += len + (usage[len] == '\n');
    }
}

/* native() -> { {name =, summary =, usage =, ...}, ... } */
static int host_native(lua_State *L)
{
    lua_newtable(L); /* list */
    for (lua_Integer n = 0; native_commands[n]; n++) {
        const struct command *command = native_commands[n];

        lua_createtable(L, 0, 7);
        set_string(L, "name", command->name);
        set_string(L, "summary", command->summary);
        set_string(L, "description", command->description);
        set_string(L, "notes", command->notes);
        push_usage(L, command->usage);
        lua_setfield(L, -2, "usage");
        push_option_list(L, command->options);
        lua_setfield(L, -2, "options");
        set_boolean(L, "native", true);
        lua_rawseti(L, -2, n + 1);
    }
    return 1;
}

/* --- the table ---------------------------------------------------------------------------- */

static void set_facts(lua_State *L, const char *name, const struct common *common)
{
    char *config = common->config ? path_expand_home(common->config) : gateway_config_path();

    push_option_list(L, options_common);
    lua_setfield(L, -2, "common");
    set_string(L, "program", module_executable());
    set_boolean(L, "shipped", command_is_shipped(name, common));
    set_string(L, "config", config);
    free(config);
    set_boolean(L, "color", terminal_colours(stdout));
    set_boolean(L, "terminal", terminal_is(stdout));
    set_boolean(L, "stderr_terminal", terminal_is(stderr));
    set_boolean(L, "interactive", terminal_is(stderr) && isatty(STDIN_FILENO));
    if (terminal_is(stdout)) {
        lua_pushinteger(L, terminal_width(stdout, 0));
        lua_setfield(L, -2, "width");
    }
}

void host_push(lua_State *L, struct engine *engine, const char *command,
               const struct common *common)
{
    static const luaL_Reg functions[] = {
        { "complain", host_complain },
        { "grant", host_grant },
        { "hide", host_hide },
        { "listen", host_listen },
        { "log_level", host_log_level },
        { "native", host_native },
        { "progress", host_progress },
        { "read", host_read },
        { "role", host_role },
        { "save", host_save },
        { "say", host_say },
        { "serve", host_serve },
        { "write", host_write },
        { NULL, NULL },
    };

    lua_newtable(L); /* host */
    lua_pushlightuserdata(L, engine);
    lua_pushstring(L, command);
    luaL_setfuncs(L, functions, 2);
    set_facts(L, command, common);
}
