/* Patterns in PCRE2's own syntax, that of Perl, with captures: what scripts write. They are in the
 * module "pcre2", which is opened with the first one. Main thread only. */
#ifndef PERIGEE_JSON_PATTERN_PERL_H
#define PERIGEE_JSON_PATTERN_PERL_H

#include "base/error.h"

struct perl_pattern;

enum perl_option {
    PERL_CASELESS = 1,
    PERL_MULTILINE = 2, /* ^ and $ at every line */
    PERL_DOTALL = 4,    /* . is also a line feed */
    PERL_EXTENDED = 8,  /* white space and # comments do not count */
    PERL_UNICODE = 16,  /* \w \d \s \b and [[:alpha:]] of every language, and not of ASCII only */
};

enum { PERL_BYTES_MAX = 65536, PERL_GROUPS_MAX = 255 };

/* Opens the module, for a process that will not be able to. False: an error of module_symbol(). */
bool perl_ready(struct error *err);

/* NULL with "invalid_pattern", which names the place, or an error of module_symbol(). */
struct perl_pattern *perl_compile(struct str pattern, unsigned options, struct error *err);
void perl_free(struct perl_pattern *pattern); /* accepts NULL */

unsigned perl_groups(const struct perl_pattern *pattern); /* that capture */

/* The names of groups, by index from 0; false: there is none with this index. */
struct perl_name {
    const char *name; /* borrowed from the pattern */
    unsigned group;
};
bool perl_name(const struct perl_pattern *pattern, unsigned index, struct perl_name *name);

/* The caller's answer to the cost of a search so far. */
enum perl_look { PERL_GO_ON, PERL_PAUSE /* before the next place of the text */, PERL_GIVE_UP };

enum { PERL_UNSET = -1 }; /* as size_t: a group that is not part of the match */

struct perl_search {
    struct str text; /* valid UTF-8 */
    size_t at;       /* where it begins; the text before is seen by \b, ^ and lookbehinds */
    bool not_empty;  /* an empty match at this place does not count */
    size_t *offsets; /* gets the begin and end of the match, then of each group */
    enum perl_look (*look)(void *arg); /* called every few steps; must not raise */
    void *arg;
    size_t resume; /* after PERL_PAUSED: `at` to go on with */
};

enum perl_result { PERL_NO, PERL_YES, PERL_PAUSED, PERL_GAVE_UP, PERL_FAILED /* and err */ };

enum perl_result perl_search(const struct perl_pattern *pattern, struct perl_search *search,
                             struct error *err);

/* The operations that the module exports as `perigee_perl`. */
struct perl_ops {
    struct perl_pattern *(*compile)(struct str pattern, unsigned options, struct error *err);
    void (*free)(struct perl_pattern *pattern);
    unsigned (*groups)(const struct perl_pattern *pattern);
    bool (*name)(const struct perl_pattern *pattern, unsigned index, struct perl_name *name);
    enum perl_result (*search)(const struct perl_pattern *pattern, struct perl_search *search,
                               struct error *err);
};

#endif
