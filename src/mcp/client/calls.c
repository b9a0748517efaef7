/* Requests of ours: the table of pending calls, and their ends.
 *
 * A call is taken out of the table before its callback runs and freed after it,
 * so the callback may do anything, client_free() included. Ids count up and are
 * never used twice: an answer that comes too late finds no call. */
#include "mcp/client/calls.h"

#include <stdlib.h>

#include "mcp/client/client_session.h"
#include "mcp/client/deadlines.h"
#include "mcp/client/open_asks.h"
#include "mcp/client/params.h"
#include "mcp/client/remote_task.h"

#include "json/writer.h"

enum { PENDING_MAX = 4096 };

/* --- the table ---------------------------------------------------------------- */

static struct link *bucket_of(struct client *c, int64_t id)
{
    return &c->calls[(uint64_t)id % CLIENT_BUCKETS];
}

struct client_call *client_find(struct client *c, int64_t id)
{
    list_each (link, bucket_of(c, id)) {
        struct client_call *call = container_of(link, struct client_call, link);

        if (call->id == id)
            return call;
    }
    return NULL;
}

static void table_add(struct client_call *call)
{
    list_push(bucket_of(call->client, call->id), &call->link);
    call->client->pending++;
}

static void table_remove(struct client_call *call)
{
    list_remove(&call->link);
    call->client->pending--;
}

static struct client_call *bucket_first(struct link *bucket)
{
    return list_empty(bucket) ? NULL : container_of(bucket->next, struct client_call, link);
}

static void call_free(struct client_call *call)
{
    free(call->method);
    free(call->params);
    free(call->state);
    buf_free(&call->responses);
    client_task_free(call->task);
    free(call);
}

static void drop_call(struct client_call *call)
{
    table_remove(call);
    client_drop_asks(call->client, call, !call->client->freed);
    call_free(call);
}

void client_drop_calls(struct client *c)
{
    for (size_t i = 0; i < countof(c->calls); i++) {
        struct link *link;

        while ((link = list_pop(&c->calls[i])))
            drop_call(container_of(link, struct client_call, link));
    }
}

size_t client_pending(const struct client *c)
{
    return c->pending;
}

/* --- ends --------------------------------------------------------------------- */

void client_finish(struct client_call *call, const struct client_answer *answer)
{
    struct client *c = call->client;

    table_remove(call);
    client_drop_asks(c, call, true);
    if (!c->freed)
        call->on.done(call->arg, answer);
    call_free(call);
}

void client_finish_failed(struct client_call *call, const char *code, const char *fmt, ...)
{
    struct error error;
    va_list args;

    va_start(args, fmt);
    error_vset(&error, code, fmt, args);
    va_end(args);
    client_finish(call, &(struct client_answer){ .error = &error });
}

/* The session's end says it all to those that wait for the handshake. */
void client_finish_all(struct client *c, const struct error *why)
{
    for (size_t i = 0; i < countof(c->calls); i++) {
        struct client_call *call;

        while (!c->freed && (call = bucket_first(&c->calls[i]))) {
            if (call->handshake)
                drop_call(call);
            else
                client_finish_failed(call, "closed", "%s", why->text);
        }
    }
}

static void send_cancelled(struct client *c, int64_t id, const char *reason)
{
    struct buf *out = &c->out;

    out->len = 0;
    buf_lit(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                 "\"requestId\":");
    json_write_integer(out, id);
    if (reason) {
        buf_lit(out, ",\"reason\":");
        json_write_string(out, reason, strlen(reason));
    }
    buf_lit(out, "}}");
    client_send(c, "notifications/cancelled", 0, NULL);
}

/* Where closing the exchange says it, nothing else is said. */
static void tell_given_up(struct client *c, int64_t id, const char *reason)
{
    if (!c->wire.forget || c->era != CLIENT_MODERN)
        send_cancelled(c, id, reason);
    if (c->wire.forget)
        c->wire.forget(c->wire.arg, id);
}

/* The server works on it, as far as we know. */
static bool is_at_server(const struct client_call *call)
{
    return !call->handshake && !call->asking && call->client->state == CLIENT_READY;
}

void client_abandon_task(struct client_call *call)
{
    struct client *c = call->client;
    struct error err;
    char *params;

    if (!client_is_task(call) || c->state != CLIENT_READY)
        return;
    params = client_task_params(call->task);
    call->responses.len = 0;
    c->out.len = 0;
    buf_lit(&c->out, "{\"jsonrpc\":\"2.0\",\"id\":");
    json_write_integer(&c->out, ++c->last_id); /* its answer is not waited for */
    buf_lit(&c->out, ",\"method\":\"tasks/cancel\"");
    if (client_write_params(c, &c->out, call, params, &err)) {
        buf_addc(&c->out, '}');
        client_send(c, "tasks/cancel", c->last_id, &err);
    }
    free(params);
    free(call->task->id); /* once is enough */
    call->task->id = NULL;
}

static void give_up_call(struct client_call *call, const char *reason)
{
    struct client *c = call->client;

    if (is_at_server(call))
        tell_given_up(c, call->id, reason);
    else if (call->handshake && c->wire.forget)
        c->wire.forget(c->wire.arg, call->id);
    client_abandon_task(call);
}

void client_cancel(struct client_call *call, const char *reason)
{
    give_up_call(call, reason);
    drop_call(call);
}

/* --- time ------------------------------------------------------------------------ */

