/* sys.mcp -- the functions of a spec: what they are told, and what they answer.
 *
 * Each question of the server (and each refused token) gets a task of its own, so that the function
 * may wait for people. The task belongs to the connection, not to the call that made the server
 * ask: it is cancelled when the connection ends, or when the server does not want the answer any
 * more. */
#include "sys/mcp/hooks.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/log.h"
#include "json/document.h"
#include "json/writer.h"
#include "script/task.h"
#include "script/value.h"
#include "script/vm.h"
#include "sys/mcp/answer.h"

enum { ANSWER_REFUSED = -1, INTERNAL_ERROR = -32603 };

/* A question that a function of the spec answers. */
struct hook_call {
    struct link link; /* in connection->hook_calls */
    struct vm *vm;
    struct mcp_connection *connection; /* NULL: nobody waits for the answer any more */
    enum mcp_hook hook;
    uint64_t ask; /* number of the question, unless it is about a token */
    int params;   /* registry reference to what was asked */
    struct task *task;
    struct buf answer; /* JSON text, or the token */
    bool ok;
    struct error err;
};

/* --- answers; (question, value, text, code) on a protected stack ---------------------- */

static void read_token(lua_State *L, struct hook_call *q)
{
    size_t len;
    const char *token = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &len) : NULL;

    q->ok = token && *token && strlen(token) == len;
    for (size_t i = 0; q->ok && i < len; i++)
        q->ok = token[i] > 0x20 && token[i] < 0x7F;
    if (q->ok)
        buf_add(&q->answer, token, len);
    else
        error_set(&q->err, "unauthorized", "authorize() did not return a token");
}

/* Called with (question, value, text, code). */
static int read_hook_answer(lua_State *L)
{
    struct hook_call *q = lua_touserdata(L, 1);

    lua_settop(L, 4);
    if (lua_isnil(L, 2) && lua_isstring(L, 3)) {
        error_set(&q->err, lua_isstring(L, 4) ? lua_tostring(L, 4) : "refused", "%s",
                  lua_tostring(L, 3));
        return 0;
    }
    if (q->hook == HOOK_AUTHORIZE) {
        read_token(L, q);
        return 0;
    }
    mcp_answer_shape(L, q->hook, q->params);
    if (lua_istable(L, 2))
        q->ok = value_write_json(L, 2, &q->answer, &q->err);
    else
        error_set(&q->err, "refused", "the user declined");
    return 0;
}

/* --- questions ----------------------------------------------------------------------- */

static void hook_call_free(struct hook_call *q)
{
    list_remove(&q->link);
    luaL_unref(vm_lua(q->vm), LUA_REGISTRYINDEX, q->params);
    buf_free(&q->answer);
    free(q);
}

static void give_answer(struct hook_call *q)
{
    struct mcp_connection *connection = q->connection;

    if (q->hook == HOOK_AUTHORIZE && connection->http)
        mcp_http_authorized(connection->http, q->ok ? buf_text(&q->answer) : NULL, &q->err);
    else if (connection->client && q->ok)
        client_reply(connection->client, q->ask, buf_text(&q->answer));
    else if (connection->client)
        client_reply_error(connection->client, q->ask,
                           strcmp(q->err.code, "refused") == 0 ? ANSWER_REFUSED : INTERNAL_ERROR,
                           q->err.text);
}

/* Takes the results from the task's state and reads them under protection. */
static void read_hook_results(struct hook_call *q, struct task *task, int nresults)
{
    lua_State *L = vm_lua(q->vm), *from = task_lua(task);
    struct error err;

    if (nresults > 3) {
        lua_pop(from, nresults - 3);
        nresults = 3;
    }
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        q->ok = error_set(&q->err, "memory", "not enough memory");
        return;
    }
    lua_pushcfunction(L, read_hook_answer);
    lua_pushlightuserdata(L, q);
    lua_xmove(from, L, nresults);
    if (!vm_call(q->vm, nresults + 1, 0, 0, &err)) {
        q->ok = false;
        q->err = err;
    }
}

static void on_hook_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct hook_call *q = arg;
    struct mcp_connection *connection = q->connection;

    q->task = NULL;
    if (!connection || end == TASK_CANCELLED) {
        hook_call_free(q);
        return;
    }
    if (end == TASK_DONE) {
        read_hook_results(q, task, nresults);
    } else if (end == TASK_FAILED) {
        task_error(task, &q->err, NULL);
        log_warn("%s: %s", connection->name, q->err.text);
    } else {
        task_end_error(task, end, &q->err);
    }
    list_remove(&q->link); /* it is answered, so the end of the connection does not concern it */
    give_answer(q);
    hook_call_free(q);
}

