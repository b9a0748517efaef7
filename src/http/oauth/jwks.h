/* The public keys of an issuer of tokens (RFC 7517). */
#ifndef PERIGEE_HTTP_OAUTH_JWKS_H
#define PERIGEE_HTTP_OAUTH_JWKS_H

#include "base/buf.h"
#include "base/error.h"

enum {
    JWKS_KEYS = 64,          /* in one set, at most */
    JWKS_BYTES = 256 * 1024, /* the text of a set */
};

enum jwk_kind { JWK_RSA, JWK_P256 };

struct jwk {
    enum jwk_kind kind;
    char *id;                 /* "kid"; NULL: none */
    struct buf first, second; /* RSA: modulus, exponent; P-256: x, y */
};

struct jwks;

/* The keys in this text that can verify RS256 or ES256; other keys are ignored. NULL: "bad_json",
 * "bad_keys" (not a key set, too many keys, or none of use). */
struct jwks *jwks_parse(struct str text, struct error *err);
void jwks_free(struct jwks *keys); /* accepts NULL */
size_t jwks_count(const struct jwks *keys);
const struct jwk *jwks_at(const struct jwks *keys, size_t i);

#endif
