/* sys.mcp -- other servers' tools: sessions, their beginning and their end.
 *
 * A session lives apart from the userdata that Lua holds, because an orderly
 * end takes time: when the userdata is collected, the session closes in the
 * background and goes with its server. Nothing of Lua is touched then. */
#include "sys/mcp/connection.h"
#include "sys/sys.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "script/task.h"
#include "script/value.h"
#include "script/vm.h"
#include "sys/shared/tool_call.h"

static const char CLIENT_TYPE[] = "sys.mcp.client";

/* A task that waits for the end of a session. */
struct closing {
    struct op op;
    struct link link; /* in session->closing */
};

/* A task that waits for the beginning. */
struct connecting {
    struct op op;
    struct lua_mcp *session; /* NULL: decided */
};

/* --- protection ------------------------------------------------------------------- */

bool lua_mcp_push(struct vm *vm, lua_State *to, lua_CFunction fn, void *job, int nresults,
                  struct error *err)
{
    lua_State *L = vm_lua(vm);

    lua_pushcfunction(L, fn);
    lua_pushlightuserdata(L, job);
    if (!vm_call(vm, 1, nresults, 0, err))
        return false;
    lua_xmove(L, to, nresults);
    return true;
}

/* --- sessions --------------------------------------------------------------------- */

/* A program's without its folder, a server's host: a spec has one of the two. */
static char *name_of(const struct lua_mcp_spec *spec)
{
    const char *from = spec->server.argv ? spec->server.argv[0] : spec->http.url;
    const char *cut;

    if (!from)
        return mem_strdup("");
    if (spec->server.argv) {
        cut = strrchr(from, '/');
        return mem_strdup(cut && cut[1] ? cut + 1 : from);
    }
    cut = strstr(from, "://");
    from = cut ? cut + 3 : from;
    return mem_strndup(from, strcspn(from, "/?#"));
}

static struct lua_mcp *session_new(lua_State *L, const struct lua_mcp_spec *spec)
{
    struct lua_mcp *session = mem_zero(sizeof *session);

    session->vm = vm_of(L);
    session->name = name_of(spec);
    session->url = spec->http.url ? mem_strdup(spec->http.url) : NULL;
    session->max_ms = spec->options.max_ms;
    list_init(&session->closing);
    list_init(&session->questions);
    lua_mcp_take_hooks(L, session, spec);
    return session;
}

static void free_wire(struct lua_mcp *session)
{
    mcp_client_free(session->child);
    mcp_http_free(session->http);
    session->child = NULL;
    session->http = NULL;
    session->client = NULL;
}

static void session_free(struct lua_mcp *session)
{
    lua_mcp_drop_hooks(session);
    free_wire(session);
    free(session->name);
    free(session->url);
    free(session);
}

static void wake_closing(struct lua_mcp *session)
{
    struct link *link;

    while ((link = list_pop(&session->closing)))
        task_wake(&container_of(link, struct closing, link)->op, 0);
}

/* Takes the waiting task off the session; NULL: there is none. */
static struct op *take_connecting(struct lua_mcp *session)
{
    struct op *op = session->connecting;

    session->connecting = NULL;
    if (op)
        container_of(op, struct connecting, op)->session = NULL;
    return op;
}

/* --- the end ---------------------------------------------------------------------- */

static void on_closed(void *arg, const struct error *why)
{
    struct lua_mcp *session = arg;
    struct op *op = take_connecting(session);

    session->why = *why;
    free_wire(session);
    if (op) {
        lua_mcp_remember_era(session);
        task_wake(op, bind_error(task_lua(op->task), why));
    }
    wake_closing(session);
    if (!session->vm)
        session_free(session);
}

/* --- what a client tells ------------------------------------------------------------ */

/* (session) -> { era=, version=, server=, instructions= } */
static int push_fields(lua_State *L)
{
    struct lua_mcp *session = lua_touserdata(L, 1);
    struct client *client = session->client;
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
    return 1;
}

static void on_ready(void *arg)
{
    struct lua_mcp *session = arg;
    struct op *op = take_connecting(session);
    struct error err;
    lua_State *L;

    if (!op)
        return;
    L = task_lua(op->task);
    lua_mcp_remember_era(session);
    if (!lua_mcp_push(session->vm, L, push_fields, session, 1, &err)) { /* fields */
        task_wake(op, bind_error(L, &err));
        return;
    }
    lua_setiuservalue(L, session->self, 1); /* - */
    lua_pushvalue(L, session->self);
    task_wake(op, 1);
}

/* --- connect ---------------------------------------------------------------------- */

/* The userdata is on the task's stack: its __gc does the rest. */
static void connecting_cancel(struct op *op)
{
    struct connecting *connecting = container_of(op, struct connecting, op);
    struct lua_mcp *session = connecting->session;

    if (!session)
        return;
    take_connecting(session);
    client_close(session->client);
}

static struct lua_mcp *session_start(lua_State *L, const struct lua_mcp_spec *spec,
                                     struct error *err)
{
    struct lua_mcp *session = session_new(L, spec);
    struct client_events events = lua_mcp_events;
    uv_loop_t *loop = vm_loop(session->vm);

    events.ready = on_ready;
    events.closed = on_closed;
    if (spec->server.argv)
        session->child =
            mcp_client_start(loop, &spec->server, &spec->options, &events, session, err);
    else
        session->http = mcp_http_start(loop, &spec->http, &spec->options, &events, session, err);
    if (session->child)
        session->client = mcp_client_session(session->child);
    if (session->http)
        session->client = mcp_http_session(session->http);
    if (session->client)
        return session;
    session_free(session);
    return NULL;
}

