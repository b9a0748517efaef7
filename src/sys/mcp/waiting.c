/* sys.mcp -- the methods of a client that ask its server and wait for the answer. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "script/task.h"
#include "script/value.h"
#include "sys/mcp/connection.h"
#include "json/document.h"
#include "json/writer.h"

static const char WAITING_TYPE[] = "sys.mcp.waiting";

static int waiting_gc(lua_State *L)
{
    struct lua_mcp_waiting *waiting = lua_touserdata(L, 1);

    buf_free(&waiting->params);
    buf_free(&waiting->items);
    return 0;
}

void lua_mcp_open_calls(lua_State *L)
{
    luaL_newmetatable(L, WAITING_TYPE);
    lua_pushcfunction(L, waiting_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}

static void drop_queues(struct lua_mcp_waiting *waiting)
{
    event_queue_free(waiting->progress);
    event_queue_free(waiting->status);
    waiting->progress = waiting->status = NULL;
}

static void waiting_cancel(struct op *op)
{
    struct lua_mcp_waiting *waiting = container_of(op, struct lua_mcp_waiting, op);

    if (waiting->call)
        client_cancel(waiting->call, "the caller gave up");
    if (waiting->listing)
        client_list_cancel(waiting->listing);
    waiting->call = NULL;
    waiting->listing = NULL;
    drop_queues(waiting);
}

/* Pushes it. */
struct lua_mcp_waiting *lua_mcp_wait(lua_State *L, lua_CFunction push)
{
    struct lua_mcp *session = lua_mcp_check(L);
    struct task *task = task_here(L);
    struct lua_mcp_waiting *waiting = lua_newuserdatauv(L, sizeof *waiting, 0);

    *waiting = (struct lua_mcp_waiting){ .op = { task, waiting_cancel },
                                         .session = session,
                                         .push = push };
    luaL_setmetatable(L, WAITING_TYPE);
    return waiting;
}

/* --- what comes back -------------------------------------------------------------- */

/* (result) -> the same as a Lua value */
int lua_mcp_push_plain(lua_State *L)
{
    value_push_json(L, lua_touserdata(L, 1));
    return 1;
}

static void push_text(lua_State *L, const cJSON *result)
{
    const cJSON *block;
    luaL_Buffer text;
    bool first = true;

    luaL_buffinit(L, &text);
    cJSON_ArrayForEach (block, json_get(result, "content")) {
        const cJSON *node = json_get(block, "text");

        if (!cJSON_IsString(node))
            continue;
        if (!first)
            luaL_addchar(&text, '\n');
        luaL_addlstring(&text, json_string(node).ptr, json_string(node).len);
        first = false;
    }
    luaL_pushresult(&text);
}

/* (result of tools/call) -> the same with `text` */
static int push_call_result(lua_State *L)
{
    const cJSON *result = lua_touserdata(L, 1);

    value_push_json(L, result); /* t */
    if (!cJSON_IsArray(json_get(result, "content"))) {
        lua_newtable(L);
        value_mark_array(L, -1);
        lua_setfield(L, -2, "content");
    }
    push_text(L, result); /* t, text */
    lua_setfield(L, -2, "text");
    return 1;
}

/* (answer) -> nil, text, code, data | nil, number | nil */
int lua_mcp_push_failure(lua_State *L)
{
    const struct client_answer *answer = lua_touserdata(L, 1);

    lua_pushnil(L);
    if (answer->rpc_message.len) {
        lua_pushlstring(L, answer->rpc_message.ptr, answer->rpc_message.len);
        lua_pushfstring(L, " (%I)", (LUAI_UACINT)answer->rpc_code);
        lua_concat(L, 2);
    } else {
        lua_pushstring(L, answer->error->text);
    }
    lua_pushstring(L, answer->error->code);
    value_push_json(L, answer->rpc_data);
    if (answer->rpc_code)
        lua_pushinteger(L, answer->rpc_code);
    else
        lua_pushnil(L);
    return 5;
}

