/* libmicrohttpd's descriptors on a libuv loop, without a thread. */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_POLLER_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_POLLER_H

#include "http/server/microhttpd/httpd_impl.h"

/* The descriptors of httpd->mhd; run(httpd) is called when one is ready. */
struct poller *poller_new(struct httpd *httpd, void (*run)(struct httpd *httpd));
void poller_soon(struct poller *poller);           /* run in the next turn of the loop */
void poller_settle(struct poller *poller);         /* after each time libmicrohttpd ran */
void poller_forget(struct poller *poller, int fd); /* it is about to be closed */
void poller_free(struct poller *poller);           /* closes its handles */
bool poller_epoll(void);                           /* is that how it polls? */

#endif
