/* A text as it is compared: what only looks different becomes the same. */
#ifndef PERIGEE_SEEN_CLEAN_H
#define PERIGEE_SEEN_CLEAN_H

#include "base/buf.h"

/* Appends its words in small letters with one space between them and none around them. Dropped are
 * what nobody sees, quotes, brackets, commas and the like, and the dots, colons and slashes that
 * end a word: of a sentence, a label, a directory. What is not UTF-8 parts words. */
void seen_clean(struct buf *out, struct str text);

/* Appends a text that was cleaned, with its characters from the last to the first. */
void seen_reverse(struct buf *out, struct str cleaned);

#endif
