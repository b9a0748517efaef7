/* The questions of the server that have no answer yet. They are known outside by number, so an
 * answer that comes too late meets nothing. */
#ifndef PERIGEE_MCP_CLIENT_OPEN_ASKS_H
#define PERIGEE_MCP_CLIENT_OPEN_ASKS_H

#include "mcp/client/client_impl.h"

/* A question of the server, to be answered through events.ask. */
struct client_ask {
    struct link link; /* in client->asks, oldest first */
    uint64_t number;
    char *id;                 /* legacy: the request's, as JSON text */
    struct client_call *call; /* modern: whose input it is; ... */
    char *key;                /* ... and its name there */
};

/* Numbered, and at the end of client->asks, which owns it. call: NULL for a legacy server's. */
struct client_ask *client_ask_new(struct client *c, struct client_call *call);
void client_ask_free(struct client *c, struct client_ask *ask);
struct client_ask *client_ask_find(struct client *c, uint64_t number); /* or NULL */

/* Those of this call, NULL: all. tell: events.ask_dropped for each. */
void client_drop_asks(struct client *c, const struct client_call *call, bool tell);

/* The legacy server withdrew the request with this id, JSON text. */
void client_ask_cancelled(struct client *c, struct str id);

#endif
