/* The struct that the files of the HTTP wire share. */
#ifndef PERIGEE_MCP_CLIENT_WIRE_HTTP_WIRE_IMPL_H
#define PERIGEE_MCP_CLIENT_WIRE_HTTP_WIRE_IMPL_H

#include "base/buf.h"
#include "base/list.h"
#include "base/timer.h"
#include "mcp/client/wire.h"
#include "mcp/client/wire/http_wire.h"

struct mcp_http {
    struct client *client;
    struct http_client *http;         /* ours alone, so that it may outlive the VM */
    const struct http_events *events; /* events of each struct post: http_answer.h's */
    uv_loop_t *loop;
    struct timer *timer; /* start or end of the session, from the loop */
    char *url, *host, *ca_file, *socket;
    struct header_list headers;
    uint64_t connect_timeout_ms, close_ms;
    size_t max_message;

    void (*authorize)(void *arg, const struct mcp_challenge *challenge);
    void *arg;
    char *token;
    unsigned token_serial; /* counts changes of it */
    bool authorizing;

    char *session;               /* Mcp-Session-Id; NULL: none */
    struct link posts;           /* struct post, oldest first */
    struct http_fetch *farewell; /* DELETE */
    bool gated;                  /* initialize is under way: the others wait */
    bool closing;
    unsigned busy; /* functions of ours that are further up the stack */
    bool freed;
};

#endif
