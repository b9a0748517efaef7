/* Normal forms of addresses, URLs and paths: one thing has many spellings. */
#ifndef PERIGEE_TAINT_FORMS_H
#define PERIGEE_TAINT_FORMS_H

#include "base/buf.h"

/* The end of "scheme:" and of the slashes behind it; 0: there is no scheme, or it ends the word. */
size_t taint_scheme(struct str word);

/* False: a word has surely no other form than itself. Nearly no word has one. */
bool taint_has_forms(struct str word);

/* Calls fn(context, form) for each normal form of a cleaned word (clean.h), and of its part behind
 * an equals sign, which is not the word itself or its part behind the scheme: without scheme, user,
 * port (also with one that is not usual), a scheme around it and the dot that ends a host, with
 * `//`, `/./` and `/../` resolved, a mail address without its tag, and without backslashes. `home`
 * is the user's folder, cleaned, or empty. A form is borrowed for the call. Of many that are ends
 * of one another fn gets the longest, and then, from the shortest on, no more once it returns true:
 * for whoever keeps text the longest has all, and whoever searches finds nothing by a longer one
 * that the shorter one would not find. */
void taint_forms(struct str word, struct str home, bool (*fn)(void *context, struct str form),
                 void *context);

#endif
