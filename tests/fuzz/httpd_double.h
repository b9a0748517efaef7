/* Functions that the double of the module `microhttpd` finds in the program that opens it. */
#ifndef PERIGEE_TESTS_HTTPD_DOUBLE_H
#define PERIGEE_TESTS_HTTPD_DOUBLE_H

#include "http/server/httpd.h"

extern const struct httpd_api httpd_api;

struct httpd *double_open(uv_loop_t *loop, const struct httpd_options *options, struct error *err);
void double_stop(struct httpd *httpd);
void double_close(struct httpd *httpd);
struct httpd_counts double_counts(const struct httpd *httpd);
const char *double_header(struct httpd_exchange *x, const char *name, bool *again);
void double_headers(struct httpd_exchange *x, struct buf *out);
void double_query(struct httpd_exchange *x, struct buf *out);
void double_answer(struct httpd_exchange *x, int status, const struct http_headers *headers,
                   struct buf *body);
void double_stream(struct httpd_exchange *x, int status, const struct http_headers *headers);
void double_write(struct httpd_exchange *x, const char *ptr, size_t len);
size_t double_unsent(const struct httpd_exchange *x);
void double_end(struct httpd_exchange *x);
void double_drop(struct httpd_exchange *x);

#endif
