/* A double of nettle 4's header: hmac_sha256_digest() has lost its length too. */
#ifndef NETTLE_HMAC_H_INCLUDED
#define NETTLE_HMAC_H_INCLUDED

#include <nettle/sha2.h>

#define hmac_sha256_set_key nettle_hmac_sha256_set_key
#define hmac_sha256_update  nettle_hmac_sha256_update
#define hmac_sha256_digest  nettle_hmac_sha256_digest

struct hmac_sha256_ctx {
    uint64_t opaque[24];
};

void hmac_sha256_set_key(struct hmac_sha256_ctx *context, size_t length, const uint8_t *key);
void hmac_sha256_update(struct hmac_sha256_ctx *context, size_t length, const uint8_t *data);
void hmac_sha256_digest(struct hmac_sha256_ctx *context, uint8_t *digest);

#endif
