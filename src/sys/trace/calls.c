/* sys.trace.calls -- a probe (script/probe.h) that knows the functions of sys modules.
 *
 * Each task has a stack of the calls that are under way. A call ends by returning, or by an error.
 * No hook tells of an error, so the next event finds that the frame of the call is gone. The time
 * that the listener takes is not part of any time. */
#include "sys/trace/calls.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/log.h"
#include "registry/call/call.h"
#include "script/bind.h"
#include "script/probe.h"
#include "script/vm.h"
#include "sys/trace/names.h"
#include "sys/trace/run.h"

#define CALLS "sys.trace.calls"

enum { AT_FN = 1, AT_LISTENER, AT_FILE, AT_CALLS };

/* Indices of the table that the registry has for a struct calls, by its address. */
enum { NAMES = 1, CALLED, RETURNED };

struct total {
    const char *name; /* from the table of names, so equal names have the same address */
    uint64_t count, took, most;
};

struct calls {
    struct probe probe;
    bool listens;
    const char *file; /* the file with the functions to report; AT_FILE holds it; or NULL */
    struct total *totals;
    size_t count, room;
    struct task *top;  /* its memory is counted */
    int64_t memory;    /* the most memory that it had */
    uint64_t lua, sys; /* nanoseconds of all tasks together: in Lua; in sys functions */
};

/* A call that is under way. */
struct open_call {
    const char *name;
    const void *frame; /* frame of the call; only compared */
    uint64_t began;
    int kept; /* reference to what the listener returned when the call began; or LUA_NOREF */
    unsigned depth;
    bool tool, own; /* own: of the file, so its time is that of Lua */
};

/* The probe's facts about a task. */
struct seen {
    struct open_call *open;
    size_t count, room;
    size_t outside; /* those of them that are not the file's own */
    uint64_t since; /* its Lua runs since then; 0: it does not run */
};

/* --- times -------------------------------------------------------------------------- */

static void lua_stops(struct calls *calls, struct seen *seen, uint64_t now)
{
    if (seen->since)
        calls->lua += now - seen->since;
    seen->since = 0;
}

static void lua_goes_on(struct seen *seen)
{
    if (!seen->outside && !seen->since)
        seen->since = uv_hrtime();
}

static struct total *total_of(struct calls *calls, const char *name)
{
    for (size_t i = 0; i < calls->count; i++)
        if (calls->totals[i].name == name)
            return &calls->totals[i];
    if (calls->count == calls->room) {
        calls->room = calls->room ? 2 * calls->room : 32;
        calls->totals = mem_resize(calls->totals, calls->room * sizeof *calls->totals);
    }
    calls->totals[calls->count] = (struct total){ .name = name };
    return &calls->totals[calls->count++];
}

static void count_call(struct calls *calls, const struct seen *seen, const struct open_call *open,
                       uint64_t took)
{
    struct total *total = total_of(calls, open->name);

    total->count++;
    total->took += took;
    if (took > total->most)
        total->most = took;
    if (!open->tool && !open->own && seen->outside == 0 && strncmp(open->name, "sys.task.", 9) != 0)
        calls->sys += took; /* a task that waits for others waits for the same things as they do */
}

/* --- the listener ---------------------------------------------------------------------- */

static void push_own(lua_State *L, const struct calls *calls, int what)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, calls);
    lua_rawgeti(L, -1, what);
    lua_remove(L, -2);
}

/* Calls the function below its nargs arguments. If it fails, returns false and leaves nothing. */
static bool call_function(lua_State *L, int nargs, int nresults)
{
    if (lua_pcall(L, nargs, nresults, 0) == LUA_OK)
        return true;
    log_debug("trace: %s", lua_tostring(L, -1));
    lua_pop(L, 1);
    return false;
}

/* Called for (name, depth, tool, arguments...) -> kept. The arguments are the local values `first`
 * to `last` of this frame. */
