/* The members of `_meta` that only the engine writes: what it says of a result ("perigee/from"). */
#ifndef PERIGEE_JSON_MARKS_H
#define PERIGEE_JSON_MARKS_H

#include <stddef.h>

/* Takes the members whose names begin with perigee/ out of each object named _meta, where the text
 * is; `*len` becomes its new length. The text is JSON as json/writer.h writes it: without blanks
 * between values, and without escapes in place of ASCII characters. */
void json_drop_marks(char *json, size_t *len);

/* The same for the text of one such object. Members with a name in this list stay; it ends in NULL.
 * NULL: none does. */
void json_drop_marks_of(char *object, size_t *len, const char *const *kept);

#endif
