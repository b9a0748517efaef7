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

bool host_is(struct str host, const char *name)
{
    return host.len && strlen(name) == host.len && strncasecmp(host.ptr, name, host.len) == 0;
}

bool host_is_local(struct str host)
{
    return host_is(host, "localhost") || host_is(host, "127.0.0.1") || host_is(host, "::1");
}
