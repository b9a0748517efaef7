/* For each run of five bytes a table has the kept texts with that run. Text can hold a probe only
 * if it has all of the probe's runs, so that a few lookups nearly always leave none; the rest is
 * searched. The table cannot miss one, and its size only decides how many are searched in vain. */
#include "taint/record.h"

#include <stdlib.h>

#include "taint/clean.h"
#include "taint/decoded.h"
#include "taint/forms.h"
#include "taint/host.h"
#include "taint/joined.h"
#include "taint/readings.h"

enum {
    SLOTS = 1 << TAINT_SLOT_BITS,
    TEXT_MAX = 4 << 20, /* bytes of one result that are kept; all counts as found in a longer one */
    SEARCHED_MAX = 64 << 20, /* bytes searched for one call; then all counts as found */
    EDITED_MAX = 4 << 20,    /* the same where words may have been edited */
    BESIDE_MAX = 64 << 10,   /* bytes of short texts that share a place */
};

static unsigned slot_of(const char *at)
{
    uint64_t gram = 0;

    memcpy(&gram, at, TAINT_GRAM);
    return (unsigned)(gram * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TAINT_SLOT_BITS));
}

static void set_bit(struct taint_set *set, unsigned at, bool on)
{
    uint64_t bit = UINT64_C(1) << (at & 63);

    set->bits[at >> 6] = on ? set->bits[at >> 6] | bit : set->bits[at >> 6] & ~bit;
}

static bool has_bit(const struct taint_set *set, unsigned at)
{
    return set->bits[at >> 6] >> (at & 63) & 1;
}

static bool is_empty(const struct taint_set *set)
{
    return !(set->bits[0] | set->bits[1]);
}

static bool keep_common(struct taint_set *set, const struct taint_set *other)
{
    set->bits[0] &= other->bits[0];
    set->bits[1] &= other->bits[1];
    return !is_empty(set);
}

/* The texts of all sources in `sources`. */
static struct taint_set of_sources(const struct taint_record *record, unsigned sources)
{
    struct taint_set all = { 0 };

    for (unsigned i = 0; sources >> i && i < TAINT_SOURCES; i++)
        if (sources >> i & 1)
            for (size_t k = 0; k < countof(all.bits); k++)
                all.bits[k] |= record->of_source[i].bits[k];
    return all;
}

static struct taint_set *set_of(struct taint_record *record, unsigned source)
{
    unsigned i = 0;

    while (i + 1 < TAINT_SOURCES && !(source >> i & 1))
        i++;
    return &record->of_source[i];
}

/* --- keeping ------------------------------------------------------------------------------- */

static void record_mark(struct taint_record *record, unsigned at, bool on)
{
    const struct buf *text = &record->results[at].text;

    for (size_t i = 0; i + TAINT_GRAM <= text->len; i++)
        set_bit(&record->slots[slot_of(text->data + i)], at, on);
}

static void empty(struct taint_record *record, unsigned at)
{
    struct taint_result *result = &record->results[at];

    if (result->source && has_bit(set_of(record, result->source), at)) {
        record_mark(record, at, false);
        set_bit(set_of(record, result->source), at, false);
        record->wholes -= result->whole;
        record->bytes -= result->text.len;
    }
    buf_free(&result->text);
    free(result->mount);
    *result = (struct taint_result){ 0 };
}

void taint_record_free(struct taint_record *record)
{
    for (unsigned i = 0; i < TAINT_RESULTS; i++) {
        buf_free(&record->results[i].text);
        free(record->results[i].mount);
    }
    free(record->slots);
    names_free(&record->own);
    *record = (struct taint_record){ 0 };
}

struct taint_result *taint_record_begin(struct taint_record *record, unsigned source,
                                        const char *mount)
{
    unsigned at = record->next++ % TAINT_RESULTS;
    struct taint_result *result = &record->results[at];

    empty(record, at);
    result->source = source;
    result->own = &record->own;
    result->mount = mount ? mem_strdup(mount) : NULL;
    return result;
}

static bool is_room_beside(const struct taint_result *result, unsigned source, const char *mount)
{
    return result->beside && result->source == source && result->text.len < BESIDE_MAX &&
           !result->mount == !mount && (!mount || strcmp(result->mount, mount) == 0);
}

struct taint_result *taint_record_begin_beside(struct taint_record *record, unsigned source,
                                               const char *mount)
{
    struct taint_result *result;

    for (unsigned at = 0; at < TAINT_RESULTS; at++) {
        result = &record->results[at];
        if (!is_room_beside(result, source, mount))
            continue;
        record->bytes -= result->text.len; /* both are counted again at the end */
        record->wholes -= result->whole;
        return result;
    }
    result = taint_record_begin(record, source, mount);
    result->beside = true;
    return result;
}

