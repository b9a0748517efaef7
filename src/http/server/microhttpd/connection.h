/* A connection: what it waits for, since when, and how it is ended. */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_CONNECTION_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_CONNECTION_H

#include "http/server/microhttpd/httpd_impl.h"

/* libmicrohttpd's MHD_NotifyConnectionCallback; arg: the struct httpd. It makes the struct
 * connection, which is the value in `slot`, and frees it. */
void connection_notify(void *arg, struct MHD_Connection *mhd, void **slot,
                       enum MHD_ConnectionNotificationCode code);

/* It waits for this from now on. */
void connection_stage(struct connection *connection, enum stage stage);

/* Its time begins again, without a byte moved. */
void connection_rest(struct connection *connection);
void connection_moved(struct connection *connection, size_t bytes);

/* Has it moved fewer bytes than the options want, for longer than they allow? now: ms. */
bool connection_is_slow(const struct connection *connection, uint64_t now);

/* Ends it as one that is too slow, or in the way; `why` is for the log. */
void connection_drop(struct connection *connection, const char *why);

/* Drops the one that has waited longest for a request, if since before this (ms). False: none. */
bool connection_make_room(struct httpd *httpd, uint64_t since);

/* Ends it; libmicrohttpd notices in its own time. Twice is harmless. */
void connection_cut(struct connection *connection);

#endif
