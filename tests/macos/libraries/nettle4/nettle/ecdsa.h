/* A double of nettle 4's header, with those of ecc.h and dsa.h that it includes. */
#ifndef NETTLE_ECDSA_H_INCLUDED
#define NETTLE_ECDSA_H_INCLUDED

#include <nettle/bignum.h>
#include <nettle/ecc-curve.h>

#define ecc_point_init      nettle_ecc_point_init
#define ecc_point_clear     nettle_ecc_point_clear
#define ecc_point_set       nettle_ecc_point_set
#define dsa_signature_init  nettle_dsa_signature_init
#define dsa_signature_clear nettle_dsa_signature_clear
#define ecdsa_verify        nettle_ecdsa_verify

struct ecc_point {
    const struct ecc_curve *ecc;
    mp_limb_t *p;
};
struct dsa_signature {
    mpz_t r, s;
};

void ecc_point_init(struct ecc_point *point, const struct ecc_curve *curve);
void ecc_point_clear(struct ecc_point *point);
int ecc_point_set(struct ecc_point *point, const mpz_t x, const mpz_t y);
void dsa_signature_init(struct dsa_signature *signature);
void dsa_signature_clear(struct dsa_signature *signature);
int ecdsa_verify(const struct ecc_point *key, size_t length, const uint8_t *digest,
                 const struct dsa_signature *signature);

#endif
