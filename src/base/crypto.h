/* What secrets need: digests, randomness, comparing.
 *
 * Digests come from the module `crypto` (nettle), opened with the first one. */
#ifndef PERIGEE_BASE_CRYPTO_H
#define PERIGEE_BASE_CRYPTO_H

#include "base/error.h"

enum { CRYPTO_SHA256 = 32 }; /* bytes of a digest */

/* False: the module cannot be opened (module.h has the codes). */
bool crypto_sha256(struct str data, unsigned char digest[CRYPTO_SHA256], struct error *err);
bool crypto_hmac_sha256(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256],
                        struct error *err);

/* Bytes from the system's generator, fit for keys. Aborts when there is none: nothing
 * safe can be done then. */
void crypto_random(void *out, size_t len);

/* In a time that depends on the lengths only. */
bool crypto_same(struct str a, struct str b);

/* Overwrites it in a way that compilers leave in. */
void crypto_wipe(void *ptr, size_t len);

/* The module's side. */
struct crypto_ops {
    void (*sha256)(struct str data, unsigned char digest[CRYPTO_SHA256]);
    void (*hmac_sha256)(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256]);
};

#endif
