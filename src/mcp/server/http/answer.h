/* Answers that are whole, and the headers that all answers have. */
#ifndef PERIGEE_MCP_SERVER_HTTP_ANSWER_H
#define PERIGEE_MCP_SERVER_HTTP_ANSWER_H

#include "mcp/server/http/endpoint_impl.h"

enum { ANSWER_HEADERS_MAX = 12 }; /* more are left out */

/* Names and values are borrowed until the answer is given. */
struct answer_headers {
    struct http_header items[ANSWER_HEADERS_MAX];
    size_t count;
};

void answer_header(struct answer_headers *headers, const char *name, const char *value);
/* Adds those that every answer to this exchange has. */
void answer_common(struct http_server *http, struct httpd_exchange *x,
                   struct answer_headers *headers);

/* Takes body, which is of this type; NULL: none. more: NULL: no other headers. */
void answer(struct http_server *http, struct httpd_exchange *x, int status, const char *type,
            struct buf *body, const struct answer_headers *more);

/* A JSON-RPC error without id. */
void answer_refusal(struct http_server *http, struct httpd_exchange *x, int status, int code,
                    const struct answer_headers *more, const char *fmt, ...) PRINTF_LIKE(6, 7);
void answer_too_large(struct http_server *http, struct httpd_exchange *x); /* 413 */

/* A JSON-RPC error; id may be empty. */
void write_rpc_error(struct buf *out, struct str id, int code, const char *text);

#endif
