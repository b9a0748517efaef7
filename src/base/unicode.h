/* Text of any language: in one case or form, and cut into characters. The tables come from the
 * module `utf8proc`, which is opened with the first use. Main thread only. */
#ifndef PERIGEE_BASE_UNICODE_H
#define PERIGEE_BASE_UNICODE_H

#include "base/buf.h"
#include "base/error.h"

enum unicode_form {
    UNICODE_LOWER, /* by the simple mappings: one code point for each */
    UNICODE_UPPER,
    UNICODE_FOLD, /* NFKC_Casefold, as fold_text() */
    UNICODE_NFC,
    UNICODE_NFD,
    UNICODE_NFKC,
    UNICODE_NFKD,
};

/* A stretch of text, measured. Characters are those that people see (extended grapheme clusters,
 * UAX #29): a letter with its accents, a flag. Columns are the cells of a terminal: 2 for wide
 * characters and emoji, 0 for control characters. */
struct unicode_extent {
    size_t bytes, characters, columns;
};

/* Opens the module, for a process that will not be able to. False: an error of module_symbol(). */
bool unicode_ready(struct error *err);

/* Appends the text in that form. A byte that is not UTF-8 stays as it is. False: as
 * above. */
bool unicode_convert(struct buf *out, struct str text, enum unicode_form form, struct error *err);

/* Measures whole characters from the beginning of the text: as many as fit into most->characters
 * and most->columns, and none after most->bytes are full. A byte that is not UTF-8 is a character
 * one column wide. False: as above. */
bool unicode_walk(struct str text, const struct unicode_extent *most, struct unicode_extent *walked,
                  struct error *err);

/* The module's side. */
struct unicode_ops {
    void (*convert)(struct buf *out, struct str text, enum unicode_form form);
    void (*walk)(struct str text, const struct unicode_extent *most, struct unicode_extent *walked);
};

#endif