static int listener_called(lua_State *L, const struct calls *calls, const struct open_call *open,
                           lua_Debug *ar, int first, int last)
{
    if (!calls->listens || !lua_checkstack(L, last + LUA_MINSTACK))
        return LUA_NOREF;
    push_own(L, calls, CALLED);
    lua_pushstring(L, open->name);
    lua_pushinteger(L, (lua_Integer)open->depth);
    lua_pushboolean(L, open->tool);
    for (int i = first; i <= last; i++)
        if (!lua_getlocal(L, ar, i))
            lua_pushnil(L);
    if (!call_function(L, 3 + (last < first ? 0 : last - first + 1), 1))
        return LUA_NOREF;
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Called for (kept, how, name, depth, tool, seconds, results...). */
static void listener_returned(lua_State *L, const struct calls *calls, struct open_call *open,
                              const char *how, uint64_t took, lua_Debug *ar)
{
    int first = ar ? ar->ftransfer : 0, count = ar ? ar->ntransfer : 0;

    if (!calls->listens || !lua_checkstack(L, count + LUA_MINSTACK))
        return;
    push_own(L, calls, RETURNED);
    lua_rawgeti(L, LUA_REGISTRYINDEX, open->kept);
    lua_pushstring(L, how);
    lua_pushstring(L, open->name);
    lua_pushinteger(L, (lua_Integer)open->depth);
    lua_pushboolean(L, open->tool);
    lua_pushnumber(L, (double)took / 1e9);
    for (int i = 0; i < count; i++)
        if (!lua_getlocal(L, ar, first + i))
            lua_pushnil(L);
    call_function(L, 6 + count, 0);
    luaL_unref(L, LUA_REGISTRYINDEX, open->kept);
    open->kept = LUA_NOREF;
}

/* --- calls ------------------------------------------------------------------------------ */

static struct calls *calls_of(struct probe *probe)
{
    return container_of(probe, struct calls, probe);
}

static struct seen *calls_seen_of(struct task *task)
{
    void **seen = task_seen(task);

    if (!*seen)
        *seen = mem_zero(sizeof(struct seen));
    return *seen;
}

/* Ends the call on top. `ar` is its frame, which returns; NULL: the frame is gone. */
static void close_top(lua_State *L, struct calls *calls, struct seen *seen, const char *how,
                      lua_Debug *ar)
{
    struct open_call open = seen->open[--seen->count];
    uint64_t took = uv_hrtime() - open.began;

    seen->outside -= !open.own;
    count_call(calls, seen, &open, took);
    if (ar)
        lua_getinfo(L, "r", ar);
    listener_returned(L, calls, &open, how, took, ar);
}

/* True if the frame of the call is still on the stack, from `level` on. */
static bool call_is_there(lua_State *L, const struct open_call *open, int level)
{
    lua_Debug at;

    for (; lua_getstack(L, level, &at); level++)
        if (at.i_ci == open->frame)
            return true;
    return false;
}

/* Takes away the calls that an error ended. `level` is 1 if the running frame is new, so that an
 * earlier call in its place is over. It is 0 if the frame stays, as in a tail call. */
static void close_gone(lua_State *L, struct calls *calls, struct seen *seen, int level)
{
    if (!seen->count)
        return;
    while (seen->count && !call_is_there(L, &seen->open[seen->count - 1], level))
        close_top(L, calls, seen, task_late(L) ? "unfinished" : "raised", NULL);
    lua_goes_on(seen);
}

/* Replaces a C function on top by its name. If it has none, returns false and pops it. */
static bool push_c_name(lua_State *L, const struct calls *calls)
{
    push_own(L, calls, NAMES); /* f, names */
    lua_insert(L, -2);         /* names, f */
    lua_rawget(L, -2);         /* names, name */
    lua_remove(L, -2);
    if (lua_type(L, -1) == LUA_TSTRING)
        return true;
    lua_pop(L, 1);
    return false;
}

/* Pushes the name of the function that begins, or returns false. `args` is the number of its
 * arguments; `own` whether it is the file's, or called by it. */
static bool push_name(lua_State *L, const struct calls *calls, lua_Debug *ar, int *args, bool *own)
{
    lua_getinfo(L, "f", ar);
    if (lua_iscfunction(L, -1))
        return push_c_name(L, calls);
    lua_pop(L, 1);
    lua_getinfo(L, "Su", ar);
    *args = ar->nparams;
    if (trace_push_lua_name(L, ar))
        return true;
    return *own = calls->file && trace_push_file_name(L, ar, calls->file);
}

/* Replaces the name on top by that of the tool that a function calls, which is its first
 * argument. */
static void name_tool(lua_State *L, lua_Debug *ar)
{
    lua_pop(L, 1);
    if (!lua_getlocal(L, ar, 1))
        lua_pushnil(L);
    lua_pushfstring(L, "tools.%s", lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?");
    lua_remove(L, -2);
}

/* Pops the name on top and returns a text that is always the same for the same name. */
static const char *keep_name(lua_State *L, const struct calls *calls)
{
    const char *name;

    push_own(L, calls, NAMES); /* name, names */
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) != LUA_TSTRING) { /* name, names, nil */
        lua_pop(L, 1);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -1);
        lua_rawset(L, -3); /* name, names */
        lua_pushvalue(L, -2);
    }
    name = lua_tostring(L, -1); /* the table holds it */
    lua_pop(L, 3);
    return name;
}

