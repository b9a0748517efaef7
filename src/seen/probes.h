/* What to look for of a call's arguments: words in a row, and single words that stand for
 * something: an address, the name of a host, a path, a number. */
#ifndef PERIGEE_SEEN_PROBES_H
#define PERIGEE_SEEN_PROBES_H

#include "seen/names.h"

enum {
    PROBES_ROW = 3,     /* words that make a row */
    PROBES_MAX = 20000, /* of arguments with more all counts as found */
};

struct probe {
    uint32_t from, len; /* in the text */
};

/* Zeroed memory has none. */
struct probes {
    struct buf text;   /* what is looked for, cleaned (clean.h) */
    struct buf others; /* what the texts say when they are decoded, a line each */
    struct probe *items;
    size_t count, room;
    bool more; /* there are more than are looked for */
    /* While they are made; borrowed or empty. */
    const struct names *except; /* not looked for; NULL: none */
    struct str home;            /* the user's folder, cleaned: "~/x" is the same as below it */
};

void probes_free(struct probes *probes);

/* Without probes, with the memory. */
void probes_clear(struct probes *probes, const struct names *except, struct str home);

/* One of the texts that stand one after the other: words may be in a row across them. */
void probes_add(struct probes *probes, struct str text);

/* Those of all that were added, of what each says when it is decoded, and of its characters from
 * the last to the first. A word of `except` is not looked for alone, but with the one before it and
 * the one after it: "rm thesis.odt" may be copied, whoever named the file. */
void probes_end(struct probes *probes);

/* Adds those of a path, of the folders that it is in, and of its last name; also pairs of words. */
void probes_of_path(struct probes *probes, struct str path);

static inline struct str probe_str(const struct probes *probes, const struct probe *probe)
{
    return (struct str){ probes->text.data + probe->from, probe->len };
}

#endif
