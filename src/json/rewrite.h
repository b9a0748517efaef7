/* The same JSON in a spelling cJSON can take. */
#ifndef PERIGEE_JSON_REWRITE_H
#define PERIGEE_JSON_REWRITE_H

#include "base/buf.h"

/* Appends text, which json_scan() accepted, with \u0000 as the bytes C0 80 and
 * numbers longer than JSON_NUMBER_MAX in at most 17 digits. */
void json_rewrite(struct buf *out, const char *text, size_t len);

/* Appends text, which may be any, with \ufffd for each escape that is half of a surrogate pair
 * and has no other half beside it. */
void json_replace_halves(struct buf *out, const char *text, size_t len);

#endif
