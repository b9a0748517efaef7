/* Digests, signatures, randomness and comparison, for secrets.
 *
 * Digests come from the module `nettle`, signatures from the module `hogweed`, each opened with the
 * first one. */
#ifndef PERIGEE_BASE_CRYPTO_H
#define PERIGEE_BASE_CRYPTO_H

#include "base/error.h"

enum { CRYPTO_SHA256 = 32 }; /* bytes of a digest */

/* False: the module cannot be opened (module.h has the codes). */
bool crypto_sha256(struct str data, unsigned char digest[CRYPTO_SHA256], struct error *err);
bool crypto_hmac_sha256(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256],
                        struct error *err);

/* Is this the signature of data? Numbers are big-endian without a sign, as JSON Web Keys have them.
 * *valid is false for keys that are none, too. False: the module cannot be opened.
 *
 * rs256: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017), keys of 2048 to 8192 bits.
 * es256: ECDSA on P-256 with SHA-256; x, y and the halves of the signature are 32 bytes each. */
bool crypto_rs256(struct str modulus, struct str exponent, struct str signature, struct str data,
                  bool *valid, struct error *err);
bool crypto_es256(struct str x, struct str y, struct str signature, struct str data, bool *valid,
                  struct error *err);

/* Bytes from the system's generator, fit for keys. Aborts when there is none: nothing
 * safe can be done then. */
void crypto_random(void *out, size_t len);

/* A name that cannot be guessed: `len` hex digits, an even number, and a NUL. */
void crypto_random_name(char *name, size_t len);

/* In a time that depends on the lengths only. */
bool crypto_same(struct str a, struct str b);

/* Overwrites it in a way that compilers leave in. */
void crypto_wipe(void *ptr, size_t len);

/* The modules' side. */
struct crypto_ops {
    void (*sha256)(struct str data, unsigned char digest[CRYPTO_SHA256]);
    void (*hmac_sha256)(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256]);
};

struct crypto_signature_ops {
    bool (*rs256)(struct str modulus, struct str exponent, struct str signature,
                  const unsigned char digest[CRYPTO_SHA256]);
    bool (*es256)(struct str x, struct str y, struct str signature,
                  const unsigned char digest[CRYPTO_SHA256]);
};

#endif
