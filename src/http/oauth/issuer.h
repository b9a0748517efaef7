/* An authorization server whose tokens are accepted: where its keys are, and what they are.
 *
 * Its metadata says where the keys are (RFC 8414, then OpenID Connect Discovery); it must name
 * exactly this issuer. The keys are kept. They are fetched again after ISSUER_FRESH_MS, or if a
 * token names a key that is not among them, but never twice within `again_ms`. If that fails, the
 * known keys stay valid for ISSUER_KEPT_MS. Main thread only; nothing here waits. */
#ifndef PERIGEE_HTTP_OAUTH_ISSUER_H
#define PERIGEE_HTTP_OAUTH_ISSUER_H

#include <uv.h>

#include "http/oauth/jwks.h"

enum {
    ISSUER_FRESH_MS = 10 * 60 * 1000,
    ISSUER_KEPT_MS = 60 * 60 * 1000,
    ISSUER_AGAIN_MS = 10 * 1000,
};

struct issuer;

/* Can this be the URL of an issuer: https, or http on this machine, without user, query and
 * fragment? "bad_url". */
bool issuer_url_ok(const char *url, struct error *err);

/* Fetches for the first time. `fetched(arg)` comes from the loop after each fetch, however it
 * ended. again_ms 0: ISSUER_AGAIN_MS. */
struct issuer *issuer_new(uv_loop_t *loop, const char *url, uint64_t again_ms,
                          void (*fetched)(void *arg), void *arg);
void issuer_free(struct issuer *issuer); /* accepts NULL; the loop runs once more */

const char *issuer_url(const struct issuer *issuer);

/* NULL: none are known, or they are too old. Borrowed until the loop turns. Fetches them again
 * when it is time. */
const struct jwks *issuer_keys(struct issuer *issuer);

/* Fetches the keys again, unless that was tried just now. True: `fetched` will be called. */
bool issuer_fetch(struct issuer *issuer);

/* Why the last fetch failed; NULL: it did not. */
const struct error *issuer_failed(const struct issuer *issuer);

/* Goes up with each set of keys. */
unsigned issuer_version(const struct issuer *issuer);

#endif
