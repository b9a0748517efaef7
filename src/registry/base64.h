/* Base64 (RFC 4648, section 4), as MCP carries binary data. */
#ifndef PERIGEE_REGISTRY_BASE64_H
#define PERIGEE_REGISTRY_BASE64_H

#include <stddef.h>

static inline size_t base64_length(size_t len)
{
    return (len + 2) / 3 * 4;
}

/* Writes base64_length(len) characters, no NUL. */
void base64_encode(char *out, const char *bytes, size_t len);

#endif
