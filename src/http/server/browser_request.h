/* The head of a browser's HTTP/1.1 request, read strictly. */
#ifndef PERIGEE_HTTP_SERVER_BROWSER_REQUEST_H
#define PERIGEE_HTTP_SERVER_BROWSER_REQUEST_H

#include "base/util.h"

enum { BROWSER_HEAD_MAX = 16 * 1024 };

struct browser_request {
    struct str method, path, query, host; /* borrowed from the head; query without its "?" */
};

/* How many bytes the head has, its empty line included; 0: there is more to come. */
size_t browser_request_head_length(struct str bytes);

/* 0, or the status to refuse it with: 400, 405 (not GET or HEAD), 505. */
int browser_request_parse(struct str head, struct browser_request *request);

/* Is this Host header "127.0.0.1:PORT" or "localhost:PORT"? */
bool browser_request_is_local(const struct browser_request *request, unsigned port);

#endif
