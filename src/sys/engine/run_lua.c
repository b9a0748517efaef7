/* sys.engine.run_lua -- a guest script, its printed lines collected under a cap. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "sys/engine/pieces.h"
#include "sys/shared/script.h"
#include "sys/shared/tool_call.h"

enum {
    GUEST_TIMEOUT_S = 30,
    GUEST_MEMORY = 64 * 1024 * 1024,
    GUEST_CALLS = 1000,
    GUEST_OUTPUT = 64 * 1024,
};

struct guest_run {
    struct op op;
    struct script *script; /* NULL: it ended */
    struct buf output;
    size_t output_max;
    bool truncated;
};

static int run_gc(lua_State *L)
{
    struct guest_run *run = lua_touserdata(L, 1);

    buf_free(&run->output);
    return 0;
}

static void run_cancel(struct op *op)
{
    struct guest_run *run = container_of(op, struct guest_run, op);
    struct script *script = run->script;

    run->script = NULL;
    if (script)
        script_cancel(script);
}

static void on_print(void *arg, const char *text, size_t len)
{
    struct guest_run *run = arg;
    size_t room = run->output_max - run->output.len;

    if (len + 1 > room) {
        run->truncated = true;
        len = room ? room - 1 : 0;
        if (!room)
            return;
    }
    buf_add(&run->output, text, len);
    buf_addc(&run->output, '\n');
}

static int push_success(lua_State *L, struct guest_run *run, struct task *task, int nresults)
{
    lua_State *from = task_lua(task);

    lua_createtable(L, 0, 4); /* result */
    lua_pushlstring(L, run->output.len ? run->output.data : "", run->output.len);
    lua_setfield(L, -2, "output");
    lua_pushboolean(L, run->truncated);
    lua_setfield(L, -2, "truncated");
    lua_pushinteger(L, script_calls(run->script));
    lua_setfield(L, -2, "calls");
    if (nresults > 0) {
        lua_settop(from, lua_gettop(from) - nresults + 1);
        lua_xmove(from, L, 1);
        lua_setfield(L, -2, "value");
    }
    return 1;
}

static int push_failure(lua_State *L, struct guest_run *run, struct task *task, enum task_end end)
{
    char *traceback = NULL;
    struct error err;

    if (end == TASK_FAILED)
        task_error(task, &err, &traceback);
    else
        task_end_error(task, end, &err);
    lua_pushnil(L);
    lua_pushstring(L, traceback && strcmp(err.code, "runtime") == 0 ? traceback : err.text);
    lua_pushstring(L, err.code);
    lua_pushlstring(L, run->output.len ? run->output.data : "", run->output.len);
    free(traceback);
    return 4;
}

static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct guest_run *run = arg;
    lua_State *L = task_lua(run->op.task);
    int n;

    if (!run->script)
        return; /* the caller was cancelled */
    if (!lua_checkstack(L, 8))
        return;
    n = end == TASK_DONE ? push_success(L, run, task, nresults) : push_failure(L, run, task, end);
    run->script = NULL;
    task_wake(&run->op, n);
}

/* The option's number, within bounds. */
static double number_option(lua_State *L, const char *name, double absent, double max)
{
    double value = absent;

    if (lua_istable(L, 2)) {
        if (lua_getfield(L, 2, name) != LUA_TNIL) {
            value = luaL_checknumber(L, -1);
            if (!(value > 0 && value <= max))
                luaL_error(L, "%s must be more than 0 and at most %f", name, max);
        }
        lua_pop(L, 1);
    }
    return value;
}

/* sys.engine.run_lua(code [, options]) -> result | nil, text, code, output */
int engine_run_lua(lua_State *L)
{
    size_t len;
    const char *code = luaL_checklstring(L, 1, &len);
    struct task *task = task_here(L);
    struct script_spec spec = { .name = "run_lua", .guest = true, .parent = task };
    struct guest_run *run;
    struct error err;

    lua_settop(L, 2);
    spec.timeout_ms = (uint64_t)ceil(1000 * number_option(L, "timeout", GUEST_TIMEOUT_S, 86400));
    spec.memory = (size_t)number_option(L, "memory", GUEST_MEMORY, 1 << 30);
    spec.calls = (unsigned)number_option(L, "calls", GUEST_CALLS, 1000000);
    run = lua_newuserdatauv(L, sizeof *run, 0); /* code, options, run */
    *run = (struct guest_run){ .op = { task, run_cancel } };
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, run_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    run->output_max = (size_t)number_option(L, "output", GUEST_OUTPUT, 16 << 20);
    spec.text = code;
    spec.len = len;
    spec.print = on_print;
    spec.ended = on_ended;
    spec.arg = run;
    if (lua_istable(L, 2))
        lua_getfield(L, 2, "args");
    else
        lua_pushnil(L);
    run->script = script_run(sys_registry(L), L, 1, &spec, &err);
    if (!run->script)
        return bind_error(L, &err);
    return task_park(L, &run->op);
}
