/* The authority of a URL ("host:port" between "://" and the path; RFC 3986, 3.2), and of a Host
 * header. All that is returned is borrowed from the text. */
#ifndef PERIGEE_HTTP_AUTHORITY_H
#define PERIGEE_HTTP_AUTHORITY_H

#include "base/util.h"

/* Where a URL's authority begins; the text itself if it has no scheme. */
const char *url_after_scheme(const char *url);

/* "host:port" of a URL, without user and password. */
struct str url_authority(const char *url);

/* "name", "name:80", "[::1]:80" -> the name without port and brackets; empty if it has none. */
struct str authority_host(struct str authority);

/* Is it a name or an address with an optional port and nothing else: no user, no path, no blank? */
bool authority_is_plain(struct str authority);

/* Is the name, without regard to case, this one? An empty one never is. */
bool host_is(struct str host, const char *name);

/* Is it a name that only this machine has: localhost, 127.0.0.1 or ::1? */
bool host_is_local(struct str host);

/* The place of a host, judged by its text: names are not resolved. */
enum host_scope {
    HOST_WORLD,   /* a name, or a public address */
    HOST_NETWORK, /* an address of a private network, or for several hosts */
    HOST_MACHINE, /* localhost, 127.0.0.0/8, 0.0.0.0/8, ::, ::1 */
    HOST_ODD,     /* a number that is an address for some programs: 2130706433, 0x7f.1, 127.1 */
};

/* Also of IPv4 addresses in IPv6 ones (::ffff:10.0.0.1, ::ffff:0:10.0.0.1, 64:ff9b::a00:1,
 * 2002:a00:1::). */
enum host_scope host_scope(struct str host);

#endif
