/* A double of nettle 4's header. */
#ifndef NETTLE_RSA_H_INCLUDED
#define NETTLE_RSA_H_INCLUDED

#include <nettle/bignum.h>
#include <nettle/sha2.h>

#define rsa_public_key_init      nettle_rsa_public_key_init
#define rsa_public_key_clear     nettle_rsa_public_key_clear
#define rsa_public_key_prepare   nettle_rsa_public_key_prepare
#define rsa_sha256_verify_digest nettle_rsa_sha256_verify_digest

struct rsa_public_key {
    size_t size;
    mpz_t n, e;
};

void rsa_public_key_init(struct rsa_public_key *key);
void rsa_public_key_clear(struct rsa_public_key *key);
int rsa_public_key_prepare(struct rsa_public_key *key);
int rsa_sha256_verify_digest(const struct rsa_public_key *key, const uint8_t *digest,
                             const mpz_t signature);

#endif
