/* JSON text straight onto a buffer: always valid JSON in valid UTF-8, whatever
 * the bytes that go in. */
#ifndef PERIGEE_JSON_WRITER_H
#define PERIGEE_JSON_WRITER_H

#include <cjson/cJSON.h>

#include "base/buf.h"

/* In quotes. Ill-formed UTF-8 becomes U+FFFD, NUL becomes \u0000. */
void json_write_string(struct buf *out, const char *text, size_t len);

/* A short text that reads back as exactly this value; integers up to 2^53 in
 * plain digits; null for infinities and NaN, which JSON does not have. */
void json_write_number(struct buf *out, double value);
void json_write_integer(struct buf *out, int64_t value);

/* A whole tree, of a document or made by cJSON_Create*(), of any depth,
 * without white space. C0 80 in strings and names is \u0000 (see document.h); raw
 * nodes are written as they are; NULL and invalid nodes are null. */
void json_write(struct buf *out, const cJSON *tree);

/* The same over several lines, `indent` spaces a level. */
void json_write_pretty(struct buf *out, const cJSON *tree, int indent);

#endif
