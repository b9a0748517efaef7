/* Patterns in PCRE2's own syntax.
 *
 * PCRE2 counts how often it backtracks, and not what it passes meanwhile: `a+[bc]` takes the square
 * of the length of a text of "a", and a handful of steps by that count. So each item of a pattern
 * is preceded by a callout, where the caller looks at the clock. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "json/pattern/perl.h"

#include <pcre2.h>
#include <stdlib.h>

#include "json/utf8.h"

enum { HEAP_KIB = 16 * 1024, LOOK_STEPS = 16, STEP_BYTES = 32 };

extern const struct perl_ops perigee_perl;

struct perl_pattern {
    pcre2_code *code;
    unsigned groups, names, name_size;
    PCRE2_SPTR name_table;
    bool has_anchor; /* \G is where a search begins: it cannot go on elsewhere */
};

/* Shared by all patterns. `data` keeps the workspace of a match. */
static pcre2_compile_context *extras;
static pcre2_match_context *limits;
static pcre2_match_data *data;

/* --- compiling ------------------------------------------------------------------------------ */

static bool perl_compile_ready(void)
{
    if (!extras && (extras = pcre2_compile_context_create(NULL))) {
        pcre2_set_newline(extras, PCRE2_NEWLINE_LF);
        pcre2_set_bsr(extras, PCRE2_BSR_UNICODE);
        pcre2_set_max_pattern_length(extras, PERL_BYTES_MAX);
    }
    return extras != NULL;
}

static uint32_t options_of(unsigned options)
{
    static const struct {
        enum perl_option ours;
        uint32_t theirs;
    } table[] = { { PERL_CASELESS, PCRE2_CASELESS },
                  { PERL_MULTILINE, PCRE2_MULTILINE },
                  { PERL_DOTALL, PCRE2_DOTALL },
                  { PERL_EXTENDED, PCRE2_EXTENDED },
                  { PERL_UNICODE, PCRE2_UCP } };
    uint32_t all = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;

    for (size_t i = 0; i < countof(table); i++)
        if (options & table[i].ours)
            all |= table[i].theirs;
    return all;
}

static void describe_error(struct str pattern, int number, size_t where, struct error *err)
{
    PCRE2_UCHAR why[160];

    if (where > pattern.len)
        where = pattern.len;
    pcre2_get_error_message(number, why, sizeof why);
    error_set(err, "invalid_pattern", "invalid pattern /%.*s/ at character %zu: %s",
              (int)utf8_cut(pattern.ptr, pattern.len, 100), pattern.ptr,
              utf8_length(pattern.ptr, where) + 1, (const char *)why);
}

static bool pattern_has_text(struct str pattern, const char *part)
{
    size_t len = strlen(part);

    for (size_t i = 0; i + len <= pattern.len; i++)
        if (memcmp(pattern.ptr + i, part, len) == 0)
            return true;
    return false;
}

static void pattern_release(struct perl_pattern *pattern)
{
    pcre2_code_free(pattern->code);
    free(pattern);
}

static struct perl_pattern *compile_code(struct str text, unsigned options, struct error *err)
{
    int number = PCRE2_ERROR_NOMEMORY;
    struct perl_pattern *pattern;
    pcre2_code *code = NULL;
    PCRE2_SIZE where = 0;
    uint32_t value = 0;

    if (perl_compile_ready())
        code = pcre2_compile((PCRE2_SPTR)text.ptr, text.len, options_of(options), &number, &where,
                             extras);
    if (!code) {
        describe_error(text, number, where, err);
        return NULL;
    }
    pattern = mem_zero(sizeof *pattern);
    pattern->code = code;
    pattern->has_anchor = pattern_has_text(text, "\\G");
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &value);
    pattern->groups = value;
    pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &value);
    pattern->names = value;
    pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &value);
    pattern->name_size = value;
    pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &pattern->name_table);
    if (pattern->groups <= PERL_GROUPS_MAX)
        return pattern;
    error_set(err, "invalid_pattern",
              "the pattern has %u groups (limit: %d). Write (?: ... ) for those "
              "that need not capture",
              pattern->groups, PERL_GROUPS_MAX);
    pattern_release(pattern);
    return NULL;
}

static unsigned pattern_groups(const struct perl_pattern *pattern)
{
    return pattern->groups;
}

