/* Reads a table of sys.http into what http/client/request.h starts, and makes a table of headers;
 * keeps the connections that all requests share.
 *
 * Errors name a header, never its value: that may be a key. */
#include "sys/http/plan.h"

#include <ctype.h>
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/dry_run.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/vm.h"

#define PLAN   "sys.http.Request"
#define CLIENT "sys.http.client"

enum {
    IDLE_S = 60,
    LONGEST_S = 86400,
    REDIRECTS = 5,
    REQUEST_REDIRECTS_MAX = 50,
    BODY_MOST = 256 * 1024 * 1024,
    REQUEST_HEADERS_MAX = 1000,
    ATTEMPTS_MAX = 20,
};

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

/* --- a plan's life ------------------------------------------------------------------- */

void plan_done(struct plan *plan)
{
    buf_free(&plan->words);
    buf_free(&plan->body);
    free(plan->headers);
    plan->headers = NULL;
}

static int plan_gc(lua_State *L)
{
    plan_done(lua_touserdata(L, 1));
    return 0;
}

void plan_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", plan_gc }, { NULL, NULL } };
    static const luaL_Reg client_meta[] = { { "__gc", client_gc }, { NULL, NULL } };

    bind_metatable(L, PLAN, meta, NULL);
    bind_metatable(L, CLIENT, client_meta, NULL);
}

/* --- headers ------------------------------------------------------------------------ */

static void add_plan_header(lua_State *L, struct plan *plan)
{
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;

    if (!name || strlen(name) != lua_rawlen(L, -2))
        bind_field_error(L, 1, "headers", "names must be strings without NUL bytes");
    if (plan->request.headers.count == REQUEST_HEADERS_MAX)
        bind_field_error(L, 1, "headers", "too many");
    buf_add(&plan->words, name, strlen(name) + 1);
    lua_pushvalue(L, -1);
    if (!bind_word(L, &plan->words))
        bind_field_error(
            L, 1, "headers",
            lua_pushfstring(L, "the value of '%s' must be a string without NUL bytes", name));
    plan->request.headers.count++;
}

static void read_plan_headers(lua_State *L, struct plan *plan)
{
    lua_pushliteral(L, "headers");
    if (lua_rawget(L, 1) != LUA_TNIL) { /* headers */
        if (!lua_istable(L, -1))
            bind_field_error(L, 1, "headers", "table expected");
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) /* headers, k, v */
            add_plan_header(L, plan);
    }
    lua_pop(L, 1);
}

static const char *next_word(const char *word)
{
    return word + strlen(word) + 1;
}

static bool plan_has_header(const struct plan *plan, const char *wanted)
{
    const char *word = plan->words.data;

    for (size_t i = 0; i < plan->request.headers.count; i++, word = next_word(next_word(word)))
        if (strcasecmp(word, wanted) == 0)
            return true;
    return false;
}

/* Fills in the pointers to the headers, when no more words will be added. */
static void point_at_headers(struct plan *plan)
{
    const char *word = plan->words.data;

    plan->headers = mem_alloc((plan->request.headers.count + 1) * sizeof *plan->headers);
    for (size_t i = 0; i < plan->request.headers.count; i++, word = next_word(next_word(word)))
        plan->headers[i] = (struct http_header){ word, next_word(word) };
    plan->request.headers.items = plan->headers;
}

/* --- body and numbers ----------------------------------------------------------------- */

static bool read_body(lua_State *L, struct plan *plan, struct error *err)
{
    static const char type[] = "Content-Type\0application/json";
    struct http_request *request = &plan->request;
    bool ok = true;

    request->body.ptr = bind_text(L, 1, "body", &request->body.len);
    lua_pushliteral(L, "json");
    if (lua_rawget(L, 1) != LUA_TNIL) { /* json */
        if (request->body.ptr)
            bind_field_error(L, 1, "json", "there is a body already");
        ok = value_write_json(L, -1, &plan->body, err);
        request->body = buf_str(&plan->body);
        if (!plan_has_header(plan, "content-type")) {
            buf_add(&plan->words, type, sizeof type);
            request->headers.count++;
        }
    }
    lua_pop(L, 1);
    return ok;
}

static uint64_t milliseconds_field(lua_State *L, const char *name, double absent)
{
    return (uint64_t)ceil(1000 * bind_number(L, 1, name, absent, 0.001, LONGEST_S));
}