/* sys.mcp.connect(spec) -> client | nil, text, code */
static int mcp_connect(lua_State *L)
{
    struct task *task = task_here(L);
    struct connecting *connecting;
    struct lua_mcp_spec spec;
    struct lua_mcp **self;
    struct error err;
    int problem;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    problem = lua_mcp_spec_problem(L);
    if (problem)
        return problem;
    self = lua_newuserdatauv(L, sizeof *self, 1); /* spec, self */
    *self = NULL;
    luaL_setmetatable(L, CLIENT_TYPE);
    connecting = lua_newuserdatauv(L, sizeof *connecting, 0); /* spec, self, connecting */
    lua_mcp_read_spec(L, &spec);
    luaL_checkstack(L, 16, "no room");
    lua_mcp_recall_era(L, &spec);
    *self = session_start(L, &spec, &err);
    if (!*self)
        return bind_error(L, &err);
    *connecting = (struct connecting){ .op = { task, connecting_cancel }, .session = *self };
    (*self)->connecting = &connecting->op;
    (*self)->self = 2;
    luaL_checkstack(L, 16, "no room");
    return task_park(L, &connecting->op);
}

/* --- the client ------------------------------------------------------------------- */

struct lua_mcp *lua_mcp_check(lua_State *L)
{
    struct lua_mcp **self = luaL_checkudata(L, 1, CLIENT_TYPE);

    luaL_argcheck(L, *self, 1, "the client is not connected");
    return *self;
}

/* client:running() */
static int client_running(lua_State *L)
{
    struct lua_mcp *session = lua_mcp_check(L);

    lua_pushboolean(L, session->client && client_ready(session->client));
    return 1;
}

static void closing_cancel(struct op *op)
{
    list_remove(&container_of(op, struct closing, op)->link);
}

/* client:close(): waits for the end where it can; where not (a file that is
 * being loaded, a __close handler), the end goes on without the caller. */
static int client_close_(lua_State *L)
{
    struct lua_mcp *session = lua_mcp_check(L);
    struct closing *closing;

    if (!session->client)
        return 0;
    if (!task_current(L) || !lua_isyieldable(L)) {
        client_close(session->client);
        return 0;
    }
    lua_settop(L, 1);
    closing = lua_newuserdatauv(L, sizeof *closing, 0); /* self, closing */
    closing->op = (struct op){ task_current(L), closing_cancel };
    list_push(&session->closing, &closing->link);
    client_close(session->client);
    return task_park(L, &closing->op);
}

static int wait_after(lua_State *L, int status, lua_KContext context)
{
    struct lua_mcp *session = lua_mcp_check(L);

    (void)status;
    (void)context;
    lua_pushstring(L, session->why.text);
    lua_pushstring(L, session->why.code);
    return 2;
}

/* client:wait() -> text, code: until the session is over, and how it ended */
static int client_wait(lua_State *L)
{
    struct lua_mcp *session = lua_mcp_check(L);
    struct task *task = task_here(L);
    struct closing *closing;

    lua_settop(L, 1);
    if (!session->client)
        return wait_after(L, LUA_OK, 0);
    closing = lua_newuserdatauv(L, sizeof *closing, 0); /* self, closing */
    closing->op = (struct op){ task, closing_cancel };
    list_push(&session->closing, &closing->link);
    return task_park_then(L, &closing->op, 0, wait_after);
}

static int client_gc(lua_State *L)
{
    struct lua_mcp **self = lua_touserdata(L, 1);
    struct lua_mcp *session = *self;

    *self = NULL;
    if (!session)
        return 0;
    lua_mcp_drop_hooks(session);
    session->vm = NULL;
    if (session->client)
        client_close(session->client); /* on_closed() frees */
    else
        session_free(session);
    return 0;
}

/* Upvalue 1: the methods. Then what is known of the server. */
static int client_index(lua_State *L)
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

static const luaL_Reg client_methods[] = { { "call", mcp_client_call },
                                           { "close", client_close_ },
                                           { "complete", mcp_client_complete },
                                           { "definitions", mcp_client_definitions },
                                           { "get_prompt", mcp_client_get_prompt },
                                           { "list_prompts", mcp_client_list_prompts },
                                           { "list_resources", mcp_client_list_resources },
                                           { "list_templates", mcp_client_list_templates },
                                           { "list_tools", mcp_client_list_tools },
                                           { "log_level", mcp_client_log_level },
                                           { "ping", mcp_client_ping },
                                           { "read", mcp_client_read },
                                           { "request", mcp_client_request },
                                           { "running", client_running },
                                           { "subscribe", mcp_client_subscribe },
                                           { "unsubscribe", mcp_client_unsubscribe },
                                           { "wait", client_wait },
                                           { NULL, NULL } };

static void open_client(lua_State *L)
{
    luaL_newmetatable(L, CLIENT_TYPE); /* mt */
    luaL_newlib(L, client_methods);    /* mt, methods */
    lua_pushcclosure(L, client_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, client_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, client_close_);
    lua_setfield(L, -2, "__close");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1); /* - */
}

static const luaL_Reg mcp_funcs[] = { { "connect", mcp_connect },
                                      { "servers", mcp_servers },
                                      { NULL, NULL } };

int luaopen_sys_mcp(lua_State *L)
{
    open_client(L);
    lua_mcp_open_calls(L);
    luaL_newlib(L, mcp_funcs);
    return 1;
}
