/* The module "hogweed": signatures, by the library that comes with nettle, and GMP. All of it is
 * public, so time may tell what it likes. */
#include "base/crypto.h"

#include <nettle/bignum.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>
#include <nettle/rsa.h>

enum {
    P256 = 32,        /* bytes of a coordinate */
    RSA_LEAST = 256,  /* bytes of a modulus: 2048 bits (RFC 7518, 3.3) */
    RSA_MOST = 1024,  /* above it takes too long */
    EXPONENT_MOST = 8 /* bytes */
};

extern const struct crypto_signature_ops perigee_crypto_signatures;

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

static bool is_odd_number(struct str number)
{
    return number.len && number.ptr[number.len - 1] & 1;
}

static bool verify_rs256(struct str modulus, struct str exponent, struct str signature,
                         const unsigned char digest[CRYPTO_SHA256])
{
    struct rsa_public_key key;
    mpz_t number;
    bool valid;

    modulus = without_zeros(modulus);
    exponent = without_zeros(exponent);
    if (modulus.len < RSA_LEAST || modulus.len > RSA_MOST || !is_odd_number(modulus) ||
        exponent.len > EXPONENT_MOST || !is_odd_number(exponent) ||
        (exponent.len == 1 && *exponent.ptr == 1) || signature.len != modulus.len)
        return false;
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

static bool verify_es256(struct str x, struct str y, struct str signature,
                         const unsigned char digest[CRYPTO_SHA256])
{
    struct dsa_signature halves;
    struct ecc_point key;
    mpz_t at[2];
    bool valid;

    if (x.len != P256 || y.len != P256 || signature.len != (size_t)2 * P256)
        return false;
    mpz_init(at[0]);
    mpz_init(at[1]);
    dsa_signature_init(&halves);
    read_number(at[0], x);
    read_number(at[1], y);
    read_number(halves.r, (struct str){ signature.ptr, P256 });
    read_number(halves.s, (struct str){ signature.ptr + P256, P256 });
    ecc_point_init(&key, nettle_get_secp_256r1());
    valid = ecc_point_set(&key, at[0], at[1]) && /* it is on the curve */
            ecdsa_verify(&key, CRYPTO_SHA256, digest, &halves);
    ecc_point_clear(&key);
    dsa_signature_clear(&halves);
    mpz_clear(at[0]);
    mpz_clear(at[1]);
    return valid;
}

const struct crypto_signature_ops perigee_crypto_signatures = { .rs256 = verify_rs256,
                                                                .es256 = verify_es256 };