/* The argument of push_params(). */
struct hook_params {
    struct hook_call *q;
    const cJSON *params;
};

static int push_params(lua_State *L)
{
    struct hook_params *given = lua_touserdata(L, 1);

    if (given->params)
        value_push_json(L, given->params);
    else
        lua_newtable(L);
    lua_pushvalue(L, -1);
    given->q->params = luaL_ref(L, LUA_REGISTRYINDEX);
    return 1;
}

static void fail_hook_call(struct hook_call *q, const struct error *err)
{
    q->ok = false;
    q->err = *err;
    list_remove(&q->link);
    give_answer(q);
    hook_call_free(q);
}

/* Starts the task. The question's parameter is on the main state. */
static void hook_call_start(struct hook_call *q)
{
    struct mcp_connection *connection = q->connection;
    lua_State *L = vm_lua(connection->vm); /* params */
    struct task_spec spec = { .name = "mcp question", .ended = on_hook_ended, .arg = q };
    struct error err;

    lua_rawgeti(L, LUA_REGISTRYINDEX, connection->answers[q->hook]); /* params, f */
    if (lua_istable(L, -1)) { /* a list of roots is the answer */
        lua_remove(L, -2);
        lua_pushcfunction(L, read_hook_answer);
        lua_pushlightuserdata(L, q);
        lua_rotate(L, -3, 2); /* read_answer, q, list */
        if (!vm_call(connection->vm, 2, 0, 0, &err)) {
            fail_hook_call(q, &err);
            return;
        }
        list_remove(&q->link);
        give_answer(q);
        hook_call_free(q);
        return;
    }
    lua_insert(L, -2); /* f, params */
    q->task = task_new(L, 1, &spec, &err);
    if (q->task)
        task_go(q->task);
    else
        fail_hook_call(q, &err);
}

static struct hook_call *hook_call_new(struct mcp_connection *connection, enum mcp_hook hook)
{
    struct hook_call *q = mem_zero(sizeof *q);

    q->vm = connection->vm;
    q->connection = connection;
    q->hook = hook;
    q->params = LUA_NOREF;
    list_push(&connection->hook_calls, &q->link);
    return q;
}

static void ask_hook(struct mcp_connection *connection, enum mcp_hook hook, uint64_t number,
                     const cJSON *params)
{
    struct hook_call *q = hook_call_new(connection, hook);
    struct hook_params given = { q, params };
    struct error err;

    q->ask = number;
    if (vm_push(connection->vm, vm_lua(connection->vm), push_params, &given, 1, &err))
        hook_call_start(q);
    else
        fail_hook_call(q, &err);
}

static void on_server_ask(void *arg, uint64_t number, const char *method, const cJSON *params)
{
    struct mcp_connection *connection = arg;
    enum mcp_hook hook = strcmp(method, "elicitation/create") == 0 ? HOOK_ELICIT
                         : strcmp(method, "roots/list") == 0       ? HOOK_ROOTS
                                                                   : HOOK_SAMPLE;

    if (connection->vm && connection->answers[hook] != LUA_NOREF)
        ask_hook(connection, hook, number, params);
    else
        client_reply_error(connection->client, number, INTERNAL_ERROR,
                           "no function answers this question");
}

static void hook_call_drop(struct hook_call *q)
{
    list_remove(&q->link);
    q->connection = NULL;
    if (q->task)
        task_cancel(q->task); /* on_hook_ended() frees it */
}

static void on_ask_dropped(void *arg, uint64_t number)
{
    struct mcp_connection *connection = arg;

    list_each (link, &connection->hook_calls) {
        struct hook_call *q = container_of(link, struct hook_call, link);

        if (q->hook == HOOK_AUTHORIZE || q->ask != number)
            continue;
        hook_call_drop(q);
        return;
    }
}

/* --- tokens ---------------------------------------------------------------------------- */

