/* sys.dbus -- calls of methods over D-Bus, on other threads; lua/lib/sys/dbus.lua has the rest. */
#include "process/bus.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "json/document.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/dbus_wire.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { TIMEOUT_S = 1, TIMEOUT_MAX_S = 60 };

struct dbus_work {
    struct thread_call call;
    char *address;          /* owned; NULL: the session's */
    struct json_doc *calls; /* owned */
    uint64_t ms;
    struct buf out;
    struct json_doc *answers; /* owned; read from `out` */
};

static struct dbus_work *dbus_work_of(struct thread_call *call)
{
    return container_of(call, struct dbus_work, call);
}

static void dbus_work_clear(struct thread_call *call)
{
    struct dbus_work *work = dbus_work_of(call);

    free(work->address);
    json_doc_free(work->calls);
    json_doc_free(work->answers);
    buf_free(&work->out);
}

static bool dbus_work_run(struct thread_call *call, struct error *err)
{
    struct dbus_work *work = dbus_work_of(call);

    return bus_calls(work->address, json_root(work->calls), work->ms, &work->out, err);
}

static int dbus_work_push(lua_State *L, struct thread_call *call)
{
    static const struct json_limits limits = { 2 * (size_t)BUS_ANSWER_MAX, 256, 10000000 };
    struct dbus_work *work = dbus_work_of(call);
    struct error err;

    work->answers = json_parse(work->out.data, work->out.len, &limits, &err);
    if (!work->answers)
        return bind_error(L, &err);
    value_push_json(L, json_root(work->answers));
    return 1;
}

static bool is_list(lua_State *L, int index)
{
    if (!lua_istable(L, index))
        return false;
    lua_pushnil(L);
    if (!lua_next(L, index)) /* an empty table may be a list */
        return true;
    lua_pop(L, 2);
    return value_is_array(L, index);
}

static bool may_call(const cJSON *calls, struct error *err)
{
    const cJSON *call;

    cJSON_ArrayForEach (call, calls) {
        if (dbus_refuses(call, err))
            return false;
    }
    return true;
}

/* sys.dbus.calls(bus, calls [, { timeout = 1 }]) -> answers | nil, text, code */
static int dbus_calls(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    const char *address = luaL_checkstring(L, 1);
    double seconds = TIMEOUT_S;
    struct dbus_work *work;
    struct buf *text;
    struct error err;

    luaL_argexpected(L, is_list(L, 2), 2, "list of calls");
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        bind_check_fields(L, 3, options);
        seconds = bind_number(L, 3, "timeout", TIMEOUT_S, 0, TIMEOUT_MAX_S);
    }
    text = bind_buffer(L);
    if (!value_write_json(L, 2, text, &err) || !bus_ready(&err))
        return bind_error(L, &err);
    work = thread_call_new(L, sizeof *work, dbus_work_clear);
    work->call.run = dbus_work_run;
    work->call.push = dbus_work_push;
    work->ms = (uint64_t)ceil(seconds * 1000);
    work->address = strcmp(address, "session") == 0 ? NULL : mem_strdup(address);
    work->calls = json_parse(text->data, text->len, NULL, &err);
    if (!work->calls || !may_call(json_root(work->calls), &err))
        return bind_error(L, &err);
    return thread_call_in_pool(L, &work->call);
}

static const luaL_Reg dbus_funcs[] = { { "calls", dbus_calls },
                                       { "connect", dbus_connect },
                                       { NULL, NULL } };

int luaopen_sys_dbus(lua_State *L)
{
    dbus_wire_init(L);
    luaL_newlib(L, dbus_funcs);
    return 1;
}
