/* Reads a table of sys.process into what process/process.h starts. The texts of argv and of the
 * environment are copied, NUL-ended, into one buffer. The pointers to them are made last, when the
 * buffer no longer moves. */
#include "sys/process/launch.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "files/file.h"
#include "process/environment.h"
#include "script/bind.h"

extern char **environ; /* NOLINT(readability-redundant-declaration): macOS does not declare it */

#define LAUNCH "sys.process.Spec"

enum { ENV_MAX = 100000 };

void launch_done(struct launch *launch)
{
    buf_free(&launch->words);
    free(launch->lists);
    free(launch->cwd);
    launch->lists = NULL;
    launch->cwd = NULL;
}

static int launch_gc(lua_State *L)
{
    launch_done(lua_touserdata(L, 1));
    return 0;
}

static struct launch *new_launch(lua_State *L)
{
    struct launch *launch = lua_newuserdatauv(L, sizeof *launch, 0); /* launch */

    *launch = (struct launch){ 0 };
    luaL_setmetatable(L, LAUNCH);
    return launch;
}

void launch_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", launch_gc }, { NULL, NULL } };

    bind_metatable(L, LAUNCH, meta, NULL);
}

/* "~/bin/x" is the program in the home directory, as a shell would have it. */
static void expand_program(struct buf *words)
{
    struct buf whole = { 0 };
    char *program;
    size_t first;

    if (strncmp(words->data, "~/", 2) != 0)
        return;
    first = strlen(words->data) + 1;
    program = path_expand_home(words->data);
    buf_add(&whole, program, strlen(program) + 1);
    buf_add(&whole, words->data + first, words->len - first);
    free(program);
    buf_free(words);
    *words = whole;
}

static size_t read_launch_argv(lua_State *L, int arg, struct buf *words)
{
    size_t count = bind_words(L, arg, arg, NULL, words);

    luaL_argcheck(L, count > 0, arg,
                  "the program's name is missing. Pass a list, for example { \"ls\", \"-l\" }");
    expand_program(words);
    return count;
}

/* --- the environment ------------------------------------------------------------- */

static void check_variable_name(lua_State *L, int arg, const char *name, size_t len)
{
    if (len == 0 || strlen(name) != len || strchr(name, '='))
        bind_field_error(L, arg, "env", "a name is empty, or has a NUL byte or \"=\"");
}

/* True if the table on top of the stack has this variable. */
static bool is_changed(lua_State *L, const char *variable)
{
    const char *end = strchr(variable, '=');
    bool changed;

    lua_pushlstring(L, variable, end ? (size_t)(end - variable) : strlen(variable));
    changed = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 1);
    return changed;
}

static size_t add_set_variables(lua_State *L, int arg, struct buf *words)
{
    size_t count = 0, len;

    for (lua_pushnil(L); lua_next(L, -2);) { /* env, k, v */
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &len) : NULL;

        if (!name)
            bind_field_error(L, arg, "env", "the names must be strings");
        check_variable_name(L, arg, name, len);
        if (lua_type(L, -1) == LUA_TBOOLEAN && !lua_toboolean(L, -1)) {
            lua_pop(L, 1);
            continue;
        }
        buf_addf(words, "%s=", name);
        if (!bind_word(L, words)) /* env, k */
            bind_field_error(
                L, arg, "env",
                lua_pushfstring(L, "'%s' must be a string without NUL bytes, or false", name));
        count++;
    }
    return count;
}

/* Adds our variables without those that the table changes, then those that it sets. */
static size_t read_launch_env(lua_State *L, int arg, bool clean, struct buf *words)
{
    size_t count = 0;

    for (char **variable = environ; variable && *variable; variable++) {
        if (count < ENV_MAX && !is_changed(L, *variable) &&
            (!clean || environment_variable_passes(*variable))) {
            buf_add(words, *variable, strlen(*variable) + 1);
            count++;
        }
    }
    return count + add_set_variables(L, arg, words);
}

/* Reads the environment. False: it is ours as it is. */
static bool read_environment(lua_State *L, int arg, struct buf *words, size_t *count)
{
    bool clean = bind_flag(L, arg, "clean_env"), changed;

    lua_pushliteral(L, "env");
    changed = lua_rawget(L, arg) != LUA_TNIL || clean; /* env */
    if (lua_isnil(L, -1)) {
        lua_newtable(L);
        lua_replace(L, -2);
    } else if (!lua_istable(L, -1)) {
        bind_field_error(L, arg, "env", "table expected");
    }
    if (changed)
        *count = read_launch_env(L, arg, clean, words);
    lua_pop(L, 1);
    return changed;
}

/* --- all of it --------------------------------------------------------------------- */

static void make_lists(struct launch *launch, size_t argc, bool has_env, size_t envc)
{
    const char *word = launch->words.data;
    size_t at = 0;

    launch->lists = mem_alloc((argc + envc + 2) * sizeof *launch->lists);
    for (size_t i = 0; i < argc + envc; i++, word += strlen(word) + 1) {
        if (i == argc)
            launch->lists[at++] = NULL;
        launch->lists[at++] = word;
    }
    if (envc == 0)
        launch->lists[at++] = NULL;
    launch->lists[at] = NULL;
    launch->spec.argv = launch->lists;
    launch->spec.env = has_env ? launch->lists + argc + 1 : NULL;
}

struct launch *launch_push(lua_State *L, int arg, double timeout)
{
    static const char *const fields[] = { "input",      "cwd",          "env",     "timeout",
                                          "max_output", "merge_stderr", "discard", "shared",
                                          "clean_env",  "whole_group",  NULL };
    struct launch *launch;
    const char *cwd;
    size_t argc, envc = 0;
    bool has_env;

    bind_check_fields(L, arg, fields);
    launch = new_launch(L); /* launch */
    argc = read_launch_argv(L, arg, &launch->words);
    has_env = read_environment(L, arg, &launch->words, &envc);
    make_lists(launch, argc, has_env, envc);
    cwd = bind_text(L, arg, "cwd", NULL);
    launch->spec.cwd = launch->cwd = cwd ? path_expand_home(cwd) : NULL;
    launch->spec.input.ptr = bind_text(L, arg, "input", &launch->spec.input.len);
    timeout = bind_number(L, arg, "timeout", timeout, 0.001, LAUNCH_TIMEOUT_MAX);
    launch->spec.timeout_ms = (uint64_t)ceil(timeout * 1000);
    launch->spec.max_output =
        (uint64_t)bind_number(L, arg, "max_output", LAUNCH_OUTPUT, 1, LAUNCH_OUTPUT_MAX);
    launch->spec.kill_grace_ms = LAUNCH_GRACE_MS;
    launch->spec.whole_group = bind_flag(L, arg, "whole_group");
    launch->spec.err = bind_flag(L, arg, "merge_stderr") ? PROCESS_MERGE : PROCESS_CAPTURE;
    if (bind_flag(L, arg, "discard"))
        launch->spec.out = launch->spec.err = PROCESS_DISCARD;
    return launch;
}
