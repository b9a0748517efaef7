/* The authority of URLs and Host headers. */
#include "http/authority.h"

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