static void add_open(struct seen *seen, const struct open_call *open)
{
    if (seen->count == seen->room) {
        seen->room = seen->room ? 2 * seen->room : 4;
        seen->open = mem_resize(seen->open, seen->room * sizeof *seen->open);
    }
    seen->open[seen->count++] = *open;
}

/* Begins a call. A lack of memory raises here, as it does in the code that is looked on. */
static void on_traced_call(struct probe *probe, struct task *task, lua_State *L, lua_Debug *ar)
{
    struct calls *calls = calls_of(probe);
    struct seen *seen = calls_seen_of(task);
    struct open_call open = { .frame = ar->i_ci, .kept = LUA_NOREF };
    int args = lua_gettop(L); /* the number of a C function's arguments */
    uint64_t now;

    close_gone(L, calls, seen, ar->event == LUA_HOOKTAILCALL ? 0 : 1);
    if (!push_name(L, calls, ar, &args, &open.own))
        return;
    if (open.own && seen->count && seen->open[seen->count - 1].frame == ar->i_ci) {
        lua_pop(L, 1); /* a tail call: it ends with the call that made it */
        return;
    }
    now = uv_hrtime();
    open.tool = strcmp(lua_tostring(L, -1), TRACE_TOOL) == 0;
    if (open.tool)
        name_tool(L, ar);
    open.name = keep_name(L, calls);
    if (!trace_by_tool(L))
        return;
    if (!open.own)
        lua_stops(calls, seen, now);
    seen->outside += !open.own;
    open.depth = call_depth(call_above(task));
    open.kept = open.tool ? listener_called(L, calls, &open, ar, 2, args < 2 ? args : 2)
                          : listener_called(L, calls, &open, ar, 1, args);
    open.began = uv_hrtime();
    add_open(seen, &open);
}

static void on_traced_return(struct probe *probe, struct task *task, lua_State *L, lua_Debug *ar)
{
    struct calls *calls = calls_of(probe);
    struct seen *seen = *task_seen(task);

    if (!seen || !seen->count)
        return;
    if (ar->i_ci != seen->open[seen->count - 1].frame) {
        close_gone(L, calls, seen, 0);
        return;
    }
    close_top(L, calls, seen, "returned", ar);
    lua_goes_on(seen);
}

/* --- turns ------------------------------------------------------------------------------- */

static void look_at_memory(struct calls *calls)
{
    int64_t memory = task_memory(calls->top);

    if (memory > calls->memory)
        calls->memory = memory;
}

static void on_traced_begin(struct probe *probe, struct task *task, uint64_t now)
{
    struct seen *seen = calls_seen_of(task);

    (void)probe;
    if (!seen->outside)
        seen->since = now;
}

static void on_traced_leave(struct probe *probe, struct task *task, uint64_t now)
{
    struct calls *calls = calls_of(probe);

    lua_stops(calls, calls_seen_of(task), now);
    look_at_memory(calls);
}

static void on_traced_look(struct probe *probe, struct task *task, lua_State *L, uint64_t now)
{
    (void)task;
    (void)L;
    (void)now;
    look_at_memory(calls_of(probe));
}

struct leftovers {
    struct calls *calls;
    struct seen *seen;
};

