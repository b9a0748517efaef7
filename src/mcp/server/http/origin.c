/* Names of hosts: those of this machine, and those that the options allow. */
#include "mcp/server/http/origin.h"

#include <arpa/inet.h>
#include <strings.h>

struct http_listener *http_listener_of(struct httpd_exchange *x)
{
    return x->arg;
}

/* "name", "name:80", "[::1]:80" -> the name without port and brackets; empty if it is none. */
static struct str name_in(const char *text, size_t len)
{
    struct str name = { text, len };
    const char *end;

    if (len && *text == '[') {
        end = memchr(text, ']', len);
        if (!end || (end + 1 < text + len && end[1] != ':'))
            return (struct str){ 0 };
        return (struct str){ text + 1, (size_t)(end - text - 1) };
    }
    end = memchr(text, ':', len);
    if (end)
        name.len = (size_t)(end - text);
    return name;
}

static bool same_name(struct str name, const char *other)
{
    return name.len && strlen(other) == name.len && strncasecmp(name.ptr, other, name.len) == 0;
}

static bool is_address(struct str name)
{
    unsigned char bytes[16];
    char text[64];

    if (!name.len || name.len >= sizeof text)
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

static bool this_machine(struct str name)
{
    return same_name(name, "localhost") || same_name(name, "127.0.0.1") || same_name(name, "::1");
}

bool host_this_machine(const char *host)
{
    return this_machine(name_in(host, strlen(host)));
}

struct str host_name(const char *host)
{
    return name_in(host, strlen(host));
}

/* Is the text, or the name in it, in this list? */
static bool listed(char *const *list, size_t count, const char *text, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(list[i], text) == 0 || same_name(name, list[i]) || strcmp(list[i], "*") == 0)
            return true;
    return false;
}

bool host_allowed(struct http_server *http, struct httpd_exchange *x, const char *host)
{
    const struct http_address *address = &http_listener_of(x)->address;
    struct str name = name_in(host, strlen(host));

    if (address->socket || this_machine(name) ||
        listed(http->hosts, http->options.host_count, host, name))
        return true;
    if (address->any) /* a page cannot make an address point elsewhere */
        return is_address(name);
    return address->host && same_name(name, address->host);
}

static bool origin_ok(struct http_server *http, const char *origin)
{
    const char *at = strstr(origin, "://");
    struct str name = { 0 };

    if (at && (strncmp(origin, "http://", 7) == 0 || strncmp(origin, "https://", 8) == 0))
        name = name_in(at + 3, strlen(at + 3));
    if (name.len && this_machine(name))
        return true;
    return listed(http->origins, http->options.origin_count, origin, name);
}

const char *origin_allowed(struct http_server *http, struct httpd_exchange *x)
{
    const char *origin = http->api->header(x, "Origin", NULL);

    return origin && origin_ok(http, origin) ? origin : NULL;
}
