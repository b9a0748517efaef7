/* The texts that somebody was given last, and whether arguments contain any of them. */
#ifndef PERIGEE_SEEN_SHELF_H
#define PERIGEE_SEEN_SHELF_H

#include "seen/probes.h"

enum {
    SHELF_TEXTS = 128,      /* results; */
    SHELF_BYTES = 32 << 20, /* and so much of their text: the oldest make room */
    SHELF_SOURCES = 8,      /* bits of a source */
    SHELF_GRAM = 5,         /* bytes */
    SHELF_SLOT_BITS = 15,
};

/* A bit for each text. */
struct shelf_set {
    uint64_t bits[SHELF_TEXTS / 64];
};

struct kept {
    struct buf text; /* cleaned; its parts end in a line break */
    unsigned source; /* one bit; 0: nothing is kept here */
    char *mount;     /* owned: of which mounted server; or NULL */
    bool whole;      /* there was more than is kept: everything counts as found */
};

/* Zeroed memory is an empty shelf. */
struct shelf {
    struct kept kept[SHELF_TEXTS];
    unsigned next;           /* place */
    size_t bytes;            /* of all texts */
    struct shelf_set *slots; /* by the hash of five bytes: the texts that have them */
    struct shelf_set of_source[SHELF_SOURCES]; /* texts that are kept, by the bit of their source */
    size_t wholes;                             /* texts of which everything counts as found */
    struct names own;                          /* words of paths that its owner gave first */
};

void shelf_free(struct shelf *shelf);

/* A place for what one call brought, to be filled with shelf_add(); the oldest makes room. mount
 * may be NULL. */
struct kept *shelf_begin(struct shelf *shelf, unsigned source, const char *mount);

/* A text, and what it says when it is decoded. */
void shelf_add(struct kept *kept, struct str text);

/* The text is whole: from now on it is found. */
void shelf_end(struct shelf *shelf, struct kept *kept);

/* The sources, of those in `sought`, that any of it is in. Not looked at is what `home` sent: that
 * mounted server gets it back. NULL: it goes to none. */
unsigned shelf_find(const struct shelf *shelf, const struct probes *probes, unsigned sought,
                    const char *home);

/* Is this in any text? */
bool shelf_has(const struct shelf *shelf, struct str probe);

#endif
