/* A double of nettle 4's header. */
#ifndef NETTLE_BIGNUM_H_INCLUDED
#define NETTLE_BIGNUM_H_INCLUDED

#include <gmp.h>
#include <nettle/version.h>
#include <stddef.h>
#include <stdint.h>

void nettle_mpz_set_str_256_u(mpz_t number, size_t length, const uint8_t *bytes);

#endif
