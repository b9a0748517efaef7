/* sys.http -- requests over http/client/request.h. C collects the answer; the continuation, inside
 * the task, makes Lua values of it. */
#include <lauxlib.h>
#include <stdlib.h>

#include "http/authority.h"
#include "script/bind.h"
#include "sys/http/hop.h"
#include "sys/http/plan.h"
#include "sys/http/stream.h"
#include "sys/sys.h"

#define WAIT_TYPE "sys.http.request"

enum { REQUEST_TIMEOUT_MS = 60000, BODY_MAX = 10 * 1024 * 1024 };

enum { AT_REQUEST = 1, AT_WAIT };

/* --- a request ------------------------------------------------------------------------ */

struct http_wait {
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

static void http_wait_close(struct http_wait *wait)
{
    http_fetch_free(wait->http);
    wait->http = NULL;
    buf_free(&wait->headers);
    buf_free(&wait->body);
    free(wait->url);
    wait->url = NULL;
}

static int http_wait_gc(lua_State *L)
{
    http_wait_close(lua_touserdata(L, 1));
    return 0;
}

static void http_wait_cancel(struct op *op)
{
    http_wait_close(container_of(op, struct http_wait, op));
}

static void on_request_done(void *arg, struct http_result *result)
{
    struct http_wait *wait = arg;

    if (result->held) {
        task_wake(&wait->op, 0);
        return;
    }
    wait->ok = result->ok;
    wait->err = result->error;
    wait->status = result->status;
    wait->attempts = result->attempts;
    wait->elapsed_ms = result->elapsed_ms;
    wait->url = mem_strdup(result->url);
    http_keep_headers(&wait->headers, &result->headers);
    wait->body = result->body;
    result->body = (struct buf){ 0 };
    http_fetch_free(wait->http);
    wait->http = NULL;
    task_wake(&wait->op, 0);
}

static int finish_hop(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    http_wait_close(lua_touserdata(L, AT_WAIT)); /* it may have been refused */
    return lua_gettop(L) - AT_WAIT;
}

static int finish_request(lua_State *L, int status, lua_KContext context)
{
    struct http_wait *wait = lua_touserdata(L, AT_WAIT);

    (void)status;
    (void)context;
    if (wait->http)
        return hop_call(L, wait->http, finish_hop);
    if (!wait->ok)
        return bind_error(L, &wait->err);
    lua_createtable(L, 0, 6); /* response */
    lua_pushinteger(L, wait->status);
    lua_setfield(L, -2, "status");
    http_push_headers(L, &wait->headers);
    lua_setfield(L, -2, "headers");
    lua_pushlstring(L, wait->body.len ? wait->body.data : "", wait->body.len);
    lua_setfield(L, -2, "body");
    lua_pushstring(L, wait->url);
    lua_setfield(L, -2, "url");
    lua_pushinteger(L, wait->attempts);
    lua_setfield(L, -2, "attempts");
    lua_pushnumber(L, (lua_Number)wait->elapsed_ms / 1000);
    lua_setfield(L, -2, "elapsed");
    http_wait_close(wait);
    return 1;
}

/* sys.http.request(request) -> response | nil, text, code */
static int http_request(lua_State *L)
{
    static const struct http_events events = { .done = on_request_done };
    static const struct plan_defaults defaults = { REQUEST_TIMEOUT_MS, BODY_MAX };
    struct task *task = task_here(L);
    struct error err;
    struct plan *plan;
    struct http_wait *wait = luaL_testudata(L, AT_WAIT, WAIT_TYPE); /* only hop_call() has one */

    if (wait) {
        http_fetch_go_on(wait->http);
        return task_park_then(L, &wait->op, 0, finish_request);
    }
    lua_settop(L, AT_REQUEST);
    wait = lua_newuserdatauv(L, sizeof *wait, 0); /* request, wait */
    *wait = (struct http_wait){ .op = { task, http_wait_cancel, "an HTTP server", NULL } };
    luaL_setmetatable(L, WAIT_TYPE);
    plan = plan_push(L, &defaults, &err); /* request, wait, plan */
    if (!plan)
        return bind_error(L, &err);
    wait->http = http_fetch_start(http_client_of(L), &plan->request, &events, wait, &err);
    plan_done(plan);
    if (!wait->http)
        return bind_error(L, &err);
    return task_park_then(L, &wait->op, 0, finish_request);
}

/* sys.http.escape(text) -> the text with all but the unreserved characters of RFC 3986 escaped */
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

/* sys.http.host_scope(host) -> "world", "network", "machine" or "odd", as the text of the host
 * says */
static int http_host_scope(lua_State *L)
{
    static const char *const names[] = {
        [HOST_WORLD] = "world",
        [HOST_NETWORK] = "network",
        [HOST_MACHINE] = "machine",
        [HOST_ODD] = "odd",
    };
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);

    if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
    }
    lua_pushstring(L, names[host_scope((struct str){ text, len })]);
    return 1;
}

static const luaL_Reg http_funcs[] = { { "escape", http_escape },
                                       { "host_scope", http_host_scope },
                                       { "request", http_request },
                                       { "stream", http_stream },
                                       { NULL, NULL } };

int luaopen_sys_http(lua_State *L)
{
    static const luaL_Reg wait_meta[] = { { "__gc", http_wait_gc }, { NULL, NULL } };

    bind_metatable(L, WAIT_TYPE, wait_meta, NULL);
    plan_init(L);
    http_stream_init(L);
    luaL_newlib(L, http_funcs);
    return 1;
}
