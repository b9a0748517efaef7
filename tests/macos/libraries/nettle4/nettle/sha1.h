/* A double of nettle 4's header: sha1_digest() has lost its length and always writes 20 bytes. */
#ifndef NETTLE_SHA1_H_INCLUDED
#define NETTLE_SHA1_H_INCLUDED

#include <stddef.h>
#include <stdint.h>

#define sha1_init   nettle_sha1_init
#define sha1_update nettle_sha1_update
#define sha1_digest nettle_sha1_digest

struct sha1_ctx {
    uint64_t opaque[16];
};

void sha1_init(struct sha1_ctx *context);
void sha1_update(struct sha1_ctx *context, size_t length, const uint8_t *data);
void sha1_digest(struct sha1_ctx *context, uint8_t *digest);

#endif
