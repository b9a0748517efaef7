/* When to try again, and after how long: arithmetic only, no clock, no I/O. */
#ifndef PERIGEE_HTTP_RETRY_H
#define PERIGEE_HTTP_RETRY_H

#include "base/util.h"

struct retry_policy {
    unsigned max_attempts; /* the first one included; 0 and 1: never try again */
    uint64_t base_ms;      /* the first wait is 0 to this */
    uint64_t max_ms;       /* no wait is longer */
};

/* Exponential backoff with full jitter: anything from 0 to
 * min(max_ms, base_ms * 2^(failures - 1)). chance is from 0 up to, without, 1. */
uint64_t retry_backoff_ms(const struct retry_policy *policy, unsigned failures, double chance);

/* The time that the server asked for, spread over base_ms so that many callers do not come back at
 * once, and never longer than max_ms. */
uint64_t retry_asked_ms(const struct retry_policy *policy, uint64_t after_ms, double chance);

/* Retry-After: seconds, or one of the three dates of RFC 9110 section 5.6.7. A
 * date that has passed is 0. now_s is seconds since 1970. False if neither. */
bool retry_after_parse(struct str value, int64_t now_s, uint64_t *after_ms);

/* 429, 500, 502, 503, 504, and 529, which model providers send when overloaded. */
bool retry_status(int status);

/* Sending it twice does what sending it once does (RFC 9110 section 9.2.2). */
bool retry_method(const char *method);

#endif
