/* Words that are several ones with a sign in place of the blanks between them: "rm_-rf_notes". */
#ifndef PERIGEE_TAINT_JOINED_H
#define PERIGEE_TAINT_JOINED_H

#include "base/buf.h"

/* Calls fn(context, spaced, dashes) for each sign that parts a cleaned word (clean.h) into at least
 * three: the words in a row. `dashes`: the sign is one, so that a dash which began one of the words
 * may be missing. Short ones, and those without a letter, are left out: they are dates, versions,
 * numbers. `spaced` is borrowed for the call. */
void taint_joined(struct str word, void (*fn)(void *context, struct str spaced, bool dashes),
                  void *context);

#endif