void lua_mcp_wake(struct lua_mcp_waiting *waiting, lua_CFunction push, const void *job,
                  int nresults)
{
    lua_State *L = task_lua(waiting->op.task);
    struct error err;

    waiting->call = NULL;
    waiting->listing = NULL;
    drop_queues(waiting);
    if (!lua_mcp_push(waiting->session->vm, L, push, (void *)job, nresults, &err))
        nresults = bind_error(L, &err);
    task_wake(&waiting->op, nresults);
}

static void on_done(void *arg, const struct client_answer *answer)
{
    struct lua_mcp_waiting *waiting = arg;

    if (answer->result)
        lua_mcp_wake(waiting, waiting->push, answer->result, 1);
    else
        lua_mcp_wake(waiting, lua_mcp_push_failure, answer, 5);
}

/* Always wanted, because progress gives the answer more time. */
static void on_progress(void *arg, double progress, double total, const char *message)
{
    struct lua_mcp_waiting *waiting = arg;

    if (waiting->progress)
        event_queue_progress(waiting->progress, progress, total, message);
}

static void on_status(void *arg, const char *status, const char *message)
{
    struct lua_mcp_waiting *waiting = arg;
    struct buf json = { 0 };

    if (!waiting->status)
        return;
    if (message)
        json_write_string(&json, message, strlen(message));
    event_queue_json(waiting->status, status, message ? buf_text(&json) : NULL);
    buf_free(&json);
}

/* --- requests --------------------------------------------------------------------- */

struct client *lua_mcp_client(const struct lua_mcp_waiting *waiting, struct error *err)
{
    struct lua_mcp *session = waiting->session;

    if (session->client)
        return session->client;
    error_set(err, "closed", "%s", session->why.text);
    return NULL;
}

static void read_timeout(lua_State *L, int index, const struct lua_mcp *session,
                         struct client_limits *limits)
{
    lua_Number seconds;

    if (lua_getfield(L, index, "timeout") != LUA_TNIL) {
        seconds = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : -1;
        luaL_argcheck(L, seconds > 0 && seconds <= 86400, index,
                      "timeout: more than 0, at most 86400 seconds");
        limits->timeout_ms = (uint64_t)ceil(seconds * 1000);
        if (limits->timeout_ms > session->max_ms)
            limits->max_ms = limits->timeout_ms;
    }
    lua_pop(L, 1);
}

/* Pushes table[name], a function or nil. */
static void push_function(lua_State *L, int table, const char *name, int index)
{
    if (lua_getfield(L, table, name) != LUA_TNIL && !lua_isfunction(L, -1))
        luaL_argerror(L, index, lua_pushfstring(L, "%s: expected a function", name));
}

/* options.task: true, or {ttl = seconds, status = function}. Pushes the function, or nil. The time
 * of an answer is no limit of a task. */
static void read_task(lua_State *L, int index, struct lua_mcp_waiting *waiting,
                      struct client_limits *limits)
{
    int type = lua_getfield(L, index, "task"); /* task */
    lua_Number seconds;

    if (type != LUA_TTABLE && type != LUA_TBOOLEAN && type != LUA_TNIL)
        luaL_argerror(L, index, "task: expected true or a table");
    waiting->may_be_task = lua_toboolean(L, -1);
    if (waiting->may_be_task)
        limits->max_ms = 0;
    if (type != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_pushnil(L);
        return;
    }
    if (lua_getfield(L, -1, "ttl") != LUA_TNIL) { /* task, ttl */
        seconds = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : -1;
        luaL_argcheck(L, seconds > 0 && seconds <= 31536000, index,
                      "task.ttl: more than 0 seconds, at most a year");
        waiting->task.ttl_ms = (uint64_t)ceil(seconds * 1000);
    }
    lua_pop(L, 1);
    push_function(L, lua_gettop(L), "status", index); /* task, status */
    lua_remove(L, -2);
}

/* options.timeout, options.progress and options.task; the table is at that index, or nil. Nothing
 * is made before all is checked. */
