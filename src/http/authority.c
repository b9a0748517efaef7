/* The authority of URLs and Host headers. */
#include "http/authority.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

const char *url_after_scheme(const char *url)
{
    const char *at = strstr(url, "://");

    return at ? at + 3 : url;
}

struct str url_authority(const char *url)
{
    const char *start = url_after_scheme(url);
    const char *end = start + strcspn(start, "/?#");
    const char *at = memchr(start, '@', (size_t)(end - start));

    if (at)
        start = at + 1;
    return (struct str){ start, (size_t)(end - start) };
}

struct str authority_host(struct str authority)
{
    const char *end;

    if (authority.len && *authority.ptr == '[') {
        const char *after = authority.ptr + authority.len;

        end = memchr(authority.ptr, ']', authority.len);
        if (!end || (end + 1 < after && end[1] != ':'))
            return (struct str){ 0 };
        return (struct str){ authority.ptr + 1, (size_t)(end - authority.ptr - 1) };
    }
    end = memchr(authority.ptr, ':', authority.len);
    if (end)
        authority.len = (size_t)(end - authority.ptr);
    return authority;
}

static bool has_only(struct str text, const char *marks, bool letters)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (!((c >= '0' && c <= '9') || (letters && (c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
              (c && strchr(marks, c))))
            return false;
    }
    return true;
}

bool authority_is_plain(struct str authority)
{
    struct str host = authority_host(authority);
    bool bracket = authority.len && *authority.ptr == '[';
    size_t used = host.len + (bracket ? 2 : 0);
    struct str rest = { authority.ptr + used, authority.len - used };

    if (!host.len || !has_only(host, bracket ? ":.%" : "-._~%!$&'()*+,;=", true))
        return false;
    if (!rest.len)
        return true;
    return *rest.ptr == ':' && rest.len <= 6 &&
           has_only((struct str){ rest.ptr + 1, rest.len - 1 }, "", false);
}

bool host_is(struct str host, const char *name)
{
    return host.len && strlen(name) == host.len && strncasecmp(host.ptr, name, host.len) == 0;
}

bool host_is_local(struct str host)
{
    return host_is(host, "localhost") || host_is(host, "127.0.0.1") || host_is(host, "::1");
}

static enum host_scope ip4_scope(const unsigned char ip[4])
{
    if (ip[0] == 0 || ip[0] == 127)
        return HOST_MACHINE;
    if (ip[0] == 10 || (ip[0] == 172 && ip[1] >> 4 == 1) || (ip[0] == 192 && ip[1] == 168) ||
        (ip[0] == 169 && ip[1] == 254) || (ip[0] == 100 && ip[1] >> 6 == 1) || ip[0] >= 224)
        return HOST_NETWORK;
    if ((ip[0] == 192 && ip[1] == 0 && ip[2] == 0) || (ip[0] == 198 && ip[1] >> 1 == 9))
        return HOST_NETWORK; /* no public ones either (RFC 6890) */
    return HOST_WORLD;
}

static bool ip_begins(const unsigned char ip[16], const char *bytes, size_t len)
{
    return memcmp(ip, bytes, len) == 0;
}

static enum host_scope ip6_scope(const unsigned char ip[16])
{
    static const char zeros[16] = { 0 };

    if (ip_begins(ip, zeros, 10) && ip[10] == 0xFF && ip[11] == 0xFF)
        return ip4_scope(ip + 12); /* mapped */
    if (ip_begins(ip, zeros, 15) && ip[15] <= 1)
        return HOST_MACHINE;
    if (ip_begins(ip, zeros, 12))
        return ip4_scope(ip + 12); /* compatible */
    if (ip_begins(ip, "\0\0\0\0\0\0\0\0\xff\xff\0\0", 12))
        return ip4_scope(ip + 12); /* translated (RFC 2765) */
    if (ip_begins(ip, "\0\x64\xff\x9b\0\x01", 6))
        return HOST_NETWORK; /* a translator of a private network (RFC 8215) */
    if (ip_begins(ip, "\0\x64\xff\x9b\0\0\0\0\0\0\0\0", 12))
        return ip4_scope(ip + 12); /* translated (RFC 6052) */
    if (ip_begins(ip, "\x20\x02", 2))
        return ip4_scope(ip + 2); /* 6to4 */
    if ((ip[0] & 0xFE) == 0xFC || (ip[0] == 0xFE && ip[1] >= 0x80) || ip[0] == 0xFF)
        return HOST_NETWORK;
    return HOST_WORLD;
}

static const char *last_label(const char *text, size_t len)
{
    const char *at = text + len;

    while (at > text && at[-1] != '.')
        at--;
    return at;
}

/* True if a resolver may take it for an address: its last label is a number, in any base. */
static bool ends_in_number(const char *text, size_t len)
{
    const char *label = last_label(text, len);
    size_t rest = (size_t)(text + len - label);

    if (rest > 2 && label[0] == '0' && (label[1] | 0x20) == 'x')
        return strspn(label + 2, "0123456789abcdefABCDEF") >= rest - 2;
    return rest > 0 && strspn(label, "0123456789") >= rest;
}

enum host_scope host_scope(struct str host)
{
    unsigned char ip[16];
    char text[256];
    char *zone;

    if (!host.len || host.len >= sizeof text)
        return HOST_ODD;
    memcpy(text, host.ptr, host.len);
    text[host.len] = '\0';
    zone = strchr(text, '%');
    if (zone && memchr(text, ':', (size_t)(zone - text)))
        *zone = '\0';
    if (inet_pton(AF_INET6, text, ip) == 1)
        return ip6_scope(ip);
    if (inet_pton(AF_INET, text, ip) == 1)
        return ip4_scope(ip);
    if (text[host.len - 1] == '.')
        host.len--;
    if (host_is(host, "localhost") ||
        (host.len > 10 && strncasecmp(text + host.len - 10, ".localhost", 10) == 0))
        return HOST_MACHINE;
    return ends_in_number(text, host.len) ? HOST_ODD : HOST_WORLD;
}
