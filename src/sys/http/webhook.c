/* sys.webhook, the part that is C. */
#include "http/server/webhook.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "script/bind.h"
#include "script/wait_line.h"
#include "sys/http/plan.h"
#include "sys/sys.h"

#define LISTENER "sys.webhook.Listener"
#define REQUEST  "sys.webhook.Request"

enum {
    PORT_MOST = 65535,
    WAIT_SECONDS_MAX = 86400,
    BODY_MAX = 1 << 20, /* unless the options say more */
    BODY_MOST = 10 << 20,
    QUEUE = 64,
    QUEUE_MOST = 1000,
    ANSWER_S = 30,
    ANSWER_MOST_S = 600,
    REPLY_HEADERS_MAX = 50,
};

struct listener {
    struct webhook *hook; /* NULL: closed */
    struct wait_line line;
};

static struct listener *check_webhook_listener(lua_State *L)
{
    return luaL_checkudata(L, 1, LISTENER);
}

/* --- listening ------------------------------------------------------------------------------- */

static void on_arrived(void *arg)
{
    wait_line_wake(&((struct listener *)arg)->line);
}

/* Reads a list of strings, a field of the options, into two buffers that are pushed. */
static const char *const *take_word_list(lua_State *L, const char *field, size_t *count)
{
    struct buf *words = bind_buffer(L), *list = bind_buffer(L); /* words, list */
    const char *at;

    lua_pushstring(L, field);
    if (lua_rawget(L, 1) == LUA_TTABLE)
        *count = bind_words(L, 1, -1, field, words);
    else if (!lua_isnil(L, -1))
        bind_field_error(L, 1, field, "list of strings expected");
    lua_pop(L, 1);
    at = words->data;
    for (size_t i = 0; i < *count; i++, at += strlen(at) + 1)
        buf_add(list, &at, sizeof at);
    return (const char *const *)(const void *)list->data;
}

static int webhook_listener_open(lua_State *L)
{
    static const char *const names[] = { "address",   "port",    "path",      "methods",
                                         "hosts",     "origins", "secret",    "timeout",
                                         "signature", "queue",   "max_bytes", NULL };
    struct webhook_options options = { .arrived = on_arrived };
    struct listener *listener;
    struct error err;

    luaL_checktype(L, 1, LUA_TTABLE);
    bind_check_fields(L, 1, names);
    lua_settop(L, 1);
    if (!task_current(L))
        return luaL_error(L, "cannot listen while a file is loaded. Call this from a function");
    options.address = bind_text(L, 1, "address", NULL);
    options.port = (unsigned)bind_number(L, 1, "port", 0, 0, PORT_MOST);
    options.path = bind_text(L, 1, "path", NULL);
    options.secret.ptr = bind_text(L, 1, "secret", &options.secret.len);
    options.signature_header = bind_text(L, 1, "signature", NULL);
    options.body_bytes = (size_t)bind_number(L, 1, "max_bytes", BODY_MAX, 1, BODY_MOST);
    options.queue = (size_t)bind_number(L, 1, "queue", QUEUE, 1, QUEUE_MOST);
    options.answer_ms =
        (uint64_t)(bind_number(L, 1, "timeout", ANSWER_S, 0.001, ANSWER_MOST_S) * 1000) + 1;
    options.methods = take_word_list(L, "methods", &options.method_count);
    options.hosts = take_word_list(L, "hosts", &options.host_count);
    options.origins = take_word_list(L, "origins", &options.origin_count);
    listener = lua_newuserdatauv(L, sizeof *listener, 0);
    listener->hook = NULL;
    list_init(&listener->line.places);
    luaL_setmetatable(L, LISTENER);
    options.arg = listener;
    listener->hook = webhook_open(vm_loop(vm_of(L)), &options, &err);
    return listener->hook ? 1 : bind_error(L, &err);
}

/* listener:close(), and its __close and __gc */
static int webhook_listener_close(lua_State *L)
{
    struct listener *listener = check_webhook_listener(L);

    webhook_close(listener->hook);
    listener->hook = NULL;
    wait_line_wake_all(&listener->line);
    return 0;
}

static int webhook_listener_port(lua_State *L)
{
    struct listener *listener = check_webhook_listener(L);

    lua_pushinteger(L, listener->hook ? (lua_Integer)webhook_port(listener->hook) : 0);
    return 1;
}

/* --- waiting for a request -------------------------------------------------------------------- */

static void set_text(lua_State *L, const char *name, struct str text)
{
    lua_pushlstring(L, text.len ? text.ptr : "", text.len);
    lua_setfield(L, -2, name);
}

