/* A double of nettle 4's header: sha256_digest() has lost its length and always writes 32 bytes. */
#ifndef NETTLE_SHA2_H_INCLUDED
#define NETTLE_SHA2_H_INCLUDED

#include <stddef.h>
#include <stdint.h>

#define SHA256_DIGEST_SIZE 32
#define sha256_init        nettle_sha256_init
#define sha256_update      nettle_sha256_update
#define sha256_digest      nettle_sha256_digest

struct sha256_ctx {
    uint64_t opaque[16];
};

void sha256_init(struct sha256_ctx *context);
void sha256_update(struct sha256_ctx *context, size_t length, const uint8_t *data);
void sha256_digest(struct sha256_ctx *context, uint8_t *digest);

#endif
