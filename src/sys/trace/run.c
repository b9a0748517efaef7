#include "sys/trace/run.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <uv.h>

#include "script/bind.h"
#include "script/task.h"

#define RUN "sys.trace.run"

/* The wait for the function. It lies on the waiting task's stack. */
struct run {
    struct op op;
    struct task *child;
    uint64_t began, ended;
    enum task_end end;
    struct error err;
    char *traceback; /* owned; or NULL */
};

static void trace_run_cancel(struct op *op)
{
    struct run *run = container_of(op, struct run, op);
    struct task *child = run->child;

    run->child = NULL;
    if (child)
        task_cancel(child);
}

static int trace_run_gc(lua_State *L)
{
    struct run *run = lua_touserdata(L, 1);

    free(run->traceback);
    run->traceback = NULL;
    return 0;
}

static void on_traced_run_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct run *run = arg;
    lua_State *L = task_lua(run->op.task);

    if (end != TASK_DONE)
        task_pass_place(task, run->op.task);
    if (!run->child)
        return; /* the waiting task was ended */
    run->child = NULL;
    run->ended = uv_hrtime();
    run->end = end;
    if (end == TASK_FAILED)
        task_error(task, &run->err, &run->traceback);
    else if (end != TASK_DONE)
        task_end_error(task, end, &run->err);
    if (end != TASK_DONE || !lua_checkstack(L, nresults + LUA_MINSTACK))
        nresults = 0;
    lua_xmove(task_lua(task), L, nresults);
    task_wake(&run->op, nresults);
}

int trace_run(lua_State *L, struct probe *probe, struct task **top, lua_KFunction after)
{
    static const luaL_Reg meta[] = { { "__gc", trace_run_gc }, { NULL, NULL } };
    struct task *task = task_here(L);
    struct run *run;
    struct error err;

    luaL_checktype(L, 1, LUA_TFUNCTION);
    bind_metatable(L, RUN, meta, NULL);
    run = lua_newuserdatauv(L, sizeof *run, 0);
    *run = (struct run){ .op = { task, trace_run_cancel, OP_TASKS, NULL }, .began = uv_hrtime() };
    luaL_setmetatable(L, RUN);
    lua_pushvalue(L, 1);
    run->child = task_new(L, 0,
                          &(struct task_spec){ .name = task_name(task),
                                               .parent = task,
                                               .memory = (size_t)1 << 40, /* only to count it */
                                               .probe = probe,
                                               .ended = on_traced_run_ended,
                                               .arg = run },
                          &err);
    if (!run->child)
        return luaL_error(L, "%s", err.text);
    if (top)
        *top = run->child;
    task_go(run->child);
    return task_park_then(L, &run->op, 0, after);
}

static void set_text(lua_State *L, const char *key, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

void trace_push_report(lua_State *L, int top)
{
    const struct run *run = luaL_checkudata(L, top + 1, RUN);
    int count = lua_gettop(L) - top - 1;

    lua_createtable(L, 0, 8); /* report */
    lua_pushnumber(L, (double)(run->ended - run->began) / 1e9);
    lua_setfield(L, -2, "seconds");
    if (run->end != TASK_DONE) {
        set_text(L, "err", run->err.text);
        set_text(L, "code", run->err.code);
        set_text(L, "traceback", run->traceback);
        return;
    }
    lua_createtable(L, count, 1);
    for (int i = 1; i <= count; i++) {
        lua_pushvalue(L, top + 1 + i);
        lua_rawseti(L, -2, i);
    }
    lua_pushinteger(L, count);
    lua_setfield(L, -2, "n");
    lua_setfield(L, -2, "results");
}
