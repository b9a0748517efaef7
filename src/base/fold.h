/* Text beyond ASCII made alike, whichever way it is written. The tables come from the module
 * `utf8proc`, which is opened with the first such text. */
#ifndef PERIGEE_BASE_FOLD_H
#define PERIGEE_BASE_FOLD_H

#include "base/buf.h"

/* Appends NFKC_Casefold of a text that is UTF-8 (Unicode 15, section 3.13, D146): small letters,
 * full-width forms and ligatures as plain letters, without what nobody sees. False, and nothing is
 * appended: it is not UTF-8, or the module cannot be opened. */
bool fold_text(struct buf *out, struct str text);

/* The module's side. */
struct fold_ops {
    bool (*fold)(struct buf *out, struct str text);
};

#endif
