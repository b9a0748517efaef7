/* The last text that a caller was given, and the check whether arguments contain any of it. */
#ifndef PERIGEE_TAINT_RECORD_H
#define PERIGEE_TAINT_RECORD_H

#include "taint/edited.h"
#include "taint/probes.h"

enum {
    TAINT_RESULTS = 128,    /* results */
    TAINT_BYTES = 32 << 20, /* and bytes of their text: the oldest make room */
    TAINT_SOURCES = 8,      /* number of sources, a bit each */
    TAINT_GRAM = 5,         /* bytes of a run */
    TAINT_SLOT_BITS = 15,
};

/* A bit for each kept text. */
struct taint_set {
    uint64_t bits[TAINT_RESULTS / 64];
};

/* The text of one result. */
struct taint_result {
    struct buf text;         /* cleaned; its parts end in a line break */
    unsigned source;         /* one bit; 0: the place is free */
    char *mount;             /* owned: the mounted server that sent it; or NULL */
    bool whole;              /* there was more than is kept: everything counts as found */
    bool beside;             /* texts that calls told beside their results */
    const struct names *own; /* the record's; borrowed */
};

/* Zeroed memory is an empty record. */
struct taint_record {
    struct taint_result results[TAINT_RESULTS];
    unsigned next;           /* the next place */
    size_t bytes;            /* bytes of all kept text */
    struct taint_set *slots; /* by the hash of five bytes: the texts that have them */
    struct taint_set of_source[TAINT_SOURCES]; /* kept texts by the bit of their source */
    size_t wholes;    /* number of texts in which everything counts as found */
    struct names own; /* words of paths that the owner gave before any result had them */
};

void taint_record_free(struct taint_record *record);

/* Begins a text for the result of one call, to be filled with taint_record_add(); the oldest makes
 * room. mount may be NULL. */
struct taint_result *taint_record_begin(struct taint_record *record, unsigned source,
                                        const char *mount);

/* The same for a short text that a call tells beside its result: such texts of one source share a
 * place, so that many of them do not push out what was kept before. */
struct taint_result *taint_record_begin_beside(struct taint_record *record, unsigned source,
                                               const char *mount);

/* Adds text, and its decodings. */
void taint_record_add(struct taint_result *result, struct str text);

/* Ends the text, which is found from now on. */
void taint_record_end(struct taint_record *record, struct taint_result *result);

/* The mounted server that the arguments go to. */
struct taint_home {
    const char *name;                    /* NULL: they go to none */
    struct taint_record *const *records; /* all that may have text from it */
    size_t count;
};

/* The sources, of those in `sought`, that have any of the probes. Text from the mounted server
 * `home` is left out, because that server only gets it back, and so is text of other servers that
 * it sent as well. */
unsigned taint_record_find(const struct taint_record *record, const struct probes *probes,
                           unsigned sought, const struct taint_home *home);

/* The sources of text that somebody may have made of other texts by editing them. Text from the
 * mounted server (NULL: none) is left out. */
unsigned taint_record_edited(const struct taint_record *record, const struct edited *edited,
                             const char *mount);

/* True if any kept text has this. */
bool taint_record_has(const struct taint_record *record, struct str probe);

#endif
