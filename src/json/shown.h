/* JSON for a model: text from outside without characters that hide words. */
#ifndef PERIGEE_JSON_SHOWN_H
#define PERIGEE_JSON_SHOWN_H

#include "base/buf.h"

/* Takes the hidden characters (base/hidden.h) out of the strings of JSON text, where it is; `*len`
 * becomes its new length. Line ends and tabs stay: those of Unicode become \n. Joiners and
 * selectors stay where scripts and emoji need them. The text is valid JSON, or a part of it that
 * ends nowhere within a string. Returns how many were taken out. */
size_t json_show(char *json, size_t *len);

/* The same for what stands behind the first `from` bytes. */
size_t json_show_from(struct buf *text, size_t from);

#endif
