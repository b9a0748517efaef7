/* Access tokens that are JSON Web Tokens (RFC 7519, 9068), signed with RS256 or ES256 (RFC 7515).
 *
 * A token is valid only with a signature by one of the issuer's keys, of the kind that its "alg"
 * names. "none" and shared secrets are never accepted (RFC 8725). */
#ifndef PERIGEE_HTTP_OAUTH_JWT_H
#define PERIGEE_HTTP_OAUTH_JWT_H

#include "http/oauth/jwks.h"

enum {
    JWT_BYTES = 12 * 1024, /* a token */
    JWT_LEEWAY = 60,       /* seconds that clocks may differ */
};

struct jwt_wanted {
    const char *issuer;
    const char *const *audiences; /* one of them */
    size_t audience_count;
    int64_t now; /* seconds since 1970 */
};

struct jwt_claims {
    char *subject;   /* `sub` as it is, "sub:client:..." for "client:..."; without it "client:ID" */
    char *scopes;    /* " a b ": a space before and after each; " " if there are none */
    int64_t expires; /* seconds since 1970 */
};

enum jwt_result {
    JWT_GOOD,
    JWT_BAD,         /* err: "bad_token" */
    JWT_UNKNOWN_KEY, /* valid but for this; err: "unknown_key" */
    JWT_FAILED,      /* the module cannot be opened: err (module.h) */
};

/* Fills claims if the token is good. keys may be NULL: none are known. */
enum jwt_result jwt_verify(struct str token, const struct jwks *keys,
                           const struct jwt_wanted *wanted, struct jwt_claims *claims,
                           struct error *err);
void jwt_claims_clear(struct jwt_claims *claims);
bool jwt_has_scope(const struct jwt_claims *claims, const char *scope);

#endif
