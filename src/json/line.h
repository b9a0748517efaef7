/* Text from outside, fit to stand in a line: neither what nobody sees nor what turns the reading
 * direction, and no break of a line. */
#ifndef PERIGEE_JSON_LINE_H
#define PERIGEE_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the text without control characters and invisible ones (C0, DEL, C1, U+00AD, U+061C,
 * U+200B-200F, U+2028-202E, U+2060-206F, U+FEFF, U+FFF9-FFFB, U+E0000-E007F). Breaks of lines and
 * tabs that follow each other are one space. A joiner (U+200C, U+200D) stays between two
 * characters beyond ASCII, and a variation selector behind one that it may select. What is not
 * UTF-8 becomes "?". Returns the length, at most `len`; `out` may be `text` itself. */
size_t line_clean(char *out, const char *text, size_t len);

/* Whether line_clean() leaves it as it is because it is ASCII; others may stay, too. */
bool line_is_clean(const char *text, size_t len);

/* line_clean() of a string, where it is. */
void line_clean_string(char *text);

#endif
