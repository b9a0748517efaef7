/* Notices that a client has left while libmicrohttpd does not watch its connection. */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_HANGUP_WATCH_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_HANGUP_WATCH_H

#include "http/server/microhttpd/httpd_impl.h"

/* Until it is stopped, left(exchange) is called from the loop when the client of the exchange
 * under way has gone. */
void hangup_watch_start(struct connection *connection, void (*left)(struct exchange *exchange));
void hangup_watch_stop(struct connection *connection);
void hangup_watch_free(struct connection *connection); /* fine without a watch */

#endif
