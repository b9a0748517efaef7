/* How long a call may take: its deadlines, and what puts them off. */
#include "mcp/client/deadlines.h"

#include "mcp/client/remote_task.h"

uint64_t client_now(struct client *c)
{
    uv_update_time(c->timer.loop);
    return uv_now(c->timer.loop);
}

static void on_deadline_due(uv_timer_t *timer)
{
    struct client *c = timer->data;

    c->timer_due = CLIENT_NO_LIMIT;
    c->expire(c);
}

/* Deadlines that move later do not touch the timer: it fires, finds nothing to
 * do and is set for the next one. */
void client_watch(struct client *c, uint64_t deadline)
{
    uint64_t now;

    if (c->freed || deadline >= c->timer_due)
        return;
    now = client_now(c);
    c->timer_due = deadline;
    uv_timer_start(&c->timer, on_deadline_due, deadline > now ? deadline - now : 0, 0);
}

static uint64_t earlier_time(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t time_after(uint64_t now, uint64_t ms)
{
    return ms > CLIENT_NO_LIMIT - now ? CLIENT_NO_LIMIT : now + ms;
}

void client_restart_clock(struct client_call *call)
{
    struct client *c = call->client;

    call->deadline = earlier_time(time_after(client_now(c), call->timeout_ms), call->last);
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
    call->last = time_after(client_now(c), max_ms);
    client_restart_clock(call);
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

void client_hold_clock(struct client_call *call, bool held)
{
    if (!client_is_task(call)) /* that has a time to live */
        call->last = held ? CLIENT_NO_LIMIT : time_after(client_now(call->client), call->max_ms);
    if (held)
        call->deadline = CLIENT_NO_LIMIT;
    else
        client_restart_clock(call);
}

uint64_t client_due(const struct client_call *call)
{
    const struct client *c = call->client;

    return c->ask_count > 0 && c->era == CLIENT_LEGACY ? call->last : call->deadline;
}
