/* Digests of bytes that come in pieces. All but CRC-32 are in the module `nettle`, which is opened
 * with the first one. MD5, SHA-1 and CRC-32 are for files and protocols that have them, and prove
 * nothing about who made the bytes. */
#ifndef PERIGEE_BASE_DIGEST_H
#define PERIGEE_BASE_DIGEST_H

#include "base/error.h"

enum digest_kind { DIGEST_MD5, DIGEST_SHA1, DIGEST_SHA256, DIGEST_SHA512, DIGEST_CRC32 };

enum { DIGEST_MAX = 64 /* bytes of one */, DIGEST_WORDS = 128 };

/* On the caller's memory; nothing to free. */
struct digest {
    enum digest_kind kind;
    bool keyed;
    uint64_t state[DIGEST_WORDS]; /* the library's */
};

/* Opens the module, for a process that will not be able to. False: an error of module_symbol(). */
bool digest_ready(struct error *err);

/* Main thread only: it may open the module. `key`: NULL, or that of an HMAC, which CRC-32 has not.
 * False: as above. */
bool digest_begin(struct digest *digest, enum digest_kind kind, const struct str *key,
                  struct error *err);

/* These two from any thread. The end wipes the state; it gives the length of the digest. CRC-32 is
 * four bytes, the highest first. */
void digest_add(struct digest *digest, struct str bytes);
size_t digest_end(struct digest *digest, unsigned char out[DIGEST_MAX]);

/* The module's side. Kinds but CRC-32. */
struct digest_ops {
    void (*begin)(struct digest *digest, const struct str *key);
    void (*add)(struct digest *digest, struct str bytes);
    size_t (*end)(struct digest *digest, unsigned char out[DIGEST_MAX]);
};

#endif
