/* A listener on 127.0.0.1 for a browser that comes back from somewhere else: the
 * redirect at the end of a login.
 *
 * Not a web server: GET and HEAD, one request a connection, a few connections, each
 * with a few seconds. What cannot be a browser on this machine is refused before
 * anybody sees it (a wrong Host above all: that is a page that rebinds names). */
#ifndef PERIGEE_HTTP_SERVER_LOOPBACK_H
#define PERIGEE_HTTP_SERVER_LOOPBACK_H

#include <uv.h>

#include "base/error.h"
#include "http/server/browser_request.h"

struct loopback;

/* port 0: any that is free. `arrived` comes from the loop when loopback_next() has
 * something new. NULL: "address_in_use", "permission_denied", ... */
struct loopback *loopback_open(uv_loop_t *loop, unsigned port, void (*arrived)(void *arg),
                               void *arg, struct error *err);

unsigned loopback_port(const struct loopback *loopback);

/* The request that waits longest, until it is answered; NULL: there is none. Borrowed
 * until loopback_reply(), or until the loop turns. */
const struct browser_request *loopback_next(struct loopback *loopback);

/* Answers what loopback_next() gives; nothing happens if that has gone away. */
void loopback_reply(struct loopback *loopback, int status, struct str html);

/* Listens no more; answers that are on their way still go out. NULL is fine. */
void loopback_close(struct loopback *loopback);

#endif