/* An entry of the table is the group's number in two bytes, then its name. */
static bool pattern_name(const struct perl_pattern *pattern, unsigned index, struct perl_name *out)
{
    PCRE2_SPTR entry = pattern->name_table + (size_t)index * pattern->name_size;

    if (index >= pattern->names)
        return false;
    out->group = (unsigned)(entry[0] << 8 | entry[1]);
    out->name = (const char *)entry + 2;
    return true;
}

/* --- searching ------------------------------------------------------------------------------ */

struct looking {
    struct perl_search *search;
    size_t steps, place; /* since the last look; where the last item was in the text */
    bool may_pause, pauses;
    enum perl_result ended; /* PERL_PAUSED or PERL_GAVE_UP */
};

/* An item that passes much of the text at once counts for more. */
static bool is_time_to_look(struct looking *looking, size_t place)
{
    size_t last = looking->place;

    looking->place = place;
    looking->steps += 1 + (place > last ? place - last : last - place) / STEP_BYTES;
    if (looking->steps < LOOK_STEPS)
        return false;
    looking->steps = 0;
    return true;
}

static int on_item(pcre2_callout_block *block, void *arg)
{
    struct looking *looking = arg;
    struct perl_search *search = looking->search;

    if (looking->pauses && block->callout_flags & PCRE2_CALLOUT_STARTMATCH) {
        search->resume = block->start_match;
        looking->ended = PERL_PAUSED;
        return PCRE2_ERROR_CALLOUT;
    }
    if (!is_time_to_look(looking, block->current_position))
        return 0;
    switch (search->look(search->arg)) {
    case PERL_GIVE_UP:
        looking->ended = PERL_GAVE_UP;
        return PCRE2_ERROR_CALLOUT;
    case PERL_PAUSE:
        looking->pauses = looking->may_pause;
        break;
    case PERL_GO_ON:
        break;
    }
    return 0;
}

static bool perl_match_ready(void)
{
    if (!limits && (limits = pcre2_match_context_create(NULL)))
        pcre2_set_heap_limit(limits, HEAP_KIB);
    if (!data)
        data = pcre2_match_data_create(PERL_GROUPS_MAX + 1, NULL);
    return limits && data;
}

static enum perl_result take_match(const struct perl_pattern *pattern, struct perl_search *search,
                                   size_t count, struct error *err)
{
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(data);

    if (found[0] > found[1]) {
        error_set(err, "pattern_failed",
                  "the match ends before it begins: \\K stands in an assertion");
        return PERL_FAILED;
    }
    for (size_t i = 0; i < 2 * ((size_t)pattern->groups + 1); i++)
        search->offsets[i] = i < 2 * count ? found[i] : (size_t)PERL_UNSET;
    return PERL_YES;
}

/* Frees the match data after a failure: later searches begin with new ones. */
static enum perl_result take_failure(int number, const struct looking *looking, struct error *err)
{
    PCRE2_UCHAR why[160];

    if (number == PCRE2_ERROR_CALLOUT && looking->ended == PERL_PAUSED)
        return PERL_PAUSED;
    pcre2_match_data_free(data);
    data = NULL;
    if (number == PCRE2_ERROR_CALLOUT || number == PCRE2_ERROR_MATCHLIMIT ||
        number == PCRE2_ERROR_DEPTHLIMIT || number == PCRE2_ERROR_HEAPLIMIT)
        return PERL_GAVE_UP;
    pcre2_get_error_message(number, why, sizeof why);
    error_set(err, "pattern_failed", "matching failed: %s", (const char *)why);
    return PERL_FAILED;
}

static enum perl_result search_text(const struct perl_pattern *pattern, struct perl_search *search,
                                    struct error *err)
{
    struct looking looking = { .search = search,
                               .place = search->at,
                               .may_pause = !pattern->has_anchor };
    uint32_t options = PCRE2_NO_UTF_CHECK | (search->not_empty ? PCRE2_NOTEMPTY_ATSTART : 0);
    int count = PCRE2_ERROR_NOMEMORY;

    if (perl_match_ready()) {
        pcre2_set_callout(limits, on_item, &looking);
        count = pcre2_match(pattern->code, (PCRE2_SPTR)search->text.ptr, search->text.len,
                            search->at, options, data, limits);
    }
    if (count >= 0)
        return take_match(pattern, search, (size_t)count, err);
    return count == PCRE2_ERROR_NOMATCH ? PERL_NO : take_failure(count, &looking, err);
}

const struct perl_ops perigee_perl = { .compile = compile_code,
                                       .free = pattern_release,
                                       .groups = pattern_groups,
                                       .name = pattern_name,
                                       .search = search_text };
