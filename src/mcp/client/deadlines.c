/* How long a call may take: its deadlines, and what puts them off. */
#include "mcp/client/client_impl.h"

#include <math.h>

static uint64_t after(uint64_t now, uint64_t ms)
{
    return ms > CLIENT_NO_LIMIT - now ? CLIENT_NO_LIMIT : now + ms;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void client_restart_clock(struct client_call *call)
{
    struct client *c = call->client;

    call->deadline = earlier(after(client_now(c), call->timeout_ms), call->last);
    client_watch(c, call->deadline);
}

void client_wait_until(struct client_call *call, uint64_t last)
{
    call->deadline = call->last = last;
    client_watch(call->client, last);
}

void client_set_limits(struct client_call *call, const struct client_limits *limits)
{
    struct client *c = call->client;
    uint64_t max_ms = limits && limits->max_ms ? limits->max_ms : c->max_ms;

    call->timeout_ms = limits && limits->timeout_ms ? limits->timeout_ms : c->timeout_ms;
    call->max_ms = max_ms;
    call->last = after(client_now(c), max_ms);
    client_restart_clock(call);
}

void client_hold(struct client *c, int64_t id, bool held)
{
    struct client_call *call = c->freed ? NULL : client_find(c, id);

    if (!call || call->asking)
        return;
    if (!client_is_task(call)) /* that has a time to live */
        call->last = held ? CLIENT_NO_LIMIT : after(client_now(c), call->max_ms);
    if (held)
        call->deadline = CLIENT_NO_LIMIT;
    else
        client_restart_clock(call);
}

static void expire(struct client_call *call, uint64_t now)
{
    client_give_up(call, "timeout");
    if (now >= call->last && call->task && call->task->token != call->id)
        client_finish_failed(call, "timeout",
                             "the task did not end in its time to live; ask for a longer one, or "
                             "give it less to do");
    else if (now >= call->last)
        client_finish_failed(call, "timeout",
                             "the server did not finish %s in the time allowed, progress or not; "
                             "give it more time or less to do",
                             call->method);
    else
        client_finish_failed(call, "timeout",
                             "the server did not answer %s within %g s; give it more time, or look "
                             "at what it writes to stderr",
                             call->method, (double)call->timeout_ms / 1000);
}

/* While somebody is being asked, calls wait for people: which call a legacy server's
 * question belongs to is not told. */
static uint64_t due(const struct client_call *call)
{
    const struct client *c = call->client;

    return c->ask_count > 0 && c->era == CLIENT_LEGACY ? call->last : call->deadline;
}

void client_restart_clocks(struct client *c)
{
    for (size_t i = 0; i < countof(c->calls); i++) {
        list_each (link, &c->calls[i]) {
            struct client_call *call = container_of(link, struct client_call, link);

            if (!client_task_waits(call))
                client_restart_clock(call);
        }
    }
}

static struct client_call *first_expired(struct link *bucket, uint64_t now)
{
    list_each (link, bucket) {
        struct client_call *call = container_of(link, struct client_call, link);

        if (due(call) <= now)
            return call;
    }
    return NULL;
}

/* A callback may end other calls: look anew after each. */
void client_expire(struct client *c)
{
    uint64_t now = client_now(c);
    uint64_t next = CLIENT_NO_LIMIT;

    for (size_t i = 0; i < countof(c->calls); i++) {
        struct client_call *call;

        while (!c->freed && (call = first_expired(&c->calls[i], now)))
            expire(call, now);
        list_each (link, &c->calls[i]) {
            next = earlier(next, due(container_of(link, struct client_call, link)));
        }
    }
    client_watch(c, next);
}

/* The call that this progress is of. A task keeps the name that its first request gave. */
static struct client_call *find_token(struct client *c, int64_t id)
{
    struct client_call *call = client_find(c, id);

    if (call && !client_is_task(call))
        return call->asking ? NULL : call;
    for (size_t i = 0; i < countof(c->calls); i++) {
        list_each (link, &c->calls[i]) {
            call = container_of(link, struct client_call, link);
            if (client_is_task(call) && call->task->token == id)
                return call;
        }
    }
    return NULL;
}

void client_progress(struct client *c, const cJSON *params)
{
    const cJSON *progress = json_get(params, "progress");
    const cJSON *total = json_get(params, "total");
    struct client_call *call;
    int64_t id;

    if (!json_integer(json_get(params, "progressToken"), &id) || !(call = find_token(c, id)) ||
        !call->on.progress || !cJSON_IsNumber(progress))
        return;
    if (!client_is_task(call))
        client_restart_clock(call);
    call->on.progress(call->arg, progress->valuedouble,
                      cJSON_IsNumber(total) ? total->valuedouble : (double)NAN,
                      cJSON_GetStringValue(json_get(params, "message")));
}
