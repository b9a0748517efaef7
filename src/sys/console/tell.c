/* sys.console.tell -- what the client of a console hears while its call runs. */
#include <lauxlib.h>

#include "registry/call/call_struct.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/console/pieces.h"

struct telling {
    struct op op;
    struct wakeup wakeup;
};

static void telling_cancel(struct op *op)
{
    list_remove(&container_of(op, struct telling, op)->wakeup.link);
}

static void on_sink_room(struct wakeup *wakeup)
{
    task_wake(&container_of(wakeup, struct telling, wakeup)->op, 0);
}

static struct call *client_call(lua_State *L)
{
    struct call *call = call_above(task_current(L));

    while (call && !call->spec.tell)
        call = call_parent(call);
    return call;
}

/* Called with (name, value, buffer, telling). Tries until there is room. */
static int try_to_tell(lua_State *L, int status, lua_KContext context)
{
    struct buf *json = lua_touserdata(L, 3);
    struct telling *telling = lua_touserdata(L, 4);
    struct call *call = client_call(L);

    (void)status;
    (void)context;
    if (!call)
        return bind_fail(L, "no_client", "no client of a console made this call");
    if (!call->spec.tell(call->spec.arg, lua_tostring(L, 1), buf_str(json), &telling->wakeup))
        return task_park_then(L, &telling->op, 0, try_to_tell);
    buf_free(json);
    lua_pushboolean(L, 1);
    return 1;
}

static bool is_plain_name(const char *name)
{
    return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name);
}

/* sys.console.tell(name, value) -> true | nil, text, code */
int console_tell(lua_State *L)
{
    struct task *task = task_here(L);
    struct telling *telling;
    struct buf *json;
    struct error err;

    luaL_argcheck(L, is_plain_name(luaL_checkstring(L, 1)), 1, "a-z and _ expected");
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    json = bind_buffer(L); /* name, value, buffer */
    if (!value_write_json(L, 2, json, &err))
        return luaL_argerror(L, 2, lua_pushfstring(L, "%s", err.text));
    luaL_argcheck(L, json->len && *json->data == '{', 2, "names and values expected");
    telling = lua_newuserdatauv(L, sizeof *telling, 0); /* ..., telling */
    *telling = (struct telling){ .op = { task, telling_cancel, "its client to read", NULL },
                                 .wakeup.wake = on_sink_room };
    list_init(&telling->wakeup.link);
    return try_to_tell(L, LUA_OK, 0);
}
