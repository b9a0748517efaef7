/* Names of hosts: those of this machine, and those that the options allow. */
#include "http/server/origin_rule.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <strings.h>

#include "http/authority.h"

static bool is_ip_address(struct str name)
{
    unsigned char bytes[16];
    char text[64];

    if (!name.len || name.len >= sizeof text)
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

/* Is the text, or the name in it, in this list? */
static bool list_has_name(char *const *list, size_t count, const char *text, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(list[i], text) == 0 || host_is(name, list[i]) || strcmp(list[i], "*") == 0)
            return true;
    return false;
}

bool origin_rule_host(const struct origin_rule *rule, const char *host)
{
    const struct http_address *address = rule->address;
    struct str name = authority_host(str_from(host));

    if (address->socket || host_is_local(name) ||
        list_has_name(rule->hosts, rule->host_count, host, name))
        return true;
    if (address->any) /* a page cannot make an address point elsewhere */
        return is_ip_address(name);
    return address->host && host_is(name, address->host);
}

bool origin_rule_origin(const struct origin_rule *rule, const char *origin)
{
    struct str name = { 0 };

    if (strncmp(origin, "http://", 7) == 0 || strncmp(origin, "https://", 8) == 0)
        name = authority_host(str_from(url_after_scheme(origin)));
    return host_is_local(name) || list_has_name(rule->origins, rule->origin_count, origin, name);
}

bool origin_rule_page(const struct origin_rule *rule, const char *url)
{
    const char *name = url_after_scheme(url);
    char *origin = mem_strndup(url, (size_t)(name - url) + strcspn(name, "/?#"));
    bool may = origin_rule_origin(rule, origin);

    free(origin);
    return may;
}
