/* The module "nettle": the library, and nothing of it shows outside this file. */
#include "base/crypto.h"

#include <nettle/bignum.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>
#include <nettle/hmac.h>
#include <nettle/rsa.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

/* Version 4 always writes whole digests and lost the argument that says how much of one. */
#if NETTLE_VERSION_MAJOR >= 4
#define TAKE_DIGEST(function, context, digest) function(context, digest)
#else
#define TAKE_DIGEST(function, context, digest) function(context, CRYPTO_SHA256, digest)
#endif

enum {
    P256 = 32,        /* bytes of a coordinate */
    RSA_LEAST = 256,  /* bytes of a modulus: 2048 bits (RFC 7518, 3.3) */
    RSA_MOST = 1024,  /* above it takes too long */
    EXPONENT_MOST = 8 /* bytes */
};

extern const struct crypto_ops perigee_crypto;

static void sha256(struct str data, unsigned char digest[CRYPTO_SHA256])
{
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, data.len, (const uint8_t *)data.ptr);
    TAKE_DIGEST(sha256_digest, &context, digest);
}

static void hmac_sha256(struct str key, struct str data, unsigned char digest[CRYPTO_SHA256])
{
    struct hmac_sha256_ctx context;

    hmac_sha256_set_key(&context, key.len, (const uint8_t *)key.ptr);
    hmac_sha256_update(&context, data.len, (const uint8_t *)data.ptr);
    TAKE_DIGEST(hmac_sha256_digest, &context, digest);
    crypto_wipe(&context, sizeof context);
}

/* --- signatures: all of it is public, so time may tell what it likes ------------ */

static struct str without_zeros(struct str number)
{
    while (number.len && *number.ptr == 0)
        number.ptr++, number.len--;
    return number;
}

static void read_number(mpz_t number, struct str bytes)
{
    nettle_mpz_set_str_256_u(number, bytes.len, (const uint8_t *)bytes.ptr);
}

static bool odd(struct str number)
{
    return number.len && number.ptr[number.len - 1] & 1;
}

static bool rs256(struct str modulus, struct str exponent, struct str signature, struct str data)
{
    unsigned char digest[CRYPTO_SHA256];
    struct rsa_public_key key;
    mpz_t number;
    bool valid;

    modulus = without_zeros(modulus);
    exponent = without_zeros(exponent);
    if (modulus.len < RSA_LEAST || modulus.len > RSA_MOST || !odd(modulus) ||
        exponent.len > EXPONENT_MOST || !odd(exponent) ||
        (exponent.len == 1 && *exponent.ptr == 1) || signature.len != modulus.len)
        return false;
    sha256(data, digest);
    rsa_public_key_init(&key);
    mpz_init(number);
    read_number(key.n, modulus);
    read_number(key.e, exponent);
    read_number(number, signature);
    valid = rsa_public_key_prepare(&key) && rsa_sha256_verify_digest(&key, digest, number);
    mpz_clear(number);
    rsa_public_key_clear(&key);
    return valid;
}

static bool es256(struct str x, struct str y, struct str signature, struct str data)
{
    unsigned char digest[CRYPTO_SHA256];
    struct dsa_signature halves;
    struct ecc_point key;
    mpz_t at[2];
    bool valid;

    if (x.len != P256 || y.len != P256 || signature.len != (size_t)2 * P256)
        return false;
    sha256(data, digest);
    mpz_init(at[0]);
    mpz_init(at[1]);
    dsa_signature_init(&halves);
    read_number(at[0], x);
    read_number(at[1], y);
    read_number(halves.r, (struct str){ signature.ptr, P256 });
    read_number(halves.s, (struct str){ signature.ptr + P256, P256 });
    ecc_point_init(&key, nettle_get_secp_256r1());
    valid = ecc_point_set(&key, at[0], at[1]) && /* it is on the curve */
            ecdsa_verify(&key, sizeof digest, digest, &halves);
    ecc_point_clear(&key);
    dsa_signature_clear(&halves);
    mpz_clear(at[0]);
    mpz_clear(at[1]);
    return valid;
}

const struct crypto_ops perigee_crypto = {
    .sha256 = sha256, .hmac_sha256 = hmac_sha256, .rs256 = rs256, .es256 = es256
};
