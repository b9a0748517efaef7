/* Connections that libmicrohttpd does not have yet: it gets one when its first head is in and
 * right, because what it refuses itself it answers in HTML. TLS cannot be looked at, so those go to
 * it at once, as do all later heads of a connection. */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_ARRIVAL_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_ARRIVAL_H

#include "http/server/microhttpd/httpd_impl.h"

/* Takes connections from the listening socket. NULL: it cannot be polled. */
struct arrivals *arrivals_new(struct httpd *httpd, size_t head_memory);

/* After each time libmicrohttpd ran: waits for more connections only where there is room. */
void arrivals_settle(struct arrivals *arrivals);

void arrivals_tick(struct arrivals *arrivals, uint64_t now); /* ends those that are too slow */
void arrivals_stop(struct arrivals *arrivals);               /* takes no more of them */
void arrivals_free(struct arrivals *arrivals);               /* closes its handles, then frees */

#endif
