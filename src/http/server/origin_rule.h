/* Where a request comes from, and what for: Host and Origin, against pages that rebind names.
 *
 * A browser sends the name that a page was loaded from. A page that made its name point at this
 * machine still names itself in Host, and says where it is from in Origin, so both have to be of
 * this machine or allowed (modelcontextprotocol.io, "Transports", security). */
#ifndef PERIGEE_HTTP_SERVER_ORIGIN_RULE_H
#define PERIGEE_HTTP_SERVER_ORIGIN_RULE_H

#include "http/server/address.h"

struct origin_rule {
    const struct http_address *address;  /* that is listened on */
    char *const *hosts, *const *origins; /* allowed besides those of this machine */
    size_t host_count, origin_count;
};

/* Is this Host header of this machine, the name of the address, or allowed? */
bool origin_rule_host(const struct origin_rule *rule, const char *host);

/* May pages from this Origin ask? "": one that does not say what it is, which only "*" allows. */
bool origin_rule_origin(const struct origin_rule *rule, const char *origin);
/* The same for a page, by its URL. */
bool origin_rule_page(const struct origin_rule *rule, const char *url);

#endif