static void read_options(lua_State *L, int index, struct lua_mcp_waiting *waiting,
                         struct client_limits *limits)
{
    *limits = (struct client_limits){ 0 };
    if (lua_isnoneornil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    read_timeout(L, index, waiting->session, limits);
    push_function(L, index, "progress", index);
    read_task(L, index, waiting, limits); /* progress, status */
    luaL_argcheck(L, !waiting->may_be_task || waiting->push == push_call_result, index,
                  "task: only a call of a tool can be one");
    if (!lua_isnil(L, -2))
        waiting->progress = event_queue_new(L, lua_gettop(L) - 1, "mcp progress", waiting->op.task);
    if (!lua_isnil(L, -1))
        waiting->status = event_queue_new(L, lua_gettop(L), "mcp status", waiting->op.task);
    lua_pop(L, 2);
}

/* The last thing of a method: sends, and parks the task. */
int lua_mcp_ask(lua_State *L, struct lua_mcp_waiting *waiting, const char *method, int options)
{
    static const struct client_callbacks callbacks = { on_done, on_progress, on_status };
    const char *params = waiting->params.len ? buf_text(&waiting->params) : NULL;
    struct client_limits limits;
    struct client *client;
    struct error err;

    luaL_checkstack(L, 10, "no room");
    read_options(L, options, waiting, &limits);
    client = lua_mcp_client(waiting, &err);
    if (client && waiting->may_be_task)
        waiting->call =
            client_request_task(client, params, &waiting->task, &limits, &callbacks, waiting, &err);
    else if (client)
        waiting->call = client_request(client, method, params, &limits, &callbacks, waiting, &err);
    buf_free(&waiting->params);
    if (waiting->call)
        return task_park(L, &waiting->op);
    drop_queues(waiting);
    return bind_error(L, &err);
}

/* Appends the table at that index as a JSON object; an empty list is one, too. */
void lua_mcp_write_object(lua_State *L, int index, struct buf *out)
{
    size_t start = out->len;
    struct error err;

    if (!value_write_json(L, index, out, &err))
        luaL_argerror(L, index, lua_pushfstring(L, "%s", err.text));
    if (out->len - start == 2)
        memcpy(out->data + start, "{}", 2);
    luaL_argcheck(L, out->data[start] == '{', index, "expected names and values, not a list");
}

/* `{"name":NAME` and, of the table at index 3, `,"arguments":{...}`, and `}` */
static void write_named(lua_State *L, struct buf *out)
{
    size_t len;
    const char *name = luaL_checklstring(L, 2, &len);

    buf_lit(out, "{\"name\":");
    json_write_string(out, name, len);
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        buf_lit(out, ",\"arguments\":");
        lua_mcp_write_object(L, 3, out);
    }
    buf_addc(out, '}');
}

/* client:call(name [, arguments [, options]]) -> result | nil, text, code, data */
int mcp_client_call(lua_State *L)
{
    struct lua_mcp_waiting *waiting;

    lua_settop(L, 4);
    waiting = lua_mcp_wait(L, push_call_result);
    write_named(L, &waiting->params);
    return lua_mcp_ask(L, waiting, "tools/call", 4);
}

/* client:get_prompt(name [, arguments]) -> result | nil, text, code, data */
int mcp_client_get_prompt(lua_State *L)
{
    struct lua_mcp_waiting *waiting;

    lua_settop(L, 4);
    waiting = lua_mcp_wait(L, lua_mcp_push_plain);
    write_named(L, &waiting->params);
    return lua_mcp_ask(L, waiting, "prompts/get", 4);
}

/* client:request(method [, params [, options]]) -> result | nil, text, code, data */
int mcp_client_request(lua_State *L)
{
    struct lua_mcp_waiting *waiting;
    const char *method;

    lua_settop(L, 4);
    waiting = lua_mcp_wait(L, lua_mcp_push_plain);
    method = luaL_checkstring(L, 2);
    if (!lua_isnil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        lua_mcp_write_object(L, 3, &waiting->params);
    }
    return lua_mcp_ask(L, waiting, method, 4);
}
