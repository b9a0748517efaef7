/* The last text that a caller was given, and the check whether arguments contain any of it. */
#ifndef PERIGEE_TAINT_RECORD_H
#define PERIGEE_TAINT_RECORD_H

#include "taint/probes.h"

enum {
    SHELF_TEXTS = 128,      /* results */
    SHELF_BYTES = 32 << 20, /* and bytes of their text: the oldest make room */
    SHELF_SOURCES = 8,      /* number of sources, a bit each */
    SHELF_GRAM = 5,         /* bytes of a run */
    SHELF_SLOT_BITS = 15,
};

/* A bit for each kept text. */
struct shelf_set {
    uint64_t bits[SHELF_TEXTS / 64];
};

struct kept {
    struct buf text; /* cleaned; its parts end in a line break */
    unsigned source; /* one bit; 0: the place is free */
    char *mount;     /* owned: the mounted server that sent it; or NULL */
    bool whole;      /* there was more than is kept: everything counts as found */
};

/* Zeroed memory is an empty shelf. */
struct shelf {
    struct kept kept[SHELF_TEXTS];
    unsigned next;           /* the next place */
    size_t bytes;            /* bytes of all kept text */
    struct shelf_set *slots; /* by the hash of five bytes: the texts that have them */
    struct shelf_set of_source[SHELF_SOURCES]; /* kept texts by the bit of their source */
    size_t wholes;    /* number of texts in which everything counts as found */
    struct names own; /* words of paths that the owner gave before any result had them */
};

void shelf_free(struct shelf *shelf);

/* Begins a text for the result of one call, to be filled with shelf_add(); the oldest makes room.
 * mount may be NULL. */
struct kept *shelf_begin(struct shelf *shelf, unsigned source, const char *mount);

/* Adds text, and its decodings. */
void shelf_add(struct kept *kept, struct str text);

/* Ends the text, which is found from now on. */
void shelf_end(struct shelf *shelf, struct kept *kept);

/* The sources, of those in `sought`, that have any of the probes. Text from the mounted server
 * `home` is left out: that server only gets it back. NULL: the arguments go to no mounted
 * server. */
unsigned shelf_find(const struct shelf *shelf, const struct probes *probes, unsigned sought,
                    const char *home);

/* True if any kept text has this. */
bool shelf_has(const struct shelf *shelf, struct str probe);

#endif
