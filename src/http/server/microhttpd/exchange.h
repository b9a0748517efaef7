/* One request and its answer, between libmicrohttpd and the caller. */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_EXCHANGE_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_EXCHANGE_H

#include "http/request_head.h"
#include "http/server/microhttpd/httpd_impl.h"

/* libmicrohttpd's MHD_AccessHandlerCallback and MHD_RequestCompletedCallback. */
enum MHD_Result exchange_handle(void *arg, struct MHD_Connection *mhd, const char *url,
                                const char *method, const char *version, const char *data,
                                size_t *size, void **slot);
void exchange_completed(void *arg, struct MHD_Connection *mhd, void **slot,
                        enum MHD_RequestTerminationCode why);
/* Has the caller answer what libmicrohttpd cannot: an exchange that is only a fault, over before
 * this returns. The answer is sent on the socket as it is, which has room for it. */
void exchange_refuse(struct httpd *httpd, const struct request_fault *fault, int fd);

/* Ends it with its connection. It is freed when libmicrohttpd has noticed. */
void exchange_abort(struct exchange *exchange);

/* The members of struct httpd_api that are about one exchange. */
const char *exchange_header(struct httpd_exchange *x, const char *name, bool *again);
void exchange_headers(struct httpd_exchange *x, struct buf *out);
void exchange_query(struct httpd_exchange *x, struct buf *out);
void exchange_answer(struct httpd_exchange *x, int status, const struct http_headers *headers,
                     struct buf *body);
void exchange_stream(struct httpd_exchange *x, int status, const struct http_headers *headers);
void exchange_write(struct httpd_exchange *x, const char *ptr, size_t len);
size_t exchange_unsent(const struct httpd_exchange *x);
void exchange_end(struct httpd_exchange *x);
void exchange_drop(struct httpd_exchange *x);

#endif