static bool add_line(void *context, struct str form)
{
    struct buf *lines = context;

    buf_add(lines, form.ptr, form.len);
    buf_addc(lines, '\n');
    return true; /* the form that has all others as its ends came first */
}

/* Adds the other forms of the words in the text from there on, a line each. */
static void add_forms(struct buf *text, size_t from)
{
    struct buf lines = { 0 };

    while (from < text->len) {
        const char *begin = text->data + from, *end = memchr(begin, ' ', text->len - from);
        struct str word = { begin, end ? (size_t)(end - begin) : text->len - from };

        if (taint_has_forms(word))
            taint_forms(word, STR(""), add_line, &lines);
        from += word.len + 1;
    }
    buf_addc(text, '\n');
    buf_add(text, lines.data, lines.len);
    buf_free(&lines);
}

#define JOINED '\2' /* begins a line that has words which a sign joined in the text */

static void add_joined_line(void *context, struct str spaced, bool dashes)
{
    struct buf *lines = context;

    (void)dashes;
    buf_addc(lines, JOINED);
    buf_add(lines, spaced.ptr, spaced.len);
    buf_addc(lines, '\n');
}

/* Adds the words that a sign joins in the line that begins there. Names that the owner gave stay
 * names. */
static void add_joined(struct taint_result *result, size_t from)
{
    struct buf lines = { 0 };
    const char *end = memchr(result->text.data + from, '\n', result->text.len - from);
    size_t to = (size_t)(end - result->text.data);

    while (from < to) {
        const char *begin = result->text.data + from, *blank = memchr(begin, ' ', to - from);
        struct str word = { begin, blank ? (size_t)(blank - begin) : to - from };

        if (!result->own || !names_has(result->own, word))
            taint_joined(word, add_joined_line, &lines);
        from += word.len + 1;
    }
    buf_add(&result->text, lines.data, lines.len);
    buf_free(&lines);
}

static void add_host(void *context, struct str host, enum host_use use)
{
    taint_host_marks(context, host, use);
}

static void add_text(void *context, struct str text)
{
    struct taint_result *result = context;
    size_t from = result->text.len;

    taint_clean(&result->text, text);
    add_forms(&result->text, from);
    result->whole |= !taint_hosts(text, add_host, &result->text);
    add_joined(result, from);
}

void taint_record_add(struct taint_result *result, struct str text)
{
    if (result->text.len > TEXT_MAX) {
        result->whole = true;
        return;
    }
    add_text(result, text);
    taint_decoded(text, add_text, result);
    taint_readings(text, add_text, result);
}

void taint_record_end(struct taint_record *record, struct taint_result *result)
{
    unsigned at = (unsigned)(result - record->results);

    if (!record->slots)
        record->slots = mem_zero(SLOTS * sizeof *record->slots);
    record_mark(record, at, true);
    record->wholes += result->whole;
    record->bytes += result->text.len;
    set_bit(set_of(record, result->source), at, true);
    for (unsigned i = 1; record->bytes > TAINT_BYTES && i < TAINT_RESULTS; i++)
        empty(record, (at + i) % TAINT_RESULTS);
}

/* --- looking ------------------------------------------------------------------------------- */

/* Leaves the texts in `in` that may hold the probe; false: none. Neighboring runs are nearly always
 * in the same texts, so the runs that share no byte come first. */
static bool may_hold(const struct taint_record *record, struct str probe, struct taint_set *in)
{
    size_t last = probe.len - TAINT_GRAM;

    if (probe.len < TAINT_GRAM)
        return true;
    for (size_t i = 0; i <= last; i += TAINT_GRAM)
        if (!keep_common(in, &record->slots[slot_of(probe.ptr + i)]))
            return false;
    for (size_t i = 1; i <= last; i += i % TAINT_GRAM == TAINT_GRAM - 1 ? 2 : 1)
        if (!keep_common(in, &record->slots[slot_of(probe.ptr + i)]))
            return false;
    return true;
}

static bool result_holds(const struct taint_result *result, struct str probe, size_t *searched)
{
    *searched += result->text.len;
    return memmem(result->text.data, result->text.len, probe.ptr, probe.len) != NULL;
}

/* Does the text have it with blanks between the words? Two names that signs join, such as those of
 * files of one folder, may have words in a row in common. */
static bool result_holds_spaced(const struct taint_result *result, struct str probe,
                                size_t *searched)
{
    const char *begin = result->text.data, *end = begin + result->text.len, *at = begin, *line;

    *searched += result->text.len;
    while ((at = memmem(at, (size_t)(end - at), probe.ptr, probe.len))) {
        for (line = at; line > begin && line[-1] != '\n';)
            line--;
        if (*line != JOINED)
            return true;
        at = memchr(at, '\n', (size_t)(end - at));
    }
    return false;
}

