#include "guest/child/remote.h"

#include <lauxlib.h>
#include <math.h>

#include "base/log.h"
#include "guest/child/process.h"
#include "json/utf8.h"
#include "script/bind.h"
#include "script/packed.h"
#include "script/show.h"
#include "script/task.h"
#include "script/tools_table.h"
#include "script/value.h"
#include "sys/sys.h"

enum {
    NAME_MAX_BYTES = 1000,
    LOG_BYTES = 4000, /* bytes of a line; the engine cuts it there, too */
    OUT_FULL = 1 << 20,
};

struct guest_process guest_process;

void remote_said(size_t begun)
{
    frame_end(&guest_process.out, begun);
    if (guest_process.out.len > OUT_FULL)
        channel_send(&guest_process.channel, &guest_process.out);
}

/* --- calling a tool -------------------------------------------------------------------- */

struct remote {
    struct op op;
    struct link link;
    uint32_t id;
    struct buf answer;
};

static void remote_cancel(struct op *op)
{
    struct remote *remote = container_of(op, struct remote, op);

    list_remove(&remote->link);
    frame_end(&guest_process.out, frame_begin(&guest_process.out, FRAME_CANCEL, remote->id));
}

void remote_answer(struct frame *frame)
{
    list_each (link, &guest_process.calls) {
        struct remote *remote = container_of(link, struct remote, link);

        if (remote->id != frame->id)
            continue;
        list_remove(&remote->link);
        buf_add(&remote->answer, frame->payload.left.ptr, frame->payload.left.len);
        task_wake(&remote->op, 0);
        return;
    }
}

/* Pushes the failure that an ANSWER or SOURCE has. */
static int push_failure(lua_State *L, struct bytes *from)
{
    struct str text = bytes_get_str(from), code = bytes_get_str(from);

    lua_pushnil(L);
    lua_pushlstring(L, text.len ? text.ptr : "", text.len);
    lua_pushlstring(L, code.len ? code.ptr : "", code.len);
    return 3;
}

/* Reads the answer in the task again, so that a lack of memory is the script's error. */
static int remote_finish(lua_State *L, int status, lua_KContext context)
{
    struct remote *remote = (struct remote *)context;
    struct bytes from = { buf_str(&remote->answer), false };
    struct error err;
    int n = 1;

    (void)status;
    if (bytes_get_u8(&from))
        n = push_failure(L, &from);
    else if (!packed_push(L, &from.left, &err))
        n = bind_error(L, &err);
    buf_free(&remote->answer);
    return n;
}

static void add_arguments(lua_State *L, int index, struct buf *json)
{
    struct error err;
    bool ok = true;

    if (lua_isnoneornil(L, index))
        buf_lit(json, "{}");
    else
        ok = value_write_json_within(L, index, FRAME_GUEST_MAX, json, &err);
    if (!ok)
        luaL_error(L, "%s", err.text);
}

static double read_seconds(lua_State *L, int options)
{
    static const char *const names[] = { "timeout", NULL };
    double seconds = 0;

    bind_check_options(L, options, names);
    if (lua_istable(L, options)) {
        if (lua_getfield(L, options, "timeout") != LUA_TNIL) {
            seconds = luaL_checknumber(L, -1);
            luaL_argcheck(L, seconds > 0 && seconds <= 86400, options,
                          "timeout: more than 0, at most 86400 seconds");
        }
        lua_pop(L, 1);
    }
    return seconds;
}

/* (name, arguments, options) -> value | nil, text, code */
static int remote_call(lua_State *L)
{
    struct str name = { luaL_checkstring(L, 1), 0 };
    double seconds = read_seconds(L, 3);
    struct task *task = task_here(L);
    struct buf *json;
    struct remote *remote;
    size_t begun;

    name.len = lua_rawlen(L, 1);
    if (name.len > NAME_MAX_BYTES)
        return bind_fail(L, "not_found", "no tool has a name of so many bytes");
    lua_settop(L, 3);
    json = bind_buffer(L);
    add_arguments(L, 2, json);
    remote = lua_newuserdatauv(L, sizeof *remote, 0);
    *remote = (struct remote){ .op = { task, remote_cancel, "the engine", NULL },
                               .id = ++guest_process.last_id };
    begun = frame_begin(&guest_process.out, FRAME_CALL, remote->id);
    bytes_str(&guest_process.out, name);
    bytes_str(&guest_process.out, buf_str(json));
    bytes_double(&guest_process.out, seconds);
    frame_end(&guest_process.out, begun);
    list_push(&guest_process.calls, &remote->link);
    return task_park_then(L, &remote->op, (lua_KContext)remote, remote_finish);
}

/* --- questions whose answers are awaited at once ------------------------------------------- */

static struct buf ask_engine(enum frame_kind question, enum frame_kind answer,
                             const struct buf *payload)
{
    uint32_t id = ++guest_process.last_id;
    size_t begun = frame_begin(&guest_process.out, question, id);

    if (payload)
        buf_add(&guest_process.out, payload->data, payload->len);
    frame_end(&guest_process.out, begun);
    channel_send(&guest_process.channel, &guest_process.out);
    return channel_await(&guest_process.channel, answer, id);
}

