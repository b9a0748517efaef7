/* Words in a row that somebody may have made of texts by editing them: text is put into the middle
 * of a word, words change their places, characters are deleted. */
#ifndef PERIGEE_TAINT_EDITED_H
#define PERIGEE_TAINT_EDITED_H

#include "base/buf.h"
#include "base/util.h"

enum {
    EDITED_BYTES = 8192, /* number of bytes of all texts */
    EDITED_TEXTS = 64,
    EDITED_ROW = 200, /* bytes of a row that is looked at */
};

/* The texts, and an index of them. */
struct edited {
    char text[EDITED_BYTES]; /* cleaned (clean.h); each begins and ends with a line break */
    size_t len;
    unsigned most;   /* number of steps that were possible */
    unsigned groups; /* number of groups; group 0 has the texts of the line itself */
    unsigned char group[EDITED_BYTES];
    uint16_t first[256][256];               /* place of the last pair of bytes; 0: there is none */
    uint16_t before[EDITED_BYTES];          /* the one before it with the same bytes */
    unsigned char alone[EDITED_TEXTS][256]; /* steps that a byte of the group costs at least */
    bool apart; /* nothing was deleted: a row has something of the line itself */
    bool more;  /* there are more texts than are kept */
};

void edited_begin(struct edited *edited, unsigned most, bool apart);

/* Adds a text of the line itself, or another one, of which it may have parts. */
void edited_add(struct edited *edited, struct str text, bool other);

/* True if cleaned words in a row come of the texts by that many steps at most, and by one at least.
 * A step is a place where parts of the texts meet, and an end of such a part in the middle of a
 * word; a place where two other texts meet is several, because each has to be brought. If no step
 * was possible, characters at the beginning of a text may have been taken off. */
bool edited_makes(const struct edited *edited, struct str row);

/* True if a row, or a word that identifies something, of kept text comes of them. */
bool edited_makes_any(const struct edited *edited, struct str kept);

#endif