/* Is it from this mounted server; from any (NULL)? */
static bool is_of_mount(const struct taint_result *result, const char *mount)
{
    return result->mount && (!mount || strcmp(result->mount, mount) == 0);
}

/* Takes out the texts from the mounted server; from all of them (NULL). */
static void drop_mount(const struct taint_record *record, struct taint_set *set, const char *mount)
{
    for (unsigned i = 0; i < TAINT_RESULTS; i++)
        if (has_bit(set, i) && is_of_mount(&record->results[i], mount))
            set_bit(set, i, false);
}

/* The sources with a text in which everything counts as found. */
static unsigned found_anyway(const struct taint_record *record, const struct taint_set *set,
                             bool all)
{
    unsigned found = 0;

    for (unsigned i = 0; i < TAINT_RESULTS; i++) {
        const struct taint_result *result = &record->results[i];

        if (has_bit(set, i) && (result->whole || (all && result->text.len > 1)))
            found |= result->source;
    }
    return found;
}

/* Searches the texts of `in`; returns the sources of those that hold the probe. */
static unsigned record_search_set(const struct taint_record *record, const struct taint_set *in,
                                  struct str probe, bool spaced, size_t *searched)
{
    bool (*const holds)(const struct taint_result *, struct str, size_t *) =
        spaced ? result_holds_spaced : result_holds;
    unsigned found = 0;

    for (unsigned at = 0; at < TAINT_RESULTS; at++) {
        const struct taint_result *result = &record->results[at];

        if (has_bit(in, at) && !(found & result->source) &&
            (*searched > SEARCHED_MAX || holds(result, probe, searched)))
            found |= result->source;
    }
    return found;
}

static void drop_sources(const struct taint_record *record, struct taint_set *set, unsigned sources)
{
    struct taint_set drop = of_sources(record, sources);

    for (size_t i = 0; i < countof(set->bits); i++)
        set->bits[i] &= ~drop.bits[i];
}

/* Has the mounted server itself sent this? */
static bool was_sent_by(const struct taint_home *home, struct str probe)
{
    size_t searched = 0;

    for (size_t i = 0; i < home->count; i++) {
        const struct taint_record *record = home->records[i];
        struct taint_set in = of_sources(record, ~0u);

        if (is_empty(&in) || !may_hold(record, probe, &in))
            continue;
        for (unsigned at = 0; at < TAINT_RESULTS; at++)
            if (has_bit(&in, at) && is_of_mount(&record->results[at], home->name) &&
                result_holds(&record->results[at], probe, &searched))
                return true;
    }
    return false;
}

unsigned taint_record_find(const struct taint_record *record, const struct probes *probes,
                           unsigned sought, const struct taint_home *home)
{
    struct taint_set look = of_sources(record, sought);
    unsigned found = 0;
    size_t searched = 0;

    if (is_empty(&look) || (!probes->count && !probes->more))
        return 0;
    if (home->name)
        drop_mount(record, &look, home->name);
    if (probes->more || record->wholes)
        found = found_anyway(record, &look, probes->more);
    drop_sources(record, &look, found);
    for (size_t i = 0; i < probes->count && !is_empty(&look); i++) {
        struct str probe = probe_str(probes, &probes->items[i]);
        bool joined = i >= probes->joined && i < probes->decoded;
        struct taint_set in = look;
        unsigned here;

        if (!may_hold(record, probe, &in))
            continue;
        here = record_search_set(record, &in, probe, joined, &searched);
        if (here && home->name && was_sent_by(home, probe)) {
            drop_mount(record, &in, NULL);
            here = record_search_set(record, &in, probe, joined, &searched);
        }
        if (here)
            drop_sources(record, &look, here);
        found |= here;
    }
    return found;
}

bool taint_record_has(const struct taint_record *record, struct str probe)
{
    struct taint_set in = of_sources(record, ~0u);
    size_t searched = 0;

    return !is_empty(&in) && may_hold(record, probe, &in) &&
           record_search_set(record, &in, probe, false, &searched) != 0;
}

unsigned taint_record_edited(const struct taint_record *record, const struct edited *edited,
                             const char *mount)
{
    size_t searched = 0;
    unsigned found = 0;

    for (unsigned i = 0; i < TAINT_RESULTS; i++) {
        const struct taint_result *result = &record->results[i];

        if (!result->source || (found & result->source) || (mount && is_of_mount(result, mount)))
            continue;
        searched += result->text.len;
        if (edited->more || result->whole || searched > EDITED_MAX ||
            edited_makes_any(edited, buf_str(&result->text)))
            found |= result->source;
    }
    return found;
}
