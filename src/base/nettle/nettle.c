/* The module "nettle": digests, and nothing of the library shows outside this file. Each command
 * writes to the audit log, so this must open fast: signatures, which need GMP, are in "hogweed". */
#include "base/crypto.h"

#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

/* Version 4 always writes whole digests and lost the argument that says how much of one. */
#if NETTLE_VERSION_MAJOR >= 4
#define TAKE_DIGEST(function, context, digest) function(context, digest)
#else
#define TAKE_DIGEST(function, context, digest) function(context, CRYPTO_SHA256, digest)
#endif

extern const struct crypto_ops perigee_crypto;

static void digest_sha256(struct str data, unsigned char digest[CRYPTO_SHA256])
{
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, data.len, (const uint8_t *)data.ptr);
    TAKE_DIGEST(sha256_digest, &context, digest);
}

static void digest_hmac_sha256(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256])
{
    struct hmac_sha256_ctx context;

    hmac_sha256_set_key(&context, key.len, (const uint8_t *)key.ptr);
    hmac_sha256_update(&context, data.len, (const uint8_t *)data.ptr);
    TAKE_DIGEST(hmac_sha256_digest, &context, digest);
    crypto_wipe(&context, sizeof context);
}

const struct crypto_ops perigee_crypto = { .sha256 = digest_sha256,
                                           .hmac_sha256 = digest_hmac_sha256 };
