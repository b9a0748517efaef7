/* Makes the requests of sys.http, and has the connections for them. */
#ifndef PERIGEE_SYS_HTTP_PLAN_H
#define PERIGEE_SYS_HTTP_PLAN_H

#include <lua.h>

#include "base/buf.h"
#include "http/client/request.h"

/* A checked `sys.http.Request`. */
struct plan {
    struct http_request request;
    struct buf words; /* names and values of the headers; each ends in NUL */
    struct http_header *headers;
    struct buf body; /* made of `json` */
};

struct plan_defaults {
    uint64_t timeout_ms; /* 0: none */
    size_t max_bytes;
};

/* Pushes a plan made from the table at 1, which must stay there until the request has started.
 * Raises if the table is no such request. NULL and err: `json` cannot be written. */
struct plan *plan_push(lua_State *L, const struct plan_defaults *defaults, struct error *err);

/* Frees what the collector would free otherwise. Called when the request has started. */
void plan_done(struct plan *plan);

/* The connections that all requests of this VM share. */
struct http_client *http_client_of(lua_State *L);

/* Keep the headers of an answer for later, and push them as Lua sees them: names in lower case,
 * values of the same name joined by ", ". */
void http_keep_headers(struct buf *kept, const struct http_headers *headers);
void http_push_headers(lua_State *L, const struct buf *kept);

/* Makes the metatable. Called when the module is opened. */
void plan_init(lua_State *L);

#endif
