/* The way to the module, and CRC-32, which nettle lacks. */
#include "base/digest.h"

#include "base/crypto.h"
#include "base/module.h"

static const struct digest_ops *ops;

bool digest_ready(struct error *err)
{
    if (!ops)
        ops = module_symbol("nettle", "perigee_digests", err);
    return ops != NULL;
}

/* --- CRC-32 of Ethernet and zip: polynomial 0x04C11DB7, all of it with the lowest bit first ------
 */

enum { CRC_POLYNOMIAL = (int)0xEDB88320 };

static uint32_t crc_table[256];

static void crc_prepare(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;

        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ (uint32_t)CRC_POLYNOMIAL : value >> 1;
        crc_table[i] = value;
    }
}

static void crc_add(struct digest *digest, struct str bytes)
{
    uint32_t crc = (uint32_t)digest->state[0];

    for (size_t i = 0; i < bytes.len; i++)
        crc = crc_table[(crc ^ (unsigned char)bytes.ptr[i]) & 0xFF] ^ crc >> 8;
    digest->state[0] = crc;
}

static size_t crc_end(const struct digest *digest, unsigned char *out)
{
    uint32_t crc = ~(uint32_t)digest->state[0];

    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(crc >> (24 - 8 * i));
    return 4;
}

/* --- all kinds ------------------------------------------------------------------------------- */

bool digest_begin(struct digest *digest, enum digest_kind kind, const struct str *key,
                  struct error *err)
{
    digest->kind = kind;
    digest->keyed = key != NULL;
    if (kind == DIGEST_CRC32) {
        if (!crc_table[1])
            crc_prepare();
        digest->state[0] = 0xFFFFFFFF;
        return true;
    }
    if (!digest_ready(err))
        return false;
    ops->begin(digest, key);
    return true;
}

void digest_add(struct digest *digest, struct str bytes)
{
    if (digest->kind == DIGEST_CRC32)
        crc_add(digest, bytes);
    else
        ops->add(digest, bytes);
}

size_t digest_end(struct digest *digest, unsigned char out[DIGEST_MAX])
{
    size_t len = digest->kind == DIGEST_CRC32 ? crc_end(digest, out) : ops->end(digest, out);

    crypto_wipe(digest->state, sizeof digest->state);
    return len;
}
