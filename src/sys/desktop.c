/* sys.desktop -- what concerns the whole desktop: the stop, and a hold while a question to the user
 * is open.
 *
 * The hold is a value on the stack of hold() that is to be closed, so it ends with the function
 * that it is for, and with the task. */
#include <lauxlib.h>
#include <math.h>

#include "base/timer.h"
#include "platform/deadline.h"
#include "script/bind.h"
#include "sys/shared/desktop_service.h"
#include "sys/sys.h"

#define HELD "sys.desktop.Hold"

enum { HOLD_WAIT_S = 10, HOLD_WAIT_MAX_S = 600, LOOK_MS = 10 };

/* Indices on the stack of hold(). */
enum { FUNCTION = 1, OPTIONS, HOLD };

struct hold {
    struct op op;
    const struct place_files *files; /* the files of the service, which outlives tasks */
    struct hold_mark mark;
    struct timer *timer; /* borrowed: the loop owns it until it fires */
    uint64_t until;      /* deadline_now(); running actions have until then */
    bool quiet;
};

static int hold_close(lua_State *L)
{
    struct hold *hold = luaL_checkudata(L, 1, HELD);

    hold_mark_clear(&hold->mark);
    return 0;
}

static void on_hold_look_due(void *arg)
{
    struct hold *hold = arg;

    hold->timer = NULL;
    hold->quiet = hold_mark_quiet(hold->files);
    if (hold->quiet || deadline_now() >= hold->until)
        task_wake(&hold->op, 0);
    else
        hold->timer =
            timer_after(vm_loop(vm_of(task_lua(hold->op.task))), LOOK_MS, on_hold_look_due, hold);
}

static void hold_cancel(struct op *op)
{
    struct hold *hold = container_of(op, struct hold, op);

    timer_forget(hold->timer);
    hold->timer = NULL;
}

static int after_hold_call(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    return lua_gettop(L) - HOLD; /* values on the stack are closed on return */
}

static int hold_begun(lua_State *L, int status, lua_KContext context)
{
    struct hold *hold = lua_touserdata(L, HOLD);

    (void)context;
    if (!hold->quiet)
        return bind_fail(L, "timeout",
                         "an action on this display was still under way when the time limit was "
                         "over, so nothing can be asked yet. Try again when it has ended");
    lua_settop(L, HOLD);
    lua_pushvalue(L, FUNCTION);
    lua_callk(L, 0, LUA_MULTRET, 0, after_hold_call);
    return after_hold_call(L, status, 0);
}

/* sys.desktop.hold(fn [, options]) -> what fn returns | nil, text, code */
static int desktop_hold(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    struct task *task = task_here(L);
    struct error err;
    struct hold *hold;
    double seconds;

    luaL_checktype(L, FUNCTION, LUA_TFUNCTION);
    lua_settop(L, OPTIONS);
    if (lua_isnil(L, OPTIONS)) {
        lua_newtable(L);
        lua_replace(L, OPTIONS);
    }
    bind_check_fields(L, OPTIONS, options);
    seconds = bind_number(L, OPTIONS, "timeout", HOLD_WAIT_S, 0, HOLD_WAIT_MAX_S);
    hold = lua_newuserdatauv(L, sizeof *hold, 0); /* function, options, hold */
    *hold = (struct hold){ .op = { task, hold_cancel, "actions that are under way on the desktop",
                                   NULL },
                           .files = desktop_files(L) };
    luaL_setmetatable(L, HELD);
    lua_toclose(L, HOLD);
    if (!hold->files)
        return bind_fail(L, "not_supported", "no desktop is reachable from here");
    if (!hold_mark_set(hold->files, &hold->mark, &err))
        return bind_error(L, &err);
    hold->until = deadline_now() + (uint64_t)ceil(seconds * 1000);
    hold->quiet = hold_mark_quiet(hold->files);
    if (hold->quiet || seconds == 0)
        return hold_begun(L, LUA_OK, 0);
    hold->timer = timer_after(vm_loop(vm_of(L)), LOOK_MS, on_hold_look_due, hold);
    return task_park_then(L, &hold->op, 0, hold_begun);
}

/* sys.desktop.held() -> process id | nil */
static int desktop_held(lua_State *L)
{
    const struct place_files *files = desktop_files(L);
    int pid = files ? hold_mark_find(files) : 0;

    if (!pid)
        return 0;
    lua_pushinteger(L, pid);
    return 1;
}

/* sys.desktop.stopped() -> why | nil */
static int desktop_stopped(lua_State *L)
{
    struct error err;

    if (!desktop_input_stopped(L, &err))
        return 0;
    lua_pushstring(L, err.text);
    return 1;
}

static const luaL_Reg desktop_funcs[] = { { "held", desktop_held },
                                          { "hold", desktop_hold },
                                          { "stopped", desktop_stopped },
                                          { NULL, NULL } };

int luaopen_sys_desktop(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", hold_close },
                                     { "__gc", hold_close },
                                     { NULL, NULL } };

    bind_metatable(L, HELD, meta, NULL);
    luaL_newlib(L, desktop_funcs);
    return 1;
}
