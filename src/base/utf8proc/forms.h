/* Text in one case or form: see base/unicode.h. */
#ifndef PERIGEE_BASE_UTF8PROC_FORMS_H
#define PERIGEE_BASE_UTF8PROC_FORMS_H

#include "base/unicode.h"

void forms_convert(struct buf *out, struct str text, enum unicode_form form);

/* The same for the forms after UNICODE_UPPER. False, and nothing is appended: it is not UTF-8. */
bool forms_map(struct buf *out, struct str text, enum unicode_form form);

#endif
