/* Base64 (RFC 4648): section 4 as MCP carries binary data, and section 5, for URLs. */
#ifndef PERIGEE_BASE_BASE64_H
#define PERIGEE_BASE_BASE64_H

#include "base/buf.h"

static inline size_t base64_length(size_t len)
{
    return (len + 2) / 3 * 4;
}

/* Writes base64_length(len) characters, no NUL. */
void base64_encode(char *out, const char *bytes, size_t len);

/* Appends the text with - and _ and without padding. */
void base64_encode_url(struct buf *out, const char *bytes, size_t len);

/* Appends the bytes. Strict: whole groups, padding where it belongs, no spaces, no
 * bits left over. False: it is no base64, and out is as before. */
bool base64_decode(struct buf *out, struct str text);

/* The same of the alphabet for URLs, without padding. */
bool base64_decode_url(struct buf *out, struct str text);

#endif
