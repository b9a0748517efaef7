/* For each run of five bytes a table has the kept texts with that run. Text can hold a probe only
 * if it has all of the probe's runs, so that a few lookups nearly always leave none; the rest is
 * searched. The table cannot miss one, and its size only decides how many are searched in vain. */
#include "taint/record.h"

#include <stdlib.h>

#include "taint/clean.h"
#include "taint/decoded.h"

enum {
    SLOTS = 1 << SHELF_SLOT_BITS,
    TEXT_MAX = 4 << 20, /* bytes of one result that are kept; all counts as found in a longer one */
    SEARCHED_MAX = 64 << 20, /* bytes searched for one call; then all counts as found */
};

static unsigned slot_of(const char *at)
{
    uint64_t gram = 0;

    memcpy(&gram, at, SHELF_GRAM);
    return (unsigned)(gram * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SHELF_SLOT_BITS));
}

static void set_bit(struct shelf_set *set, unsigned at, bool on)
{
    uint64_t bit = UINT64_C(1) << (at & 63);

    set->bits[at >> 6] = on ? set->bits[at >> 6] | bit : set->bits[at >> 6] & ~bit;
}

static bool has_bit(const struct shelf_set *set, unsigned at)
{
    return set->bits[at >> 6] >> (at & 63) & 1;
}

static bool is_empty(const struct shelf_set *set)
{
    return !(set->bits[0] | set->bits[1]);
}

static bool keep_common(struct shelf_set *set, const struct shelf_set *other)
{
    set->bits[0] &= other->bits[0];
    set->bits[1] &= other->bits[1];
    return !is_empty(set);
}

/* The texts of all sources in `sources`. */
static struct shelf_set of_sources(const struct shelf *shelf, unsigned sources)
{
    struct shelf_set all = { 0 };

    for (unsigned i = 0; sources >> i && i < SHELF_SOURCES; i++)
        if (sources >> i & 1)
            for (size_t k = 0; k < countof(all.bits); k++)
                all.bits[k] |= shelf->of_source[i].bits[k];
    return all;
}

static struct shelf_set *set_of(struct shelf *shelf, unsigned source)
{
    unsigned i = 0;

    while (i + 1 < SHELF_SOURCES && !(source >> i & 1))
        i++;
    return &shelf->of_source[i];
}

/* --- keeping ------------------------------------------------------------------------------- */

static void shelf_mark(struct shelf *shelf, unsigned at, bool on)
{
    const struct buf *text = &shelf->kept[at].text;

    for (size_t i = 0; i + SHELF_GRAM <= text->len; i++)
        set_bit(&shelf->slots[slot_of(text->data + i)], at, on);
}

static void empty(struct shelf *shelf, unsigned at)
{
    struct kept *kept = &shelf->kept[at];

    if (kept->source && has_bit(set_of(shelf, kept->source), at)) {
        shelf_mark(shelf, at, false);
        set_bit(set_of(shelf, kept->source), at, false);
        shelf->wholes -= kept->whole;
        shelf->bytes -= kept->text.len;
    }
    buf_free(&kept->text);
    free(kept->mount);
    *kept = (struct kept){ 0 };
}

void shelf_free(struct shelf *shelf)
{
    for (unsigned i = 0; i < SHELF_TEXTS; i++) {
        buf_free(&shelf->kept[i].text);
        free(shelf->kept[i].mount);
    }
    free(shelf->slots);
    names_free(&shelf->own);
    *shelf = (struct shelf){ 0 };
}

struct kept *shelf_begin(struct shelf *shelf, unsigned source, const char *mount)
{
    unsigned at = shelf->next++ % SHELF_TEXTS;
    struct kept *kept = &shelf->kept[at];

    empty(shelf, at);
    kept->source = source;
    kept->mount = mount ? mem_strdup(mount) : NULL;
    return kept;
}

static void add_text(void *context, struct str text)
{
    struct kept *kept = context;

    taint_clean(&kept->text, text);
    buf_addc(&kept->text, '\n');
}

void shelf_add(struct kept *kept, struct str text)
{
    if (kept->text.len > TEXT_MAX) {
        kept->whole = true;
        return;
    }
    add_text(kept, text);
    taint_decoded(text, add_text, kept);
}