static void expire_call(struct client_call *call, uint64_t now)
{
    give_up_call(call, "timeout");
    if (now >= call->last && call->task && call->task->token != call->id)
        client_finish_failed(call, "timeout",
                             "the task did not end in its time to live. Request a longer one, or "
                             "give it less to do");
    else if (now >= call->last)
        client_finish_failed(call, "timeout",
                             "the server did not finish %s in the time allowed, progress or not. "
                             "Allow more time, or give it less to do",
                             call->method);
    else
        client_finish_failed(call, "timeout",
                             "the server did not answer %s within %g s. Allow more time, or check "
                             "what it writes to stderr",
                             call->method, (double)call->timeout_ms / 1000);
}

static struct client_call *first_expired(struct link *bucket, uint64_t now)
{
    list_each (link, bucket) {
        struct client_call *call = container_of(link, struct client_call, link);

        if (client_due(call) <= now)
            return call;
    }
    return NULL;
}

/* A callback may end other calls, so restart the scan after each one. */
void client_expire(struct client *c)
{
    uint64_t now = client_now(c);
    uint64_t next = CLIENT_NO_LIMIT;

    for (size_t i = 0; i < countof(c->calls); i++) {
        struct client_call *call;

        while (!c->freed && (call = first_expired(&c->calls[i], now)))
            expire_call(call, now);
        list_each (link, &c->calls[i]) {
            uint64_t due = client_due(container_of(link, struct client_call, link));

            next = due < next ? due : next;
        }
    }
    client_watch(c, next);
}

/* --- sending ------------------------------------------------------------------ */

static bool send_request(struct client_call *call, const char *params, struct error *err)
{
    struct client *c = call->client;
    struct buf *out = &c->out;

    out->len = 0;
    buf_lit(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    json_write_integer(out, call->id);
    buf_lit(out, ",\"method\":");
    json_write_string(out, call->method, strlen(call->method));
    if (!client_write_params(c, out, call, params, err))
        return false;
    buf_addc(out, '}');
    return client_send(c, call->method, call->id, err);
}

/* These may be answered with input_required, and are then sent again. */
static bool may_want_input(const struct client_call *call)
{
    static const char *const methods[] = { "tools/call", "prompts/get", "resources/read" };

    for (size_t i = 0; i < countof(methods); i++) {
        if (strcmp(call->method, methods[i]) == 0)
            return call->client->era == CLIENT_MODERN;
    }
    return false;
}

static struct client_call *call_new(struct client *c, const char *method,
                                    const struct client_callbacks *callbacks, void *arg)
{
    struct client_call *call = mem_zero(sizeof *call);

    call->client = c;
    call->id = ++c->last_id;
    call->method = mem_strdup(method);
    call->on = *callbacks;
    call->arg = arg;
    return call;
}

/* Frees it, if it cannot be sent. */
static bool post_call(struct client_call *call, const char *params,
                      const struct client_limits *limits, struct error *err)
{
    if (!send_request(call, params, err)) {
        call_free(call);
        return false;
    }
    if (params && (may_want_input(call) || call->client->wire.post || call->task))
        call->params = mem_strdup(params);
    table_add(call);
    client_set_limits(call, limits);
    return true;
}

struct client_call *client_post(struct client *c, const char *method, const char *params,
                                const struct client_limits *limits,
                                const struct client_callbacks *callbacks, void *arg, bool handshake,
                                struct error *err)
{
    struct client_call *call = call_new(c, method, callbacks, arg);

    call->handshake = handshake;
    return post_call(call, params, limits, err) ? call : NULL;
}

bool client_post_again(struct client_call *call, struct error *err)
{
    table_remove(call);
    call->id = ++call->client->last_id;
    table_add(call);
    client_restart_clock(call);
    return send_request(call, call->params, err);
}

static bool may_request(const struct client *c, struct error *err)
{
    if (!client_open(c, err))
        return false;
    if (c->pending < PENDING_MAX)
        return true;
    return error_set(
        err, "busy",
        "%zu requests are already waiting for the server. Wait until some are answered",
        c->pending);
}

struct client_call *client_request(struct client *c, const char *method, const char *params,
                                   const struct client_limits *limits,
                                   const struct client_callbacks *callbacks, void *arg,
                                   struct error *err)
{
    if (!may_request(c, err))
        return NULL;
    return client_post(c, method, params, limits, callbacks, arg, false, err);
}

struct client_call *client_request_task(struct client *c, const char *params,
                                        const struct client_task_options *task,
                                        const struct client_limits *limits,
                                        const struct client_callbacks *callbacks, void *arg,
                                        struct error *err)
{
    struct client_call *call;

    if (!may_request(c, err))
        return NULL;
    call = call_new(c, "tools/call", callbacks, arg);
    call->task = mem_zero(sizeof *call->task);
    call->task->ttl_ms = task->ttl_ms;
    call->task->token = call->id;
    call->task->bounded = limits && limits->max_ms;
    return post_call(call, params, limits, err) ? call : NULL;
}

bool client_notify(struct client *c, const char *method, const char *params, struct error *err)
{
    struct buf *out = &c->out;

    if (!client_open(c, err))
        return false;
    out->len = 0;
    buf_lit(out, "{\"jsonrpc\":\"2.0\",\"method\":");
    json_write_string(out, method, strlen(method));
    if (!client_write_params(c, out, NULL, params, err))
        return false;
    buf_addc(out, '}');
    return client_send(c, method, 0, err);
}

struct client_call *client_call_tool(struct client *c, const char *name, const char *arguments,
                                     const struct client_limits *limits,
                                     const struct client_callbacks *callbacks, void *arg,
                                     struct error *err)
{
    struct buf params = { 0 };
    struct client_call *call;

    buf_lit(&params, "{\"name\":");
    json_write_string(&params, name, strlen(name));
    if (arguments)
        buf_addf(&params, ",\"arguments\":%s", arguments);
    buf_addc(&params, '}');
    call = client_request(c, "tools/call", buf_text(&params), limits, callbacks, arg, err);
    buf_free(&params);
    return call;
}
