/* sys.http.stream -- an answer that is read while it comes, as bytes or as server-sent events.
 * Bytes that nobody has read yet are kept. Above a limit the transfer is paused, so that the server
 * has to wait. */
#include <lauxlib.h>
#include <stdlib.h>

#include "http/sse.h"
#include "script/bind.h"
#include "script/wait_line.h"
#include "sys/http/hop.h"
#include "sys/http/plan.h"
#include "sys/http/stream.h"
#include "sys/sys.h"

#define STREAM "sys.http.Stream"

enum { UNREAD_MAX = 256 * 1024, EVENT_MAX = 16 * 1024 * 1024 };

enum { AT_STREAM = 1, AT_OPENED /* while it is opened: the request is first */ };

struct stream {
    struct op opening;       /* the wait of http.stream() itself for the head */
    struct wait_line line;   /* for event() and read() */
    struct http_fetch *http; /* NULL: it ended or was closed */
    int status;              /* 0: no head yet */
    char *url;               /* the URL, until Lua has it */
    struct buf headers;      /* the headers, until Lua has them */
    struct buf data;         /* bytes that came and were not read */
    struct sse sse;
    bool events; /* event() was called: data goes through sse */
    bool paused, closed;
    bool held;      /* it waits at a redirect */
    bool ended, ok; /* if not ok: err */
    struct error err;
};

/* --- events from the loop ---------------------------------------------------------- */

static void wake_opening(struct stream *stream)
{
    if (!stream->opening.task)
        return;
    task_wake(&stream->opening, 0);
    stream->opening.task = NULL;
}

static void on_stream_headers(void *arg, int status, const struct http_headers *headers)
{
    struct stream *stream = arg;
    const char *from;

    stream->status = status;
    stream->url = mem_strdup(http_fetch_sent(stream->http, &from).url);
    http_keep_headers(&stream->headers, headers);
    wake_opening(stream);
}

static void on_stream_data(void *arg, const char *ptr, size_t len)
{
    struct stream *stream = arg;

    buf_add(&stream->data, ptr, len);
    if (stream->data.len > UNREAD_MAX && !stream->paused) {
        stream->paused = true;
        http_fetch_pause(stream->http);
    }
    wait_line_wake(&stream->line);
}

static void on_stream_done(void *arg, struct http_result *result)
{
    struct stream *stream = arg;

    stream->held = result->held;
    if (stream->held) {
        wake_opening(stream);
        return;
    }
    stream->ended = true;
    stream->ok = result->ok;
    stream->err = result->error;
    http_fetch_free(stream->http);
    stream->http = NULL;
    wake_opening(stream);
    wait_line_wake_all(&stream->line);
}

/* --- the life of a stream ------------------------------------------------------------ */

static void stream_stop(struct stream *stream)
{
    stream->closed = true;
    http_fetch_free(stream->http);
    stream->http = NULL;
    buf_free(&stream->data);
    buf_free(&stream->headers);
    free(stream->url);
    stream->url = NULL;
    sse_free(&stream->sse);
    sse_init(&stream->sse, EVENT_MAX);
}

static void opening_cancel(struct op *op)
{
    struct stream *stream = container_of(op, struct stream, opening);

    stream->opening.task = NULL;
    stream_stop(stream);
}

static struct stream *check_stream(lua_State *L)
{
    return luaL_checkudata(L, AT_STREAM, STREAM);
}

/* stream:close(), and its __close and __gc */
static int stream_close(lua_State *L)
{
    struct stream *stream = check_stream(L);

    stream_stop(stream);
    wait_line_wake_all(&stream->line);
    return 0;
}

static void stream_go_on(struct stream *stream)
{
    if (!stream->paused)
        return;
    stream->paused = false;
    if (stream->http)
        http_fetch_resume(stream->http);
}

/* --- reading -------------------------------------------------------------------------- */

/* True if nothing is left to be read and nothing will come. */
static bool at_end(const struct stream *stream)
{
    return stream->closed || (stream->ended && stream->data.len == 0);
}

/* Pushes nil alone at the end, otherwise nil, text, code. */
static int push_stream_end(lua_State *L, const struct stream *stream)
{
    if (stream->closed)
        return bind_fail(L, "closed", "the stream was closed");
    if (!stream->ok)
        return bind_error(L, &stream->err);
    lua_pushnil(L);
    return 1;
}

static int fail_stream_busy(lua_State *L)
{
    return bind_fail(L, "busy", "another task is reading this stream");
}

static void push_sse_event(lua_State *L, const struct sse_event *event)
{
    lua_createtable(L, 0, 3); /* event */
    lua_pushlstring(L, event->type.ptr, event->type.len);
    lua_setfield(L, -2, "event");
    lua_pushlstring(L, event->data.len ? event->data.ptr : "", event->data.len);
    lua_setfield(L, -2, "data");
    if (event->id.len > 0) {
        lua_pushlstring(L, event->id.ptr, event->id.len);
        lua_setfield(L, -2, "id");
    }
}

