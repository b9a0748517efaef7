/* Scripts. The context of a script's task is its struct script, which the calls it makes inherit:
 * tool_caller in tool_call.h. */
#include "sys/shared/script.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <unistd.h>

#include "files/file.h"
#include "script/anchor.h"

struct script {
    struct tool_caller caller; /* first: see tool_call.h */
    struct registry *registry;
    char *folder; /* owned; or NULL */
    struct script_spec spec;
    struct sandbox *sandbox;
    struct task *task;
    struct anchors *anchors; /* watchers and timers that it leaves behind; it ends after them */
    bool *gone;
};

struct sandbox *script_sandbox(struct registry *registry, bool one_env)
{
    return sandbox_new(registry_vm(registry), &(struct sandbox_spec){ .find = registry_find_lib,
                                                                      .arg = registry,
                                                                      .open_globals = true,
                                                                      .one_env = one_env });
}

/* The home of a module beside the script: the modules that it requires are looked for there first,
 * too. */
enum { HOME_BESIDE = -2, MODULE_BYTES = 1024 * 1024 };

/* Returns FOLDER/a/b.lua for a.b. NULL: there is none. */
static char *path_beside(const struct script *script, const char *name, bool first)
{
    char *path = mem_printf("%s/%s.lua", script->folder, name);

    for (char *c = path + strlen(script->folder) + 1; c < path + strlen(path) - 4; c++)
        if (*c == '.')
            *c = '/';
    if (first && script->spec.looked)
        script->spec.looked(script->spec.arg, path);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Finds a module, like sandbox_spec.find. */
static bool find_module(void *arg, int *home, const char *name, struct buf *path,
                        struct buf *source, struct error *err)
{
    const struct script *script = arg;
    bool ours = *home == HOME_NONE || *home == HOME_BESIDE;
    char *file = ours && script->folder ? path_beside(script, name, !path) : NULL;
    bool ok;

    if (!file) {
        *home = ours ? HOME_NONE : *home;
        return registry_find_lib(script->registry, home, name, path, source, err);
    }
    *home = HOME_BESIDE;
    ok = !path || file_read_all(file, MODULE_BYTES, source, err);
    if (path)
        buf_adds(path, file);
    free(file);
    return ok;
}

static void script_free(struct script *script)
{
    sandbox_free(script->sandbox);
    free(script->folder);
    free(script);
}

static void on_script_print(void *context, const char *text, size_t len)
{
    struct script *script = context;

    if (script->spec.print)
        script->spec.print(script->spec.arg, text, len);
    else
        task_print(task_lua(script->spec.parent), text, len);
}

static void on_script_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct script *script = arg;

    if (script->gone)
        *script->gone = true;
    anchors_end(script->anchors);
    script->spec.ended(script->spec.arg, task, end, nresults);
    script_free(script);
}

/* Called with (f). Gives f the global `tools` and leaves it on the stack. */
static int give_tools(lua_State *L)
{
    tools_push(L, true); /* f, tools */
    lua_insert(L, 1);    /* tools, f */
    sandbox_set_global(L, "tools");
    return 1;
}

/* Loads the script, and leaves the chunk on the main state. */
static bool script_load(struct script *script, struct vm *vm, struct error *err)
{
    const struct script_spec *spec = &script->spec;

    if (!sandbox_load(script->sandbox, spec->name, spec->text, spec->len, err))
        return false;
    lua_pushcfunction(vm_lua(vm), give_tools);
    lua_insert(vm_lua(vm), -2);
    return vm_call(vm, 1, 1, 0, err);
}

static int linger_anchors(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    return anchors_linger(L, false);
}

/* Called with (f, args...). Returns what f returns, when nothing that belongs to the script runs
 * any more. */
static int run_and_linger(lua_State *L)
{
    lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, linger_anchors);
    return linger_anchors(L, LUA_OK, 0);
}

/* Makes the task of (f, args...), which are on `from`. */
static struct task *make_script_task(struct script *script, lua_State *from, int nargs,
                                     struct error *err)
{
    const struct script_spec *spec = &script->spec;

    lua_pushcfunction(from, run_and_linger);
    lua_insert(from, -nargs - 2);
    return task_new(
        from, nargs + 1,
        &(struct task_spec){ .name = spec->name,
                             .timeout_ms = spec->timeout_ms,
                             .parent = spec->parent,
                             .context = script,
                             .print = spec->print || spec->parent ? on_script_print : NULL,
                             .ended = on_script_ended,
                             .arg = script },
        err);
}

struct script *script_run(struct registry *registry, lua_State *from, int nargs,
                          const struct script_spec *spec, struct error *err)
{
    struct vm *vm = registry_vm(registry);
    lua_State *L = vm_lua(vm);
    struct script *script = mem_zero(sizeof *script);
    bool gone = false;

    script->spec = *spec;
    script->caller.reports = spec->reports;
    script->registry = registry;
    script->folder = spec->folder ? mem_strdup(spec->folder) : NULL;
    script->sandbox = sandbox_new(
        vm, &(struct sandbox_spec){ .find = find_module, .arg = script, .open_globals = true });
    script->gone = &gone;
    if (script_load(script, vm, err)) {
        if (from != L)
            lua_xmove(L, from, 1);
        lua_insert(from, -nargs - 1); /* f, args... */
        script->task = make_script_task(script, from, nargs, err);
    } else {
        lua_pop(from, nargs);
    }
    if (!script->task) {
        script_free(script);
        return NULL;
    }
    script->anchors = anchors_begin(script->task);
    task_go(script->task);
    if (!gone)
        script->gone = NULL;
    error_set(err, "", "%s", "");
    return gone ? NULL : script;
}

bool script_turn(struct script *script)
{
    return task_turn(script->task);
}

void script_cancel(struct script *script)
{
    task_cancel(script->task);
}
