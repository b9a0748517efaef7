/* The way to the digests, and what needs no library. */
#include "base/crypto.h"

#include <stdlib.h>
#include <uv.h>

#include "base/log.h"
#include "base/module.h"

/* Kept, since a name is looked up for longer than a line of the audit log is hashed. */
static const struct crypto_ops *crypto_ops_get(struct error *err)
{
    static const struct crypto_ops *ops;

    if (!ops)
        ops = module_symbol("nettle", "perigee_crypto", err);
    return ops;
}

static const struct crypto_signature_ops *signature_ops_get(struct error *err)
{
    return module_symbol("hogweed", "perigee_crypto_signatures", err);
}

bool crypto_sha256(struct str data, unsigned char digest[CRYPTO_SHA256], struct error *err)
{
    const struct crypto_ops *ops = crypto_ops_get(err);

    if (ops)
        ops->sha256(data, digest);
    return ops != NULL;
}

bool crypto_hmac_sha256(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256],
                        struct error *err)
{
    const struct crypto_ops *ops = crypto_ops_get(err);

    if (ops)
        ops->hmac_sha256(key, data, digest);
    return ops != NULL;
}

bool crypto_rs256(struct str modulus, struct str exponent, struct str signature, struct str data,
                  bool *valid, struct error *err)
{
    const struct crypto_signature_ops *ops = signature_ops_get(err);
    unsigned char digest[CRYPTO_SHA256];

    *valid = false;
    if (!ops || !crypto_sha256(data, digest, err))
        return false;
    *valid = ops->rs256(modulus, exponent, signature, digest);
    return true;
}

bool crypto_es256(struct str x, struct str y, struct str signature, struct str data, bool *valid,
                  struct error *err)
{
    const struct crypto_signature_ops *ops = signature_ops_get(err);
    unsigned char digest[CRYPTO_SHA256];

    *valid = false;
    if (!ops || !crypto_sha256(data, digest, err))
        return false;
    *valid = ops->es256(x, y, signature, digest);
    return true;
}

void crypto_random(void *out, size_t len)
{
    if (uv_random(NULL, NULL, out, len, 0, NULL) != 0) {
        log_error("the system returned no random bytes");
        abort();
    }
}

void crypto_random_name(char *name, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    size_t half = len / 2;

    crypto_random(name + half, half);
    for (size_t i = 0; i < half; i++) { /* no digit replaces a byte still to be read */
        unsigned char byte = (unsigned char)name[half + i];

        name[2 * i] = digits[byte >> 4];
        name[2 * i + 1] = digits[byte & 15];
    }
    name[len] = '\0';
}

bool crypto_same(struct str a, struct str b)
{
    volatile unsigned char differs = 0;

    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        differs |= (unsigned char)(a.ptr[i] ^ b.ptr[i]);
    return differs == 0;
}

void crypto_wipe(void *ptr, size_t len)
{
    volatile unsigned char *at = ptr;

    while (len--)
        *at++ = 0;
}
