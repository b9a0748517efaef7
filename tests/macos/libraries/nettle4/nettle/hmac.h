/* A double of nettle 4's header: its digests have lost their length too. */
#ifndef NETTLE_HMAC_H_INCLUDED
#define NETTLE_HMAC_H_INCLUDED

#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#define HMAC(name)                                                                                 \
    struct hmac_##name##_ctx {                                                                     \
        struct name##_ctx outer, inner, state;                                                     \
    };                                                                                             \
    void hmac_##name##_set_key(struct hmac_##name##_ctx *context, size_t length,                   \
                               const uint8_t *key);                                                \
    void hmac_##name##_update(struct hmac_##name##_ctx *context, size_t length,                    \
                              const uint8_t *data);                                                \
    void hmac_##name##_digest(struct hmac_##name##_ctx *context, uint8_t *digest)

HMAC(md5);
HMAC(sha1);
HMAC(sha256);
HMAC(sha512);

#endif
