/* The text to look for from a call's arguments: words in a row, and single words that identify
 * something: an address, the name of a host, a path, a number. */
#ifndef PERIGEE_TAINT_PROBES_H
#define PERIGEE_TAINT_PROBES_H

#include "taint/host.h"
#include "taint/names.h"
#include "taint/orders.h"

enum {
    PROBES_ROW = 3,     /* words that make a row */
    PROBES_MAX = 20000, /* all of the arguments counts as found if they have more */
};

struct probe {
    uint32_t from, len; /* place in the text */
};

/* Zeroed memory has no probes. */
struct probes {
    struct buf text;   /* the text to look for, cleaned (clean.h) */
    struct buf others; /* its decodings (decoded.h) and readings (readings.h), a line each */
    struct buf hosts;  /* the hosts that it names, as taint_host_mark() */
    struct buf rows;   /* rows of words in other orders, a line each */
    struct probe *items;
    size_t count, room, row_count;
    /* Where those of reversed text, of words that were joined, and of decodings begin; the hosts
     * are the last. */
    size_t reversed, joined, decoded;
    bool more; /* there are more probes than PROBES_MAX */
    /* Used while probes are made; borrowed or empty. */
    const struct names *except; /* words not to look for; NULL: none */
    struct str home;            /* the user's folder, cleaned: "~/x" is the same as below it */
    bool slash;                 /* "a/b" is a word of sentences rather than a path */
};

void probes_free(struct probes *probes);

/* Drops the probes, and keeps the memory. `slash` is false then. */
void probes_clear(struct probes *probes, const struct names *except, struct str home);

/* Adds the next piece of text: words may be in a row across pieces. */
void probes_add(struct probes *probes, struct str text);

/* Adds the rows of words over several arguments, in any order of these. */
void probes_add_orders(struct probes *probes, const struct orders *orders);

/* Adds the marks of the hosts that text names, as kept text has them. False: not all. */
bool probes_add_hosts(struct probes *probes, struct str text);

/* Adds a line to `lines` for each host that the text, or a decoding of it, names: its use (a byte,
 * '0' + enum host_use) and the host. False: not all. */
bool probes_list_hosts(struct buf *lines, struct str text);

/* Adds the mark by which a host of that use is looked for. */
void probes_seek_host(struct probes *probes, struct str host, enum host_use use);

/* Adds those of the hosts to which the name of another one may lead: taint_inner_hosts(). */
void probes_seek_inner_hosts(struct probes *probes, struct str host);

/* Makes the probes of all added text, of its decodings, of its characters from the last to the
 * first, of words that a sign joins (joined.h), and of all added hosts. A word of `except` is not
 * looked for alone, but with the one before it and the one after it: "rm thesis.odt" may be copied,
 * no matter who named the file. */
void probes_end(struct probes *probes);

/* Makes the probes of all added hosts, text, its decodings and the words that a sign joins: those
 * that arguments may have in common with text that is kept. */
void probes_end_kept(struct probes *probes);

/* True if a cleaned word identifies something by itself, if only as a path. */
bool probes_stands(struct str word);

/* Adds the probes of a path, of the folders above it, and of its last name; also pairs of words. */
void probes_of_path(struct probes *probes, struct str path);

static inline struct str probe_str(const struct probes *probes, const struct probe *probe)
{
    return (struct str){ probes->text.data + probe->from, probe->len };
}

#endif