/* Called with (leftovers). */
static int close_leftovers(lua_State *L)
{
    const struct leftovers *left = lua_touserdata(L, 1);

    while (left->seen->count)
        close_top(L, left->calls, left->seen, "unfinished", NULL);
    return 0;
}

/* Called for a task that was ended, or failed in one of its calls. */
static void on_traced_task_ended(struct probe *probe, struct task *task)
{
    struct leftovers left = { calls_of(probe), *task_seen(task) };

    if (!left.seen)
        return;
    if (left.seen->count)
        vm_run(vm_of(task_lua(task)), close_leftovers, &left, NULL);
    free(left.seen->open);
    free(left.seen);
    *task_seen(task) = NULL;
}

/* --- the whole ---------------------------------------------------------------------------- */

static int calls_gc(lua_State *L)
{
    struct calls *calls = luaL_checkudata(L, 1, CALLS);

    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, calls);
    free(calls->totals);
    calls->totals = NULL;
    calls->count = 0;
    return 0;
}

/* Sets registry[calls] = { names, listener.called, listener.returned }. */
static void keep_own(lua_State *L, struct calls *calls)
{
    lua_createtable(L, RETURNED, 0);
    trace_push_names(L);
    lua_rawseti(L, -2, NAMES);
    if (lua_istable(L, AT_LISTENER)) {
        calls->listens = true;
        lua_getfield(L, AT_LISTENER, "called");
        lua_rawseti(L, -2, CALLED);
        lua_getfield(L, AT_LISTENER, "returned");
        lua_rawseti(L, -2, RETURNED);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, calls);
}

static struct calls *push_calls(lua_State *L)
{
    struct calls *calls = lua_newuserdatauv(L, sizeof *calls, 0);

    *calls = (struct calls){ .probe = { .called = on_traced_call,
                                        .returned = on_traced_return,
                                        .looked = on_traced_look,
                                        .begins = on_traced_begin,
                                        .leaves = on_traced_leave,
                                        .ended = on_traced_task_ended } };
    luaL_setmetatable(L, CALLS);
    keep_own(L, calls);
    return calls;
}

static void set_seconds(lua_State *L, const char *key, uint64_t time)
{
    lua_pushnumber(L, (double)time / 1e9);
    lua_setfield(L, -2, key);
}

/* Sets report.calls = { { name =, count =, seconds =, most = }, ... }. */
static void set_totals(lua_State *L, const struct calls *calls)
{
    lua_createtable(L, (int)calls->count, 0);
    for (size_t i = 0; i < calls->count; i++) {
        const struct total *total = &calls->totals[i];

        lua_createtable(L, 0, 4);
        lua_pushstring(L, total->name);
        lua_setfield(L, -2, "name");
        lua_pushinteger(L, (lua_Integer)total->count);
        lua_setfield(L, -2, "count");
        set_seconds(L, "seconds", total->took);
        set_seconds(L, "most", total->most);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "calls");
}

static int calls_finish(lua_State *L, int status, lua_KContext context)
{
    const struct calls *calls = luaL_checkudata(L, AT_CALLS, CALLS);

    (void)status;
    (void)context;
    trace_push_report(L, AT_CALLS); /* report */
    set_totals(L, calls);
    set_seconds(L, "lua", calls->lua);
    set_seconds(L, "sys", calls->sys);
    lua_pushinteger(L, calls->memory);
    lua_setfield(L, -2, "memory");
    return 1;
}

/* sys.trace.calls(fn [, listener [, file]]) -> report */
int trace_calls(lua_State *L)
{
    struct calls *calls;

    luaL_checktype(L, AT_FN, LUA_TFUNCTION);
    luaL_argcheck(L, lua_isnoneornil(L, AT_LISTENER) || lua_istable(L, AT_LISTENER), AT_LISTENER,
                  "a table with the functions called and returned expected");
    lua_settop(L, AT_FILE);
    calls = push_calls(L);
    calls->file = luaL_optstring(L, AT_FILE, NULL);
    return trace_run(L, &calls->probe, &calls->top, calls_finish);
}

void trace_calls_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", calls_gc }, { NULL, NULL } };

    bind_metatable(L, CALLS, meta, NULL);
}
