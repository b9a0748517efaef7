/* sys.mcp -- asks a server and waits for the answer; puts lists together from their pages. */
#include "sys/mcp/waiting.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "json/document.h"
#include "json/writer.h"
#include "script/bind.h"
#include "script/task.h"
#include "script/value.h"
#include "script/vm.h"
#include "script/wake.h"
#include "sys/shared/tool_call.h"

enum { LIST_BYTES_MAX = 64 * 1024 * 1024 }; /* bytes of all pages of a list together */

static const char WAITING_TYPE[] = "sys.mcp.waiting";

static int mcp_waiting_gc(lua_State *L)
{
    struct mcp_waiting *waiting = lua_touserdata(L, 1);

    buf_free(&waiting->params);
    buf_free(&waiting->items);
    return 0;
}

void mcp_waiting_init(lua_State *L)
{
    luaL_newmetatable(L, WAITING_TYPE);
    lua_pushcfunction(L, mcp_waiting_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}

static void drop_queues(struct mcp_waiting *waiting)
{
    event_queue_free(waiting->progress);
    event_queue_free(waiting->status);
    waiting->progress = waiting->status = NULL;
}

static void mcp_waiting_cancel(struct op *op)
{
    struct mcp_waiting *waiting = container_of(op, struct mcp_waiting, op);

    if (waiting->call)
        client_cancel(waiting->call, "the caller gave up");
    if (waiting->listing)
        client_list_cancel(waiting->listing);
    waiting->call = NULL;
    waiting->listing = NULL;
    drop_queues(waiting);
}

/* Pushes a struct mcp_waiting. */
struct mcp_waiting *mcp_wait(lua_State *L, lua_CFunction push)
{
    struct mcp_connection *connection = mcp_connection_check(L);
    struct task *task = task_here(L);
    struct mcp_waiting *waiting = lua_newuserdatauv(L, sizeof *waiting, 0);

    *waiting = (struct mcp_waiting){ .op = { task, mcp_waiting_cancel, "the MCP server",
                                             connection->name },
                                     .connection = connection,
                                     .push = push };
    luaL_setmetatable(L, WAITING_TYPE);
    return waiting;
}

/* --- answers ---------------------------------------------------------------------- */

/* Called with (result). Pushes it as a Lua value. */
int mcp_push_plain(lua_State *L)
{
    value_push_json(L, lua_touserdata(L, 1));
    return 1;
}

/* Called with (result of tools/call). Pushes it as a Lua value with `text`. */
int mcp_push_call(lua_State *L)
{
    const cJSON *result = lua_touserdata(L, 1);

    value_push_json(L, result); /* t */
    if (!cJSON_IsArray(json_given(result, "content"))) {
        lua_newtable(L);
        value_mark_array(L, -1);
        lua_setfield(L, -2, "content");
    }
    tool_push_text(L, result); /* t, text */
    lua_setfield(L, -2, "text");
    return 1;
}

/* Called with (answer). Pushes nil, text, code, data or nil, number or nil. */
static int push_answer_failure(lua_State *L)
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

static void wake_waiting(struct mcp_waiting *waiting, lua_CFunction push, const void *job)
{
    waiting->call = NULL;
    waiting->listing = NULL;
    drop_queues(waiting);
    task_wake_with(&waiting->op, push, (void *)(uintptr_t)job);
}

static void on_waiting_done(void *arg, const struct client_answer *answer)
{
    struct mcp_waiting *waiting = arg;

    if (answer->result)
        wake_waiting(waiting, waiting->push, answer->result);
    else
        wake_waiting(waiting, push_answer_failure, answer);
}

/* Passes on progress. The client always wants it, because progress gives the answer more time. */
static void on_call_progress(void *arg, double progress, double total, const char *message)
{
    struct mcp_waiting *waiting = arg;

    if (waiting->progress)
        event_queue_progress(waiting->progress, progress, total, message);
}

static void on_status(void *arg, const char *status, const char *message)
{
    struct mcp_waiting *waiting = arg;
    struct buf json = { 0 };

    if (!waiting->status)
        return;
    if (message)
        json_write_string(&json, message, strlen(message));
    event_queue_json(waiting->status, status, message ? buf_text(&json) : NULL);
    buf_free(&json);
}

/* --- requests --------------------------------------------------------------------- */

static struct client *client_of(const struct mcp_waiting *waiting, struct error *err)
{
    struct mcp_connection *connection = waiting->connection;

    if (connection->client)
        return connection->client;
    error_set(err, "closed", "%s", connection->why.text);
    return NULL;
}

static void read_call_timeout(lua_State *L, int index, const struct mcp_connection *connection,
                              struct client_limits *limits)
{
    lua_Number seconds;

    if (lua_getfield(L, index, "timeout") != LUA_TNIL) {
        seconds = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : -1;
        luaL_argcheck(L, seconds > 0 && seconds <= 86400, index,
                      "timeout: more than 0, at most 86400 seconds");
        limits->timeout_ms = (uint64_t)ceil(seconds * 1000);
        if (limits->timeout_ms > connection->max_ms)
            limits->max_ms = limits->timeout_ms;
    }
    lua_pop(L, 1);
}

/* Pushes table[name], a function or nil. */
static void push_function_field(lua_State *L, int table, const char *name, int index)
{
    if (lua_getfield(L, table, name) != LUA_TNIL && !lua_isfunction(L, -1))
        luaL_argerror(L, index, lua_pushfstring(L, "%s: expected a function", name));
}

/* Reads options.task: true, or {ttl = seconds, status = function}. Pushes the function, or nil. The
 * time limit of an answer does not limit a task. */
static void read_task(lua_State *L, int index, struct mcp_waiting *waiting,
                      struct client_limits *limits)
{
    static const char *const names[] = { "status", "ttl", NULL };
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
    bind_check_inner(L, index, "task", names);
    if (lua_getfield(L, -1, "ttl") != LUA_TNIL) { /* task, ttl */
        seconds = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : -1;
        luaL_argcheck(L, seconds > 0 && seconds <= 31536000, index,
                      "task.ttl: more than 0 seconds, at most a year");
        waiting->task.ttl_ms = (uint64_t)ceil(seconds * 1000);
    }
    lua_pop(L, 1);
    push_function_field(L, lua_gettop(L), "status", index); /* task, status */
    lua_remove(L, -2);
}

/* Reads options.timeout, options.progress and options.task from the table (or nil) at that index.
 * Checks all before it makes anything. */
static void read_call_options(lua_State *L, int index, struct mcp_waiting *waiting,
                              struct client_limits *limits)
{
    static const char *const names[] = { "progress", "task", "timeout", NULL };

    *limits = (struct client_limits){ 0 };
    if (lua_isnoneornil(L, index))
        return;
    bind_check_fields(L, index, names);
    read_call_timeout(L, index, waiting->connection, limits);
    push_function_field(L, index, "progress", index);
    read_task(L, index, waiting, limits); /* progress, status */
    luaL_argcheck(L, !waiting->may_be_task || waiting->push == mcp_push_call, index,
                  "task: only a tool call can be a task");
    if (!lua_isnil(L, -2))
        waiting->progress = event_queue_new(L, lua_gettop(L) - 1, "mcp progress", waiting->op.task);
    if (!lua_isnil(L, -1))
        waiting->status = event_queue_new(L, lua_gettop(L), "mcp status", waiting->op.task);
    lua_pop(L, 2);
}

/* Sends the request and parks the task. The last statement of a method. */
int mcp_ask(lua_State *L, struct mcp_waiting *waiting, const char *method, int options)
{
    static const struct client_callbacks callbacks = { on_waiting_done, on_call_progress,
                                                       on_status };
    const char *params = waiting->params.len ? buf_text(&waiting->params) : NULL;
    struct client_limits limits;
    struct client *client;
    struct error err;

    luaL_checkstack(L, 10, "no room");
    read_call_options(L, options, waiting, &limits);
    client = client_of(waiting, &err);
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
void mcp_write_object(lua_State *L, int index, struct buf *out)
{
    size_t start = out->len;
    struct error err;

    if (!value_write_json(L, index, out, &err))
        luaL_argerror(L, index, lua_pushfstring(L, "%s", err.text));
    if (out->len - start == 2)
        memcpy(out->data + start, "{}", 2);
    luaL_argcheck(L, out->data[start] == '{', index, "expected names and values, not a list");
}

/* --- lists ------------------------------------------------------------------------- */

static void on_items_page(void *arg, const cJSON *items)
{
    struct mcp_waiting *waiting = arg;
    static const struct error too_large = { "too_large", "the server's list is larger than 64 MB" };
    const cJSON *item;

    cJSON_ArrayForEach (item, items) {
        if (waiting->items.len > 1)
            buf_addc(&waiting->items, ',');
        json_write(&waiting->items, item);
    }
    if (waiting->items.len <= LIST_BYTES_MAX)
        return;
    client_list_cancel(waiting->listing);
    wake_waiting(waiting, push_answer_failure, &(struct client_answer){ .error = &too_large });
}

static void on_list_done(void *arg, const struct client_answer *answer)
{
    struct json_limits limits = { SIZE_MAX, VALUE_DEPTH, 10000000 };
    struct mcp_waiting *waiting = arg;
    struct client_answer failure = { 0 };
    struct json_doc *doc = NULL;
    struct error err;

    buf_addc(&waiting->items, ']');
    if (answer->result)
        doc = json_parse(waiting->items.data, waiting->items.len, &limits, &err);
    if (!doc && answer->result) {
        failure.error = &err;
        answer = &failure;
    }
    if (doc)
        wake_waiting(waiting, waiting->push, json_root(doc));
    else
        wake_waiting(waiting, push_answer_failure, answer);
    json_doc_free(doc);
    buf_free(&waiting->items);
}

int mcp_list(lua_State *L, const char *method, const char *key, lua_CFunction push)
{
    static const struct client_list_callbacks callbacks = { on_items_page, on_list_done };
    struct mcp_waiting *waiting;
    struct client *client;
    struct error err;

    lua_settop(L, 1);
    waiting = mcp_wait(L, push);
    buf_addc(&waiting->items, '[');
    luaL_checkstack(L, 10, "no room");
    client = client_of(waiting, &err);
    if (client)
        waiting->listing = client_list(client, method, key, NULL, &callbacks, waiting, &err);
    return waiting->listing ? task_park(L, &waiting->op) : bind_error(L, &err);
}