/* Pushes the request, and a table of its fields. */
static int push_request(lua_State *L, struct webhook *hook)
{
    struct webhook_request **request = lua_newuserdatauv(L, sizeof *request, 0);
    struct buf *headers, *query;

    *request = NULL;
    luaL_setmetatable(L, REQUEST);
    headers = bind_buffer(L);
    query = bind_buffer(L); /* request, headers, query */
    lua_insert(L, -3);
    lua_insert(L, -3); /* headers, query, request */
    lua_createtable(L, 0, 6);
    *request = webhook_take(hook);
    webhook_head(*request, headers, query);
    set_text(L, "method", str_from(webhook_method(*request)));
    set_text(L, "path", str_from(webhook_path(*request)));
    set_text(L, "query", buf_str(query));
    set_text(L, "body", webhook_body(*request));
    http_push_headers(L, headers);
    lua_setfield(L, -2, "headers");
    return 2;
}

static int take_webhook_request(lua_State *L, enum wait_turn turn)
{
    struct listener *listener = check_webhook_listener(L);

    if (!listener->hook)
        return bind_fail(L, "closed", "the listener was closed");
    if (webhook_has_request(listener->hook))
        return push_request(L, listener->hook);
    return turn == WAIT_LATE ? bind_fail(L, "timeout", "no request arrived in time") : 0;
}

/* listener:next([timeout]) -> request, fields | nil, text, code */
static int webhook_listener_next(lua_State *L)
{
    static const struct wait_kind kind = { "a request", take_webhook_request, true };
    struct listener *listener = check_webhook_listener(L);
    uint64_t ms = lua_isnoneornil(L, 2)
                      ? WAIT_FOREVER
                      : bind_milliseconds(L, 2, WAIT_SECONDS_MAX, WAIT_SECONDS_MAX);

    return wait_in_line(L, &listener->line, &kind, 0, ms);
}

/* --- the answer to a request ------------------------------------------------------------------ */

static struct webhook_request **check_request(lua_State *L)
{
    return luaL_checkudata(L, 1, REQUEST);
}

/* request:answer(status, headers, body): headers are names and values in turn. */
static int request_answer(lua_State *L)
{
    struct webhook_request **request = check_request(L);
    lua_Integer status = luaL_checkinteger(L, 2);
    struct http_header items[REPLY_HEADERS_MAX];
    struct http_headers headers = { items, 0 };
    struct buf *words, body = { 0 };
    struct error err;
    const char *at, *bytes;
    size_t count, len;

    luaL_argcheck(L, status >= 200 && status <= 599, 2, "expected an HTTP status, 200 to 599");
    luaL_checktype(L, 3, LUA_TTABLE);
    bytes = luaL_checklstring(L, 4, &len);
    words = bind_buffer(L);
    count = bind_words(L, 3, 3, NULL, words);
    luaL_argcheck(L, count % 2 == 0 && count / 2 <= REPLY_HEADERS_MAX, 3, "too many headers");
    at = words->data;
    for (; headers.count < count / 2; headers.count++) {
        items[headers.count].name = at;
        at += strlen(at) + 1;
        items[headers.count].value = at;
        at += strlen(at) + 1;
    }
    if (!http_headers_check(&headers, &err))
        return luaL_argerror(L, 3, err.text);
    buf_add(&body, bytes, len);
    if (!*request || !webhook_answer(*request, (int)status, &headers, &body)) {
        buf_free(&body);
        return bind_fail(L, "gone",
                         "no sender waits for this answer: it was answered, its time is over, "
                         "or the sender has left");
    }
    lua_pushboolean(L, 1);
    return 1;
}

static int request_gc(lua_State *L)
{
    struct webhook_request **request = check_request(L);

    webhook_request_free(*request);
    *request = NULL;
    return 0;
}

static const luaL_Reg listener_methods[] = { { "close", webhook_listener_close },
                                             { "next", webhook_listener_next },
                                             { "port", webhook_listener_port },
                                             { NULL, NULL } };

static const luaL_Reg request_methods[] = { { "answer", request_answer },
                                            { "release", request_gc },
                                            { NULL, NULL } };

static const luaL_Reg webhook_funcs[] = { { "open", webhook_listener_open }, { NULL, NULL } };

int luaopen_sys_webhook(lua_State *L)
{
    static const luaL_Reg listener_meta[] = { { "__close", webhook_listener_close },
                                              { "__gc", webhook_listener_close },
                                              { NULL, NULL } };
    static const luaL_Reg request_meta[] = { { "__gc", request_gc }, { NULL, NULL } };

    bind_metatable(L, LISTENER, listener_meta, listener_methods);
    bind_metatable(L, REQUEST, request_meta, request_methods);
    luaL_newlib(L, webhook_funcs);
    return 1;
}