static void read_retry(lua_State *L, struct http_request *request)
{
    static const char *const fields[] = { "attempts", "base", "max", "unsafe", NULL };
    int top = lua_gettop(L);

    lua_pushliteral(L, "retry");
    if (lua_rawget(L, 1) == LUA_TTABLE) { /* retry */
        bind_check_inner(L, 1, "retry", fields);
        request->retry.max_attempts =
            (unsigned)bind_number(L, top + 1, "attempts", 3, 1, ATTEMPTS_MAX);
        request->retry.base_ms =
            (uint64_t)(1000 * bind_number(L, top + 1, "base", 0.5, 0, LONGEST_S));
        request->retry.max_ms = (uint64_t)(1000 * bind_number(L, top + 1, "max", 20, 0, LONGEST_S));
        request->retry_unsafe = bind_flag(L, top + 1, "unsafe");
    } else if (lua_toboolean(L, -1)) {
        bind_field_error(L, 1, "retry", "table or false expected");
    }
    lua_settop(L, top);
}

/* True for all methods but those that only read. */
static bool is_changing_request(const struct http_request *request)
{
    const char *method = request->method;

    if (!method)
        return request->body.len > 0;
    return strcasecmp(method, "GET") != 0 && strcasecmp(method, "HEAD") != 0 &&
           strcasecmp(method, "OPTIONS") != 0;
}

struct plan *plan_push(lua_State *L, const struct plan_defaults *defaults, struct error *err)
{
    static const char *const fields[] = {
        "url",          "method",    "headers",   "body",  "json", "timeout", "connect_timeout",
        "idle_timeout", "redirects", "max_bytes", "retry", NULL
    };
    struct http_request *request;
    struct plan *plan;

    bind_check_fields(L, 1, fields);
    plan = lua_newuserdatauv(L, sizeof *plan, 0); /* spec, ..., plan */
    *plan = (struct plan){ 0 };
    luaL_setmetatable(L, PLAN);
    request = &plan->request;
    request->hold_elsewhere = true;
    request->url = bind_text(L, 1, "url", NULL);
    if (!request->url)
        bind_field_error(L, 1, "url", "string expected");
    request->method = bind_text(L, 1, "method", NULL);
    request->total_timeout_ms =
        milliseconds_field(L, "timeout", (double)defaults->timeout_ms / 1000);
    request->connect_timeout_ms =
        milliseconds_field(L, "connect_timeout", HTTP_CONNECT_MS / 1000.0);
    request->idle_timeout_ms = milliseconds_field(L, "idle_timeout", IDLE_S);
    request->max_redirects =
        (unsigned)bind_number(L, 1, "redirects", REDIRECTS, 0, REQUEST_REDIRECTS_MAX);
    request->max_response = (size_t)bind_number(L, 1, "max_bytes", 0, 1, BODY_MOST);
    if (!request->max_response)
        request->max_response = defaults->max_bytes;
    read_retry(L, request);
    read_plan_headers(L, plan);
    if (!read_body(L, plan, err))
        return NULL;
    point_at_headers(plan);
    if (is_changing_request(request) &&
        dry_run_refuses(err, "send anything to %.200s", request->url))
        return NULL;
    return plan;
}

/* --- headers of the answer ------------------------------------------------------------- */

void http_keep_headers(struct buf *kept, const struct http_headers *headers)
{
    kept->len = 0;
    for (size_t i = 0; i < headers->count; i++) {
        for (const char *c = headers->items[i].name; *c; c++)
            buf_addc(kept, (char)tolower((unsigned char)*c));
        buf_addc(kept, '\0');
        buf_add(kept, headers->items[i].value, strlen(headers->items[i].value) + 1);
    }
}

void http_push_headers(lua_State *L, const struct buf *kept)
{
    const char *end = kept->data + kept->len;

    lua_newtable(L); /* t */
    for (const char *name = kept->data; name < end;) {
        const char *value = next_word(name);

        lua_pushstring(L, name);                /* t, name */
        lua_pushvalue(L, -1);                   /* t, name, name */
        if (lua_rawget(L, -3) == LUA_TSTRING) { /* t, name, old */
            lua_pushfstring(L, "%s, %s", lua_tostring(L, -1), value);
            lua_remove(L, -2);
        } else {
            lua_pop(L, 1);
            lua_pushstring(L, value);
        }
        lua_rawset(L, -3); /* t[name] = value */
        name = next_word(value);
    }
}