void shelf_end(struct shelf *shelf, struct kept *kept)
{
    unsigned at = (unsigned)(kept - shelf->kept);

    if (!shelf->slots)
        shelf->slots = mem_zero(SLOTS * sizeof *shelf->slots);
    shelf_mark(shelf, at, true);
    shelf->wholes += kept->whole;
    shelf->bytes += kept->text.len;
    set_bit(set_of(shelf, kept->source), at, true);
    for (unsigned i = 1; shelf->bytes > SHELF_BYTES && i < SHELF_TEXTS; i++)
        empty(shelf, (at + i) % SHELF_TEXTS);
}

/* --- looking ------------------------------------------------------------------------------- */

/* Leaves the texts in `in` that may hold the probe; false: none. Neighboring runs are nearly always
 * in the same texts, so the runs that share no byte come first. */
static bool may_hold(const struct shelf *shelf, struct str probe, struct shelf_set *in)
{
    size_t last = probe.len - SHELF_GRAM;

    if (probe.len < SHELF_GRAM)
        return true;
    for (size_t i = 0; i <= last; i += SHELF_GRAM)
        if (!keep_common(in, &shelf->slots[slot_of(probe.ptr + i)]))
            return false;
    for (size_t i = 1; i <= last; i += i % SHELF_GRAM == SHELF_GRAM - 1 ? 2 : 1)
        if (!keep_common(in, &shelf->slots[slot_of(probe.ptr + i)]))
            return false;
    return true;
}

static bool kept_holds(const struct kept *kept, struct str probe, size_t *searched)
{
    *searched += kept->text.len;
    return memmem(kept->text.data, kept->text.len, probe.ptr, probe.len) != NULL;
}

/* Takes out the texts from the mounted server `home`. */
static void drop_mount(const struct shelf *shelf, struct shelf_set *set, const char *home)
{
    for (unsigned i = 0; i < SHELF_TEXTS; i++)
        if (has_bit(set, i) && shelf->kept[i].mount && strcmp(shelf->kept[i].mount, home) == 0)
            set_bit(set, i, false);
}

/* The sources with a text in which everything counts as found. */
static unsigned found_anyway(const struct shelf *shelf, const struct shelf_set *set, bool all)
{
    unsigned found = 0;

    for (unsigned i = 0; i < SHELF_TEXTS; i++) {
        const struct kept *kept = &shelf->kept[i];

        if (has_bit(set, i) && (kept->whole || (all && kept->text.len > 1)))
            found |= kept->source;
    }
    return found;
}

/* Searches the texts of `in`; returns the sources of those that hold the probe. */
static unsigned shelf_search_set(const struct shelf *shelf, const struct shelf_set *in,
                                 struct str probe, size_t *searched)
{
    unsigned found = 0;

    for (unsigned at = 0; at < SHELF_TEXTS; at++) {
        const struct kept *kept = &shelf->kept[at];

        if (has_bit(in, at) && !(found & kept->source) &&
            (*searched > SEARCHED_MAX || kept_holds(kept, probe, searched)))
            found |= kept->source;
    }
    return found;
}

static void drop_sources(const struct shelf *shelf, struct shelf_set *set, unsigned sources)
{
    struct shelf_set drop = of_sources(shelf, sources);

    for (size_t i = 0; i < countof(set->bits); i++)
        set->bits[i] &= ~drop.bits[i];
}

unsigned shelf_find(const struct shelf *shelf, const struct probes *probes, unsigned sought,
                    const char *home)
{
    struct shelf_set look = of_sources(shelf, sought);
    unsigned found = 0;
    size_t searched = 0;

    if (is_empty(&look) || (!probes->count && !probes->more))
        return 0;
    if (home)
        drop_mount(shelf, &look, home);
    if (probes->more || shelf->wholes)
        found = found_anyway(shelf, &look, probes->more);
    drop_sources(shelf, &look, found);
    for (size_t i = 0; i < probes->count && !is_empty(&look); i++) {
        struct str probe = probe_str(probes, &probes->items[i]);
        struct shelf_set in = look;
        unsigned here;

        if (!may_hold(shelf, probe, &in))
            continue;
        here = shelf_search_set(shelf, &in, probe, &searched);
        if (here)
            drop_sources(shelf, &look, here);
        found |= here;
    }
    return found;
}

bool shelf_has(const struct shelf *shelf, struct str probe)
{
    struct shelf_set in = of_sources(shelf, ~0u);
    size_t searched = 0;

    return !is_empty(&in) && may_hold(shelf, probe, &in) &&
           shelf_search_set(shelf, &in, probe, &searched) != 0;
}
