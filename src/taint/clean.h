/* Cleans text for comparison: text that only looks different becomes the same. */
#ifndef PERIGEE_TAINT_CLEAN_H
#define PERIGEE_TAINT_CLEAN_H

#include "base/buf.h"

/* Appends the words in small letters with one space between them and none around them. Invisible
 * characters, quotes, brackets, commas, signs of a shell and the like are dropped, and the dots,
 * colons and slashes that end a word: that of a sentence, a label, a directory. Backslashes are
 * dropped before a quotation mark and before one another. Bytes that are not UTF-8 part words. */
void taint_clean(struct buf *out, struct str text);

/* Appends cleaned text with its characters from the last to the first. */
void taint_reverse(struct buf *out, struct str cleaned);

#endif
