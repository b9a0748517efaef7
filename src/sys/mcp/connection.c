/* sys.mcp -- connections to other servers, their beginning and their end.
 *
 * A connection lives apart from the userdata that Lua holds, because an orderly end takes time.
 * When the userdata is collected, the connection closes in the background and is freed when its
 * server has gone. It does not touch Lua then. */
#include "sys/mcp/connection.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/dry_run.h"
#include "base/log.h"
#include "http/authority.h"
#include "script/bind.h"
#include "script/task.h"
#include "script/value.h"
#include "script/vm.h"
#include "script/wake.h"
#include "sys/mcp/hooks.h"

static const char CLIENT_TYPE[] = "sys.mcp.client";

/* A task that waits for the end of a connection. */
struct closing {
    struct op op;
    struct link link; /* in connection->closing */
};

/* A task that waits for the beginning. */
struct connecting {
    struct op op;
    struct mcp_connection *connection; /* NULL: it is decided */
};

/* --- the era that the server at an address spoke when we last met ------------------ */

static const char eras_key;

static void push_eras(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &eras_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &eras_key);
}

/* Fills in the era that the server is known to speak, which saves the exchange that asks for it. A
 * pinned era stays. */
static void recall_era(lua_State *L, struct mcp_spec *spec)
{
    if (!spec->http.url || spec->options.era != CLIENT_AUTO)
        return;
    push_eras(L);
    lua_getfield(L, -1, spec->http.url);
    spec->options.era = (enum client_era)lua_tointeger(L, -1); /* nil: 0, CLIENT_AUTO */
    lua_pop(L, 2);
}

/* Called with (connection), whose client is NULL if connecting failed. */
static int note_era(lua_State *L)
{
    const struct mcp_connection *connection = lua_touserdata(L, 1);

    push_eras(L);
    if (connection->client)
        lua_pushinteger(L, client_era(connection->client));
    else
        lua_pushnil(L);
    lua_setfield(L, -2, connection->url);
    return 0;
}

static void remember_era(struct mcp_connection *connection)
{

    struct error err;

    if (connection->url && connection->vm && !vm_run(connection->vm, note_era, connection, &err))
        log_debug("%s: no memory for its era", connection->name);
}

/* --- connections --------------------------------------------------------------------- */

/* The name of a program without its folder, or the host of a server: a spec has one of the two. */
static char *spec_name(const struct mcp_spec *spec)
{
    const char *from = spec->server.argv ? spec->server.argv[0]
                       : spec->socket    ? spec->socket
                                         : spec->http.url;
    struct str host;

    if (!from)
        return mem_strdup("");
    if (spec->server.argv || spec->socket) {
        const char *cut = strrchr(from, '/');

        return mem_strdup(cut && cut[1] ? cut + 1 : from);
    }
    host = url_authority(from);
    return mem_strndup(host.ptr, host.len);
}

static struct mcp_connection *connection_new(lua_State *L, const struct mcp_spec *spec)
{
    struct mcp_connection *connection = mem_zero(sizeof *connection);

    connection->vm = vm_of(L);
    connection->name = spec_name(spec);
    connection->url = spec->http.url ? mem_strdup(spec->http.url) : NULL;
    connection->max_ms = spec->options.max_ms;
    list_init(&connection->closing);
    list_init(&connection->hook_calls);
    mcp_hooks_take(L, connection, spec);
    return connection;
}

static void free_wire(struct mcp_connection *connection)
{
    mcp_client_free(connection->child);
    mcp_http_free(connection->http);
    mcp_socket_free(connection->socket);
    connection->child = NULL;
    connection->http = NULL;
    connection->socket = NULL;
    connection->client = NULL;
}

static void connection_free(struct mcp_connection *connection)
{
    mcp_hooks_drop(connection);
    free_wire(connection);
    free(connection->name);
    free(connection->url);
    free(connection);
}

static void wake_closing(struct mcp_connection *connection)
{
    struct link *link;

    while ((link = list_pop(&connection->closing)))
        task_wake(&container_of(link, struct closing, link)->op, 0);
}

/* Takes the task that waits for the beginning off the connection. NULL: there is none. */
static struct op *take_connecting(struct mcp_connection *connection)
{
    struct op *op = connection->connecting;

    connection->connecting = NULL;
    if (op)
        container_of(op, struct connecting, op)->connection = NULL;
    return op;
}

