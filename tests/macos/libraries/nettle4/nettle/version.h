/* A double of nettle 4's header, from its manual and release notes: what src/base/nettle and
 * src/base/hogweed call. */
#ifndef NETTLE_VERSION_H_INCLUDED
#define NETTLE_VERSION_H_INCLUDED

#define NETTLE_VERSION_MAJOR 4
#define NETTLE_VERSION_MINOR 0

#endif
