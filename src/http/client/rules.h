/* The rules of a request: which answer is taken, followed, or asked for again. */
#ifndef PERIGEE_HTTP_CLIENT_RULES_H
#define PERIGEE_HTTP_CLIENT_RULES_H

#include "http/client/request_impl.h"

/* ms of a clock that only goes forward: what the times in struct http_fetch are. */
uint64_t http_now_ms(void);

/* Decides on an answer by its head and sets fate and wait_ms. False: the request fails with err. */
bool http_judge(struct http_fetch *h, int status, const struct http_headers *headers,
                struct error *err);

/* Turns the request into the one the redirect asks for: method, body, headers, url. False: err,
 * code "bad_url" or "redirected". It may be held then. */
bool http_follow(struct http_fetch *h, const char *url, struct error *err);

/* True, with wait_ms set, when the policy and the time left allow another try. asked_ms: the wait
 * that the server asked for; NULL: none. */
bool http_may_retry(struct http_fetch *h, const uint64_t *asked_ms);

#endif
