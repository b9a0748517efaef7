/* The questions of the server that have no answer yet. */
#include "mcp/client/open_asks.h"

#include <stdlib.h>

#include "mcp/client/deadlines.h"

struct client_ask *client_ask_new(struct client *c, struct client_call *call)
{
    struct client_ask *ask = mem_zero(sizeof *ask);

    ask->number = ++c->last_ask;
    ask->call = call;
    list_push(&c->asks, &ask->link);
    c->ask_count++;
    return ask;
}

void client_ask_free(struct client *c, struct client_ask *ask)
{
    list_remove(&ask->link);
    c->ask_count--;
    if (ask->id && c->ask_count == 0 && !c->freed)
        client_restart_clocks(c);
    free(ask->id);
    free(ask->key);
    free(ask);
}

struct client_ask *client_ask_find(struct client *c, uint64_t number)
{
    list_each (link, &c->asks) {
        struct client_ask *ask = container_of(link, struct client_ask, link);

        if (ask->number == number)
            return ask;
    }
    return NULL;
}

static void drop_ask(struct client *c, struct client_ask *ask, bool tell)
{
    uint64_t number = ask->number;

    client_ask_free(c, ask);
    if (tell && c->events.ask_dropped)
        c->events.ask_dropped(c->arg, number);
}

/* They leave the list before the events are called: one may end in client_free(). */
void client_drop_asks(struct client *c, const struct client_call *call, bool tell)
{
    struct link dropped, *gone;

    list_init(&dropped);
    list_each (link, &c->asks) {
        if (call && container_of(link, struct client_ask, link)->call != call)
            continue;
        list_remove(link);
        list_push(&dropped, link);
    }
    while ((gone = list_pop(&dropped)))
        drop_ask(c, container_of(gone, struct client_ask, link), tell && !c->freed);
}

void client_ask_cancelled(struct client *c, struct str id)
{
    list_each (link, &c->asks) {
        struct client_ask *ask = container_of(link, struct client_ask, link);

        if (ask->id && str_same(str_from(ask->id), id)) {
            drop_ask(c, ask, true);
            return;
        }
    }
}
