/* A double of nettle 4's header: its digests have lost their length and always write
 * all bytes. */
#ifndef NETTLE_SHA2_H_INCLUDED
#define NETTLE_SHA2_H_INCLUDED

#include <stddef.h>
#include <stdint.h>

#define SHA256_DIGEST_SIZE 32
#define sha256_init        nettle_sha256_init
#define sha256_update      nettle_sha256_update
#define sha256_digest      nettle_sha256_digest
#define sha512_init        nettle_sha512_init
#define sha512_update      nettle_sha512_update
#define sha512_digest      nettle_sha512_digest

struct sha256_ctx {
    uint64_t opaque[16];
};
struct sha512_ctx {
    uint64_t opaque[32];
};

void sha256_init(struct sha256_ctx *context);
void sha256_update(struct sha256_ctx *context, size_t length, const uint8_t *data);
void sha256_digest(struct sha256_ctx *context, uint8_t *digest);
void sha512_init(struct sha512_ctx *context);
void sha512_update(struct sha512_ctx *context, size_t length, const uint8_t *data);
void sha512_digest(struct sha512_ctx *context, uint8_t *digest);

#endif