/* --- the end ---------------------------------------------------------------------- */

static void on_mcp_connection_closed(void *arg, const struct error *why)
{
    struct mcp_connection *connection = arg;
    struct op *op = take_connecting(connection);

    connection->why = *why;
    free_wire(connection);
    if (op) {
        remember_era(connection);
        task_wake_error(op, why);
    }
    wake_closing(connection);
    if (!connection->vm)
        connection_free(connection);
}

/* --- the facts about a client ------------------------------------------------------- */

/* Pushes { era=, version=, server=, instructions=, capabilities= }. */
static void push_fields(lua_State *L, struct mcp_connection *connection)
{
    struct client *client = connection->client;
    const cJSON *server = client_server(client);

    lua_createtable(L, 0, 5); /* fields */
    lua_pushstring(L, client_era(client) == CLIENT_MODERN ? "modern" : "legacy");
    lua_setfield(L, -2, "era");
    lua_pushstring(L, client_version(client));
    lua_setfield(L, -2, "version");
    lua_pushstring(L, client_instructions(client)); /* NULL pushes nil */
    lua_setfield(L, -2, "instructions");
    if (cJSON_IsObject(server))
        value_push_json(L, server);
    else
        lua_newtable(L);
    lua_setfield(L, -2, "server");
    if (cJSON_IsObject(client_capabilities(client)))
        value_push_json(L, client_capabilities(client));
    else
        lua_newtable(L);
    lua_setfield(L, -2, "capabilities");
}

struct ready {
    struct mcp_connection *connection;
    struct op *op;
};

/* Called with (ready). Pushes the client, which has its fields now. */
static int push_client(lua_State *L)
{
    const struct ready *ready = lua_touserdata(L, 1);
    lua_State *from = task_lua(ready->op->task);

    lua_pushvalue(from, ready->connection->self);
    lua_xmove(from, L, 1);
    push_fields(L, ready->connection); /* client, fields */
    lua_setiuservalue(L, -2, 1);       /* client */
    return 1;
}

static void on_connection_ready(void *arg)
{
    struct mcp_connection *connection = arg;
    struct op *op = take_connecting(connection);

    if (!op)
        return;
    remember_era(connection);
    task_wake_with(op, push_client, &(struct ready){ connection, op });
}

/* --- connect ---------------------------------------------------------------------- */

/* Forgets the task. The userdata is on its stack: __gc does the rest. */
static void connecting_cancel(struct op *op)
{
    struct connecting *connecting = container_of(op, struct connecting, op);
    struct mcp_connection *connection = connecting->connection;

    if (!connection)
        return;
    take_connecting(connection);
    client_close(connection->client);
}

static struct mcp_connection *mcp_connection_start(lua_State *L, const struct mcp_spec *spec,
                                                   struct error *err)
{
    struct mcp_connection *connection = connection_new(L, spec);
    struct client_events events = mcp_hooks_events;
    uv_loop_t *loop = vm_loop(connection->vm);

    events.ready = on_connection_ready;
    events.closed = on_mcp_connection_closed;
    if (spec->server.argv)
        connection->child =
            mcp_client_start(loop, &spec->server, &spec->options, &events, connection, err);
    else if (spec->socket)
        connection->socket =
            mcp_socket_start(loop, spec->socket, &spec->options, &events, connection);
    else
        connection->http =
            mcp_http_start(loop, &spec->http, &spec->options, &events, connection, err);
    if (connection->child)
        connection->client = mcp_client_session(connection->child);
    if (connection->http)
        connection->client = mcp_http_session(connection->http);
    if (connection->socket)
        connection->client = mcp_socket_session(connection->socket);
    if (connection->client)
        return connection;
    connection_free(connection);
    return NULL;
}