void mcp_hooks_authorize(void *arg, const struct mcp_challenge *challenge)
{
    struct mcp_connection *connection = arg;
    cJSON *params = cJSON_CreateObject();

    cJSON_AddNumberToObject(params, "status", challenge->status);
    cJSON_AddStringToObject(params, "challenge", challenge->header);
    cJSON_AddStringToObject(params, "url", connection->url);
    if (challenge->token)
        cJSON_AddStringToObject(params, "token", challenge->token);
    if (connection->vm) {
        ask_hook(connection, HOOK_AUTHORIZE, 0, params);
    } else {
        struct error why;

        error_set(&why, "unauthorized", "the client was closed, so it cannot log in");
        mcp_http_authorized(connection->http, NULL, &why);
    }
    cJSON_Delete(params);
}

/* --- notices ----------------------------------------------------------------------------- */

static struct event_queue *told_queue(const struct mcp_connection *connection, enum mcp_hook hook)
{
    return connection->told[hook - HOOK_ANSWERS];
}

/* Passes a line to the script's function, otherwise to our log, at the level it deserves. */
static void on_server_log(void *arg, enum client_source source, const char *level, const char *text,
                          size_t len)
{
    static const enum log_level levels[] = { LOG_DEBUG, LOG_INFO, LOG_WARNING };
    struct mcp_connection *connection = arg;

    (void)level;
    if (told_queue(connection, HOOK_LOG))
        event_queue_text(told_queue(connection, HOOK_LOG), text, len);
    else if (connection->vm)
        log_line(levels[source], "%s: %s", connection->name, text);
}

static void on_list_changed(void *arg, const char *what)
{
    struct mcp_connection *connection = arg;

    if (told_queue(connection, HOOK_CHANGED))
        event_queue_text(told_queue(connection, HOOK_CHANGED), what, strlen(what));
}

static void on_server_notification(void *arg, const char *method, const cJSON *params)
{
    struct mcp_connection *connection = arg;
    const cJSON *uri = json_given(params, "uri");
    struct buf json = { 0 };

    if (strcmp(method, "notifications/resources/updated") == 0 && cJSON_IsString(uri) &&
        told_queue(connection, HOOK_UPDATED)) {
        event_queue_text(told_queue(connection, HOOK_UPDATED), json_string(uri).ptr,
                         json_string(uri).len);
        return;
    }
    if (!told_queue(connection, HOOK_NOTIFICATION))
        return;
    if (params)
        json_write(&json, params);
    event_queue_json(told_queue(connection, HOOK_NOTIFICATION), method,
                     params ? buf_text(&json) : NULL);
    buf_free(&json);
}

const struct client_events mcp_hooks_events = {
    .log = on_server_log,
    .changed = on_list_changed,
    .notification = on_server_notification,
    .ask = on_server_ask,
    .ask_dropped = on_ask_dropped,
};

/* --- a connection's ------------------------------------------------------------------------- */

unsigned mcp_hooks_abilities(const struct mcp_spec *spec)
{
    return (spec->hooks[HOOK_ELICIT] ? CLIENT_ELICITATION : 0) |
           (spec->hooks[HOOK_SAMPLE] ? CLIENT_SAMPLING : 0) |
           (spec->hooks[HOOK_ROOTS] ? CLIENT_ROOTS : 0);
}

void mcp_hooks_take(lua_State *L, struct mcp_connection *connection, const struct mcp_spec *spec)
{
    static const char *const names[] = { "mcp log", "mcp changed", "mcp updated",
                                         "mcp notification" };

    for (int i = 0; i < HOOK_ANSWERS; i++) {
        connection->answers[i] = LUA_NOREF;
        if (!spec->hooks[i])
            continue;
        lua_pushvalue(L, spec->hooks[i]);
        connection->answers[i] = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    for (int i = HOOK_ANSWERS; i < HOOK_COUNT; i++) {
        if (spec->hooks[i])
            connection->told[i - HOOK_ANSWERS] =
                event_queue_new(L, spec->hooks[i], names[i - HOOK_ANSWERS], NULL);
    }
}

void mcp_hooks_drop(struct mcp_connection *connection)
{
    struct link *link;

    for (size_t i = 0; i < countof(connection->told); i++) {
        event_queue_free(connection->told[i]);
        connection->told[i] = NULL;
    }
    while ((link = list_pop(&connection->hook_calls)))
        hook_call_drop(container_of(link, struct hook_call, link));
    for (size_t i = 0; connection->vm && i < HOOK_ANSWERS; i++) {
        luaL_unref(vm_lua(connection->vm), LUA_REGISTRYINDEX, connection->answers[i]);
        connection->answers[i] = LUA_NOREF;
    }
}
