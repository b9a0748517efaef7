/* A double of nettle 4's header. */
#ifndef NETTLE_ECC_CURVE_H_INCLUDED
#define NETTLE_ECC_CURVE_H_INCLUDED

struct ecc_curve;
const struct ecc_curve *nettle_get_secp_256r1(void);

#endif