/* sys.mcp.connect(spec) -> client | nil, text, code */
int mcp_connect(lua_State *L)
{
    struct task *task = task_here(L);
    struct connecting *connecting;
    struct mcp_spec spec;
    struct mcp_connection **self;
    struct error err;
    int problem;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (!bind_flag(L, 1, "mount") && dry_run_refuses(&err, "connect to MCP servers"))
        return bind_error(L, &err);
    problem = mcp_spec_problem(L);
    if (problem)
        return problem;
    self = lua_newuserdatauv(L, sizeof *self, 1); /* spec, self */
    *self = NULL;
    luaL_setmetatable(L, CLIENT_TYPE);
    connecting = lua_newuserdatauv(L, sizeof *connecting, 0); /* spec, self, connecting */
    mcp_spec_read(L, &spec);
    luaL_checkstack(L, 16, "no room");
    recall_era(L, &spec);
    *self = mcp_connection_start(L, &spec, &err);
    if (!*self)
        return bind_error(L, &err);
    *connecting =
        (struct connecting){ .op = { task, connecting_cancel, "the MCP server", (*self)->name },
                             .connection = *self };
    (*self)->connecting = &connecting->op;
    (*self)->self = 2;
    luaL_checkstack(L, 16, "no room");
    return task_park(L, &connecting->op);
}

/* --- the client ------------------------------------------------------------------- */

struct mcp_connection *mcp_connection_check(lua_State *L)
{
    struct mcp_connection **self = luaL_checkudata(L, 1, CLIENT_TYPE);

    luaL_argcheck(L, *self, 1, "the client is not connected");
    return *self;
}

/* client:running() */
int mcp_connection_running(lua_State *L)
{
    struct mcp_connection *connection = mcp_connection_check(L);

    lua_pushboolean(L, connection->client && client_ready(connection->client));
    return 1;
}

static void closing_cancel(struct op *op)
{
    list_remove(&container_of(op, struct closing, op)->link);
}

/* client:close() -- waits for the end if it can. If not (in a file that is being loaded, in a
 * __close handler), the end goes on without the caller. */
int mcp_connection_close(lua_State *L)
{
    struct mcp_connection *connection = mcp_connection_check(L);
    struct closing *closing;

    if (!connection->client)
        return 0;
    if (!task_current(L) || !lua_isyieldable(L)) {
        client_close(connection->client);
        return 0;
    }
    lua_settop(L, 1);
    closing = lua_newuserdatauv(L, sizeof *closing, 0); /* self, closing */
    closing->op = (struct op){ task_current(L), closing_cancel, "the end of the MCP server",
                               connection->name };
    list_push(&connection->closing, &closing->link);
    client_close(connection->client);
    return task_park(L, &closing->op);
}

static int wait_after(lua_State *L, int status, lua_KContext context)
{
    struct mcp_connection *connection = mcp_connection_check(L);

    (void)status;
    (void)context;
    lua_pushstring(L, connection->why.text);
    lua_pushstring(L, connection->why.code);
    return 2;
}

/* client:wait() -> text, code: waits until it is over, and tells how it ended */
int mcp_connection_wait(lua_State *L)
{
    struct mcp_connection *connection = mcp_connection_check(L);
    struct task *task = task_here(L);
    struct closing *closing;

    lua_settop(L, 1);
    if (!connection->client)
        return wait_after(L, LUA_OK, 0);
    closing = lua_newuserdatauv(L, sizeof *closing, 0); /* self, closing */
    closing->op =
        (struct op){ task, closing_cancel, "the end of the MCP server", connection->name };
    list_push(&connection->closing, &closing->link);
    return task_park_then(L, &closing->op, 0, wait_after);
}

static int connection_gc(lua_State *L)
{
    struct mcp_connection **self = lua_touserdata(L, 1);
    struct mcp_connection *connection = *self;

    *self = NULL;
    if (!connection)
        return 0;
    mcp_hooks_drop(connection);
    connection->vm = NULL;
    if (connection->client)
        client_close(connection->client); /* on_mcp_connection_closed() frees */
    else
        connection_free(connection);
    return 0;
}

/* Gives a method, or what is known of the server. Upvalue 1 holds the methods. */
static int connection_index(lua_State *L)
{
    luaL_checkudata(L, 1, CLIENT_TYPE);
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    if (lua_getiuservalue(L, 1, 1) != LUA_TTABLE)
        return 0;
    lua_pushvalue(L, 2);
    lua_rawget(L, -2);
    return 1;
}

void mcp_connection_init(lua_State *L, const luaL_Reg *methods)
{
    luaL_newmetatable(L, CLIENT_TYPE); /* mt */
    lua_newtable(L);                   /* mt, methods */
    luaL_setfuncs(L, methods, 0);
    lua_pushcclosure(L, connection_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, connection_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, mcp_connection_close);
    lua_setfield(L, -2, "__close");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1); /* - */
}
