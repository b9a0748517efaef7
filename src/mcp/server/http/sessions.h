/* Sessions of the revisions that have them, by id. */
#ifndef PERIGEE_MCP_SERVER_HTTP_SESSIONS_H
#define PERIGEE_MCP_SERVER_HTTP_SESSIONS_H

#include "mcp/server/http/endpoint_impl.h"

enum { SESSION_ID = 32 }; /* characters of its id */

struct http_session {
    struct link link; /* in http->sessions */
    struct link bucket;
    struct http_server *http;
    struct session *core;
    struct http_stream *general;
    struct link streams; /* but the general one */
    size_t open;         /* streams that are not done */
    unsigned next_stream;
    uint64_t used; /* ms */
    char *who;     /* opened it, and alone may use it; NULL: without an identity */
    char id[SESSION_ID + 1];
};

/* NULL: there are too many. It belongs to http->who. */
struct http_session *http_session_new(struct http_server *http);

/* The one that the exchange names, which is used now; NULL: the exchange was answered. */
struct http_session *http_session_of(struct http_server *http, struct httpd_exchange *x);

void http_session_end(struct http_session *session);

/* Ends those that were not used for long. now: ms. */
void http_sessions_tick(struct http_server *http, uint64_t now);

#endif
