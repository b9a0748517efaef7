/* Digests and HMACs that are fed piece by piece. */
#include "base/digest.h"

#include <nettle/hmac.h>
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

/* As in nettle.c: version 4 lost the argument. */
#if NETTLE_VERSION_MAJOR >= 4
#define TAKE_DIGEST(function, context, size, out) function(context, out)
#else
#define TAKE_DIGEST(function, context, size, out) function(context, size, out)
#endif

extern const struct digest_ops perigee_digests;

struct method {
    size_t size;
    void (*begin)(void *state);
    void (*add)(void *state, struct str bytes);
    void (*end)(void *state, uint8_t *out);
    void (*begin_keyed)(void *state, struct str key);
    void (*add_keyed)(void *state, struct str bytes);
    void (*end_keyed)(void *state, uint8_t *out);
};

/* Functions of one type for those of a digest, whose types differ. */
#define METHOD(name, bytes)                                                                        \
    _Static_assert(sizeof(struct hmac_##name##_ctx) <= DIGEST_WORDS * sizeof(uint64_t), #name);    \
    static void name##_begin_(void *state)                                                         \
    {                                                                                              \
        name##_init(state);                                                                        \
    }                                                                                              \
    static void name##_add_(void *state, struct str added)                                         \
    {                                                                                              \
        name##_update(state, added.len, (const uint8_t *)added.ptr);                               \
    }                                                                                              \
    static void name##_end_(void *state, uint8_t *out)                                             \
    {                                                                                              \
        TAKE_DIGEST(name##_digest, state, bytes, out);                                             \
    }                                                                                              \
    static void name##_begin_keyed_(void *state, struct str key)                                   \
    {                                                                                              \
        hmac_##name##_set_key(state, key.len, (const uint8_t *)key.ptr);                           \
    }                                                                                              \
    static void name##_add_keyed_(void *state, struct str added)                                   \
    {                                                                                              \
        hmac_##name##_update(state, added.len, (const uint8_t *)added.ptr);                        \
    }                                                                                              \
    static void name##_end_keyed_(void *state, uint8_t *out)                                       \
    {                                                                                              \
        TAKE_DIGEST(hmac_##name##_digest, state, bytes, out);                                      \
    }                                                                                              \
    static const struct method name##_method = { bytes,                                            \
                                                 name##_begin_,                                    \
                                                 name##_add_,                                      \
                                                 name##_end_,                                      \
                                                 name##_begin_keyed_,                              \
                                                 name##_add_keyed_,                                \
                                                 name##_end_keyed_ }

METHOD(md5, 16);
METHOD(sha1, 20);
METHOD(sha256, 32);
METHOD(sha512, 64);

static const struct method *const methods[] = { [DIGEST_MD5] = &md5_method,
                                                [DIGEST_SHA1] = &sha1_method,
                                                [DIGEST_SHA256] = &sha256_method,
                                                [DIGEST_SHA512] = &sha512_method };

static void begin_digest(struct digest *digest, const struct str *key)
{
    if (key)
        methods[digest->kind]->begin_keyed(digest->state, *key);
    else
        methods[digest->kind]->begin(digest->state);
}

static void add_bytes(struct digest *digest, struct str bytes)
{
    const struct method *method = methods[digest->kind];

    (digest->keyed ? method->add_keyed : method->add)(digest->state, bytes);
}

static size_t end_digest(struct digest *digest, unsigned char out[DIGEST_MAX])
{
    const struct method *method = methods[digest->kind];

    (digest->keyed ? method->end_keyed : method->end)(digest->state, out);
    return method->size;
}

const struct digest_ops perigee_digests = { .begin = begin_digest,
                                            .add = add_bytes,
                                            .end = end_digest };
