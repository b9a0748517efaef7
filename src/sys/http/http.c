/* sys.http -- requests over http/client/request.h. The answer is collected in C; what Lua
 * sees of it is made by the continuation, inside the task. */
#include <lauxlib.h>
#include <stdlib.h>

#include "script/bind.h"
#include "sys/http/stream.h"
#include "sys/sys.h"

#define CALL   "sys.http.request"
#define CLIENT "sys.http.client"

enum { TIMEOUT_MS = 60000, BODY_MAX = 10 * 1024 * 1024 };

enum { AT_REQUEST = 1, AT_CALL };

static const char client_key;

/* --- connections -------------------------------------------------------------------- */

static int client_gc(lua_State *L)
{
    struct http_client **client = lua_touserdata(L, 1);

    http_client_free(*client);
    *client = NULL;
    return 0;
}

struct http_client *http_client_of(lua_State *L)
{
    struct http_client **client;

    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &client_key) == LUA_TNIL) {
        client = lua_newuserdatauv(L, sizeof(struct http_client *), 0); /* nil, client */
        *client = NULL;
        luaL_setmetatable(L, CLIENT);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &client_key); /* registry[&client_key] = client */
        *client = http_client_new(vm_loop(vm_of(L)));
        lua_remove(L, -2);
    }
    client = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return *client;
}

/* --- a request ------------------------------------------------------------------------ */

struct call {
    struct op op;
    struct http_fetch *http; /* NULL: it ended */
    bool ok;
    struct error err;
    int status;
    struct buf headers, body;
    char *url;
    unsigned attempts;
    uint64_t elapsed_ms;
};

static void call_close(struct call *call)
{
    http_fetch_free(call->http);
    call->http = NULL;
    buf_free(&call->headers);
    buf_free(&call->body);
    free(call->url);
    call->url = NULL;
}

static int call_gc(lua_State *L)
{
    call_close(lua_touserdata(L, 1));
    return 0;
}

static void call_cancel(struct op *op)
{
    call_close(container_of(op, struct call, op));
}

static void on_done(void *arg, struct http_result *result)
{
    struct call *call = arg;

    call->ok = result->ok;
    call->err = result->error;
    call->status = result->status;
    call->attempts = result->attempts;
    call->elapsed_ms = result->elapsed_ms;
    call->url = mem_strdup(result->url);
    http_keep_headers(&call->headers, &result->headers);
    call->body = result->body;
    result->body = (struct buf){ 0 };
    http_fetch_free(call->http);
    call->http = NULL;
    task_wake(&call->op, 0);
}

static int finish(lua_State *L, int status, lua_KContext context)
{
    struct call *call = lua_touserdata(L, AT_CALL);

    (void)status;
    (void)context;
    if (!call->ok)
        return bind_error(L, &call->err);
    lua_createtable(L, 0, 6); /* response */
    lua_pushinteger(L, call->status);
    lua_setfield(L, -2, "status");
    http_push_headers(L, &call->headers);
    lua_setfield(L, -2, "headers");
    lua_pushlstring(L, call->body.len ? call->body.data : "", call->body.len);
    lua_setfield(L, -2, "body");
    lua_pushstring(L, call->url);
    lua_setfield(L, -2, "url");
    lua_pushinteger(L, call->attempts);
    lua_setfield(L, -2, "attempts");
    lua_pushnumber(L, (lua_Number)call->elapsed_ms / 1000);
    lua_setfield(L, -2, "elapsed");
    call_close(call);
    return 1;
}

/* sys.http.request(request) -> response | nil, text, code */
static int http_request(lua_State *L)
{
    static const struct http_events events = { .done = on_done };
    static const struct plan_defaults defaults = { TIMEOUT_MS, BODY_MAX };
    struct task *task = task_here(L);
    struct error err;
    struct plan *plan;
    struct call *call;

    lua_settop(L, AT_REQUEST);
    call = lua_newuserdatauv(L, sizeof *call, 0); /* request, call */
    *call = (struct call){ .op = { task, call_cancel } };
    luaL_setmetatable(L, CALL);
    plan = plan_push(L, &defaults, &err); /* request, call, plan */
    if (!plan)
        return bind_error(L, &err);
    call->http = http_fetch_start(http_client_of(L), &plan->request, &events, call, &err);
    plan_done(plan);
    if (!call->http)
        return bind_error(L, &err);
    return task_park_then(L, &call->op, 0, finish);
}

/* sys.http.escape(text): all but the unreserved characters of RFC 3986. */
static int http_escape(lua_State *L)
{
    static const char digits[] = "0123456789ABCDEF";
    static const char kept[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);
    luaL_Buffer out;

    luaL_buffinit(L, &out);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (memchr(kept, c, sizeof kept - 1)) {
            luaL_addchar(&out, (char)c);
        } else {
            luaL_addchar(&out, '%');
            luaL_addchar(&out, digits[c >> 4]);
            luaL_addchar(&out, digits[c & 15]);
        }
    }
    luaL_pushresult(&out);
    return 1;
}

static const luaL_Reg http_funcs[] = { { "escape", http_escape },
                                       { "request", http_request },
                                       { "stream", http_stream },
                                       { NULL, NULL } };

int luaopen_sys_http(lua_State *L)
{
    static const luaL_Reg call_meta[] = { { "__gc", call_gc }, { NULL, NULL } };
    static const luaL_Reg client_meta[] = { { "__gc", client_gc }, { NULL, NULL } };

    bind_metatable(L, CALL, call_meta, NULL);
    bind_metatable(L, CLIENT, client_meta, NULL);
    plan_init(L);
    http_stream_init(L);
    luaL_newlib(L, http_funcs);
    return 1;
}
