/* References between parts of a schema: RFC 3986, as far as comparing needs. */
#ifndef PERIGEE_JSON_SCHEMA_URI_H
#define PERIGEE_JSON_SCHEMA_URI_H

#include "base/buf.h"

/* Appends the reference, without its fragment, as seen from the base (section 5.2). */
void uri_resolve(struct buf *out, const char *base, const char *reference);

/* The part after the "#"; NULL if there is none. Borrows. */
const char *uri_fragment(const char *reference);

/* Appends the text with %41 as A. False for a malformed escape. */
bool uri_decode(struct buf *out, const char *text);

#endif
