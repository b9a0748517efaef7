/* The module "crypto": nettle, and nothing of it shows outside this file. */
#include "base/crypto.h"

#include <nettle/hmac.h>
#include <nettle/sha2.h>

extern const struct crypto_ops perigee_crypto;

static void sha256(struct str data, unsigned char digest[CRYPTO_SHA256])
{
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, data.len, (const uint8_t *)data.ptr);
    sha256_digest(&context, CRYPTO_SHA256, digest);
}

static void hmac_sha256(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256])
{
    struct hmac_sha256_ctx context;

    hmac_sha256_set_key(&context, key.len, (const uint8_t *)key.ptr);
    hmac_sha256_update(&context, data.len, (const uint8_t *)data.ptr);
    hmac_sha256_digest(&context, CRYPTO_SHA256, digest);
    crypto_wipe(&context, sizeof context);
}

const struct crypto_ops perigee_crypto = { .sha256 = sha256, .hmac_sha256 = hmac_sha256 };
