/* sys.trace.script -- a script as `perigee run` runs it, whose end the calling task waits for. */
#include "sys/trace/scripts.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "registry/call/caller.h"
#include "script/bind.h"
#include "script/wake.h"
#include "sys/shared/script.h"

struct running {
    struct op op;
    struct script *script; /* NULL: it has ended */
    bool failed;           /* the error is on top of the waiting task's stack */
};

enum { AT_NAME = 1, AT_TEXT, AT_FOLDER, AT_ARGS, AT_RUNNING };

static void running_cancel(struct op *op)
{
    struct running *running = container_of(op, struct running, op);
    struct script *script = running->script;

    running->script = NULL;
    if (script)
        script_cancel(script);
}

static void on_traced_script_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct running *running = arg;
    lua_State *L = task_lua(running->op.task);
    struct error err;

    if (end != TASK_DONE)
        task_pass_place(task, running->op.task);
    if (!running->script)
        return; /* the waiting task was ended */
    running->script = NULL;
    if (end != TASK_DONE && end != TASK_FAILED) {
        task_end_error(task, end, &err);
        task_wake_error(&running->op, &err);
        return;
    }
    running->failed = end == TASK_FAILED;
    if (!lua_checkstack(L, nresults + LUA_MINSTACK)) {
        running->failed = true;
        nresults = vm_push_shortage(task_lua(task)) - 1; /* the text is the error */
    }
    lua_xmove(task_lua(task), L, nresults);
    task_wake(&running->op, nresults);
}

static int finish_script(lua_State *L, int status, lua_KContext context)
{
    const struct running *running = lua_touserdata(L, AT_RUNNING);

    (void)status;
    (void)context;
    if (running->failed)
        return lua_error(L);
    return lua_gettop(L) - AT_RUNNING;
}

/* Sets require("perigee").args = { [0] = name, ... } and pushes its items. Returns their number. */
static int push_program_args(lua_State *L)
{
    int count = (int)lua_rawlen(L, AT_ARGS);

    luaL_checkstack(L, count + LUA_MINSTACK, "too many arguments");
    if (vm_push_module(L, "perigee")) {
        lua_createtable(L, count, 1);
        lua_pushvalue(L, AT_NAME);
        lua_rawseti(L, -2, 0);
        for (int i = 1; i <= count; i++) {
            lua_rawgeti(L, AT_ARGS, i);
            lua_rawseti(L, -2, i);
        }
        lua_setfield(L, -2, "args");
        lua_pop(L, 1);
    }
    for (int i = 1; i <= count; i++)
        lua_rawgeti(L, AT_ARGS, i);
    return count;
}

/* sys.trace.script(name, text, folder | nil, args) -> what it returned | nil, text, code */
int trace_script(lua_State *L)
{
    struct task *task = task_here(L);
    const struct tool_caller *caller = task_context(L);
    struct script_spec spec = { .name = luaL_checkstring(L, AT_NAME),
                                .folder = luaL_optstring(L, AT_FOLDER, NULL),
                                .reports = caller ? caller->reports : NULL,
                                .parent = task,
                                .ended = on_traced_script_ended };
    struct running *running;
    struct error err;
    int count;

    spec.text = luaL_checklstring(L, AT_TEXT, &spec.len);
    luaL_checktype(L, AT_ARGS, LUA_TTABLE);
    lua_settop(L, AT_ARGS);
    caller_set_default(CALLER_SCRIPT);
    running = lua_newuserdatauv(L, sizeof *running, 0);
    *running = (struct running){ .op = { task, running_cancel, OP_TASKS, NULL } };
    spec.arg = running;
    count = push_program_args(L);
    running->script = script_run(sys_registry(L), L, count, &spec, &err);
    if (!running->script)
        return bind_error(L,
                          &err); /* it does not compile: this task runs, so it cannot have ended */
    return task_park_then(L, &running->op, 0, finish_script);
}
