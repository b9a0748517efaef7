/* "Authorization: Bearer TOKEN" (RFC 6750). */
#ifndef PERIGEE_HTTP_SERVER_BEARER_H
#define PERIGEE_HTTP_SERVER_BEARER_H

#include "base/util.h"

/* The token in the header's value, borrowed; false: it has none. NULL is fine. */
bool bearer_token(const char *header, struct str *token);

#endif