/* Finds a module. Its root is known only when it is read. */
bool remote_find(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
                 struct error *err)
{
    struct buf question = { 0 }, answer;
    struct bytes from;
    struct str first, second;
    bool found;

    (void)arg;
    if (!path)
        return true;
    if (strlen(name) > NAME_MAX_BYTES)
        return error_set(err, "not_found", "no module has a name of so many bytes");
    bytes_u32(&question, (uint32_t)*home);
    bytes_str(&question, str_from(name));
    answer = ask_engine(FRAME_FIND, FRAME_SOURCE, &question);
    buf_free(&question);
    from = (struct bytes){ buf_str(&answer), false };
    found = bytes_get_u8(&from);
    *home = (int)bytes_get_u32(&from);
    first = bytes_get_str(&from);
    second = bytes_get_str(&from);
    if (found) {
        buf_add(path, first.ptr, first.len);
        buf_add(source, second.ptr, second.len);
    } else {
        error_set(err, "not_found", "%.*s", (int)first.len, first.ptr ? first.ptr : "");
    }
    buf_free(&answer);
    return found;
}

/* Pushes the list of the tools' names, which is asked for once. */
static void push_names(lua_State *L)
{
    static const char names_key;
    struct buf *answer;
    struct str bytes;
    struct error err;

    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &names_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    answer = bind_buffer(L); /* answer */
    *answer = ask_engine(FRAME_TOOLS, FRAME_NAMES, NULL);
    bytes = buf_str(answer);
    if (!packed_push(L, &bytes, &err))
        luaL_error(L, "%s", err.text);
    lua_remove(L, -2); /* names */
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &names_key);
}

/* (i) -> i + 1, name | nothing */
static int remote_next(lua_State *L)
{
    lua_Integer i = luaL_checkinteger(L, 1) + 1;

    push_names(L);
    lua_pushinteger(L, i);
    return lua_rawgeti(L, -2, i) == LUA_TSTRING ? 2 : 0;
}

void remote_push_tools(lua_State *L, bool raises)
{
    tools_table_push(L, remote_call, remote_next, raises);
}

/* --- modules ------------------------------------------------------------------------------ */

int luaopen_guest_perigee(lua_State *L)
{
    static const luaL_Reg funcs[] = { { "call", remote_call }, { NULL, NULL } };

    luaL_newlib(L, funcs);
    lua_pushliteral(L, PERIGEE_VERSION);
    lua_setfield(L, -2, "version");
    remote_push_tools(L, true);
    lua_setfield(L, -2, "tools");
    lua_newtable(L);
    lua_setfield(L, -2, "args");
    return 1;
}

int luaopen_guest_tools(lua_State *L)
{
    remote_push_tools(L, false);
    return 1;
}

void remote_log_line(enum log_level level, const char *text, size_t len)
{
    size_t begun = frame_begin(&guest_process.out, FRAME_LOG, 0);

    buf_addc(&guest_process.out, (char)level);
    bytes_str(&guest_process.out, (struct str){ text, utf8_cut(text, len, LOG_BYTES) });
    remote_said(begun);
}

/* Upvalue 1: the level. */
static int remote_log(lua_State *L)
{
    int level = (int)lua_tointeger(L, lua_upvalueindex(1)), n = lua_gettop(L);
    luaL_Buffer text;
    struct str line;

    for (int i = 1; i <= n; i++) {
        show_push(L, i, NULL);
        lua_replace(L, i);
    }
    luaL_buffinit(L, &text);
    for (int i = 1; i <= n; i++) {
        if (i > 1)
            luaL_addchar(&text, ' ');
        lua_pushvalue(L, i);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    line.ptr = lua_tolstring(L, -1, &line.len);
    remote_log_line((enum log_level)level, line.ptr, line.len);
    return 0;
}

int luaopen_guest_log(lua_State *L)
{
    static const struct {
        const char *name;
        enum log_level level;
    } levels[] = { { "debug", LOG_DEBUG },
                   { "error", LOG_ERROR },
                   { "info", LOG_INFO },
                   { "warn", LOG_WARNING } };

    lua_createtable(L, 0, (int)countof(levels));
    for (size_t i = 0; i < countof(levels); i++) {
        lua_pushinteger(L, levels[i].level);
        lua_pushcclosure(L, remote_log, 1);
        lua_setfield(L, -2, levels[i].name);
    }
    return 1;
}

/* At most the time that is left: the engine keeps the time, which stands still while a tool waits
 * for a person. */
static int remote_remaining(lua_State *L)
{
    double left = guest_process.deadline - (double)uv_hrtime() / 1e9;

    if (guest_process.deadline == 0)
        left = HUGE_VAL;
    lua_pushnumber(L, left > 0 ? left : 0);
    return 1;
}

int luaopen_guest_task(lua_State *L)
{
    static const luaL_Reg instead[] = { { "remaining", remote_remaining }, { NULL, NULL } };

    luaopen_sys_task(L);
    luaL_setfuncs(L, instead, 0);
    return 1;
}

/* Opens sys.time without sleep_until(), because the jail has none of the system's timers: a script
 * that waits for a time of day sleeps. */
int luaopen_guest_time(lua_State *L)
{
    luaopen_sys_time(L);
    lua_pushliteral(L, "sleep_until");
    lua_pushnil(L);
    lua_rawset(L, -3);
    return 1;
}
