/* The rule of http/server/origin_rule.h, by the server's options. */
#include "mcp/server/http/origin.h"

#include "http/server/origin_rule.h"

struct http_listener *http_listener_of(struct httpd_exchange *x)
{
    return x->arg;
}

static struct origin_rule make_origin_rule(const struct http_server *http, struct httpd_exchange *x)
{
    return (struct origin_rule){ &http_listener_of(x)->address, http->hosts, http->origins,
                                 http->options.host_count, http->options.origin_count };
}

bool host_allowed(struct http_server *http, struct httpd_exchange *x, const char *host)
{
    struct origin_rule rule = make_origin_rule(http, x);

    return origin_rule_host(&rule, host);
}

const char *origin_allowed(struct http_server *http, struct httpd_exchange *x)
{
    struct origin_rule rule = make_origin_rule(http, x);
    const char *origin = http->api->header(x, "Origin", NULL);

    return origin && origin_rule_origin(&rule, origin) ? origin : NULL;
}