static int next_sse_event(lua_State *L, enum wait_turn turn)
{
    struct stream *stream = lua_touserdata(L, AT_STREAM);
    struct sse_event event;

    if (turn == WAIT_BUSY)
        return fail_stream_busy(L);
    for (;;) {
        enum sse_step step = sse_next(&stream->sse, &event);

        if (step == SSE_EVENT) {
            push_sse_event(L, &event);
            return 1;
        }
        if (step == SSE_TOO_LARGE)
            return bind_fail(L, "too_large", "the server sent an event of more than %d MB",
                             EVENT_MAX / (1024 * 1024));
        if (at_end(stream))
            return push_stream_end(L, stream);
        if (stream->data.len == 0)
            return 0;
        sse_feed(&stream->sse, stream->data.data, stream->data.len);
        stream->data.len = 0;
        stream_go_on(stream);
    }
}

/* stream:event() -> event | nil | nil, text, code */
static int stream_event(lua_State *L)
{
    static const struct wait_kind kind = { "an HTTP server", next_sse_event, false };
    struct stream *stream = check_stream(L);

    stream->events = true;
    return wait_in_line(L, &stream->line, &kind, 0, WAIT_FOREVER);
}

static int take_stream_bytes(lua_State *L, enum wait_turn turn)
{
    struct stream *stream = lua_touserdata(L, AT_STREAM);

    if (turn == WAIT_BUSY)
        return fail_stream_busy(L);
    if (at_end(stream))
        return push_stream_end(L, stream);
    if (stream->data.len == 0)
        return 0;
    lua_pushlstring(L, stream->data.data, stream->data.len);
    stream->data.len = 0;
    stream_go_on(stream);
    return 1;
}

/* stream:read() -> bytes | nil | nil, text, code */
static int stream_read(lua_State *L)
{
    static const struct wait_kind kind = { "an HTTP server", take_stream_bytes, false };
    struct stream *stream = check_stream(L);

    if (stream->events)
        return luaL_error(L, "event() reads this stream, so read() would miss bytes. Use event()");
    return wait_in_line(L, &stream->line, &kind, 0, WAIT_FOREVER);
}

/* Gives `status`, `headers` and `url` (the user values), or a method. Upvalue 1 holds the methods.
 */
static int stream_index(lua_State *L)
{
    struct stream *stream = check_stream(L);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";

    if (strcmp(key, "status") == 0)
        lua_pushinteger(L, stream->status);
    else if (strcmp(key, "headers") == 0)
        lua_getiuservalue(L, AT_STREAM, 1);
    else if (strcmp(key, "url") == 0)
        lua_getiuservalue(L, AT_STREAM, 2);
    else
        lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

static const luaL_Reg stream_methods[] = {
    { "close", stream_close }, { "event", stream_event }, { "read", stream_read }, { NULL, NULL }
};

void http_stream_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", stream_close },
                                     { "__gc", stream_close },
                                     { NULL, NULL } };

    bind_metatable(L, STREAM, meta, NULL);
    luaL_getmetatable(L, STREAM);   /* mt */
    luaL_newlib(L, stream_methods); /* mt, methods */
    lua_pushcclosure(L, stream_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

/* --- opening ---------------------------------------------------------------------------- */

static int finish_stream_hop(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    if (lua_isnil(L, AT_OPENED + 1))
        stream_stop(lua_touserdata(L, AT_OPENED)); /* it may have been refused */
    return lua_gettop(L) - AT_OPENED;
}

static int http_stream_opened(lua_State *L, int status, lua_KContext context)
{
    struct stream *stream = (struct stream *)context;

    (void)status;
    if (stream->held)
        return hop_call(L, stream->http, finish_stream_hop);
    if (!stream->status)
        return bind_error(L, &stream->err);
    lua_settop(L, AT_OPENED);               /* request, stream */
    http_push_headers(L, &stream->headers); /* request, stream, headers */
    lua_setiuservalue(L, AT_OPENED, 1);
    buf_free(&stream->headers);
    lua_pushstring(L, stream->url);
    lua_setiuservalue(L, AT_OPENED, 2);
    return 1;
}

/* sys.http.stream(request) -> stream | nil, text, code */
int http_stream(lua_State *L)
{
    static const struct http_events events = { .headers = on_stream_headers,
                                               .data = on_stream_data,
                                               .done = on_stream_done };
    static const struct plan_defaults defaults = { 0, SIZE_MAX };
    struct task *task = task_here(L);
    struct stream *stream = luaL_testudata(L, AT_OPENED, STREAM);
    struct plan *plan;
    struct error err;

    if (stream && stream->held) { /* only hop_call() has one of these */
        stream->held = false;
        stream->opening.task = task;
        http_fetch_go_on(stream->http);
        return task_park_then(L, &stream->opening, (lua_KContext)stream, http_stream_opened);
    }
    lua_settop(L, 1);
    stream = lua_newuserdatauv(L, sizeof *stream, 2); /* request, stream */
    *stream = (struct stream){ .opening = { task, opening_cancel, "an HTTP server", NULL } };
    list_init(&stream->line.places);
    sse_init(&stream->sse, EVENT_MAX);
    luaL_setmetatable(L, STREAM);
    plan = plan_push(L, &defaults, &err); /* request, stream, plan */
    if (!plan)
        return bind_error(L, &err);
    stream->http = http_fetch_start(http_client_of(L), &plan->request, &events, stream, &err);
    plan_done(plan);
    if (!stream->http)
        return bind_error(L, &err);
    return task_park_then(L, &stream->opening, (lua_KContext)stream, http_stream_opened);
}
