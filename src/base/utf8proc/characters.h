/* The characters of a text: see base/unicode.h. */
#ifndef PERIGEE_BASE_UTF8PROC_CHARACTERS_H
#define PERIGEE_BASE_UTF8PROC_CHARACTERS_H

#include "base/unicode.h"

void characters_walk(struct str text, const struct unicode_extent *most,
                     struct unicode_extent *walked);

#endif
