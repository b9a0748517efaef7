/* A double of nettle 4's header: md5_digest() has lost its length and always writes 16 bytes. */
#ifndef NETTLE_MD5_H_INCLUDED
#define NETTLE_MD5_H_INCLUDED

#include <stddef.h>
#include <stdint.h>

#define md5_init   nettle_md5_init
#define md5_update nettle_md5_update
#define md5_digest nettle_md5_digest

struct md5_ctx {
    uint64_t opaque[16];
};

void md5_init(struct md5_ctx *context);
void md5_update(struct md5_ctx *context, size_t length, const uint8_t *data);
void md5_digest(struct md5_ctx *context, uint8_t *digest);

#endif
