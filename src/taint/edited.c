#include "taint/edited.h"

#include <string.h>

#include "taint/clean.h"
#include "taint/probes.h"

enum {
    NEVER = 200,     /* more steps than are ever possible */
    BROUGHT = 5,     /* steps where parts of two other texts meet */
    LETTERS_MIN = 9, /* letters of a row of plain words: shorter ones are in nearly any text */
};

static bool is_part(char c)
{
    return c == ' ' || c == '\n';
}

/* Is this place of the texts in the middle of a word? */
static bool is_within(const struct edited *edited, size_t at)
{
    return !is_part(edited->text[at - 1]) && !is_part(edited->text[at]);
}

void edited_begin(struct edited *edited, unsigned most, bool apart)
{
    memset(edited, 0, sizeof *edited);
    edited->text[edited->len++] = '\n';
    edited->groups = 1;
    edited->apart = apart;
    edited->most = most < NEVER ? most : NEVER - 1;
    memset(edited->alone, NEVER, sizeof edited->alone);
}

static void add_place(struct edited *edited, size_t at, unsigned group)
{
    const unsigned char *here = (const unsigned char *)edited->text + at;
    unsigned alone = is_within(edited, at) + is_within(edited, at + 1);

    edited->group[at] = (unsigned char)group;
    edited->before[at] = edited->first[here[0]][here[1]];
    edited->first[here[0]][here[1]] = (uint16_t)at;
    if (alone < edited->alone[group][here[0]])
        edited->alone[group][here[0]] = (unsigned char)alone;
}

void edited_add(struct edited *edited, struct str text, bool other)
{
    struct buf cleaned = { 0 };
    size_t from = edited->len;

    taint_clean(&cleaned, text);
    buf_addc(&cleaned, '\n');
    if (edited->len + cleaned.len > sizeof edited->text || edited->groups == EDITED_TEXTS) {
        edited->more = true;
    } else if (cleaned.len > 1) {
        memcpy(edited->text + edited->len, cleaned.data, cleaned.len);
        edited->len += cleaned.len;
        for (size_t at = from; at + 1 < edited->len; at++)
            add_place(edited, at, other ? edited->groups : 0);
        edited->groups += other;
    }
    buf_free(&cleaned);
}

/* The steps that a row costs up to each of its places, by the group of the last text: without a
 * text of the line itself, and with one. */
struct costs {
    unsigned char at[EDITED_ROW + 1][2][EDITED_TEXTS];
};

static void lower(unsigned char *cost, unsigned to)
{
    if (to < *cost)
        *cost = (unsigned char)to;
}

static unsigned least(const struct edited *edited, const unsigned char *costs)
{
    unsigned cost = NEVER;

    for (unsigned group = 0; group < edited->groups; group++)
        cost = costs[group] < cost ? costs[group] : cost;
    return cost;
}

/* The steps that it costs to go on at a place with a text of this group; `best` is the least of all
 * groups. */
static unsigned cost_before(const unsigned char *costs, unsigned best, unsigned group)
{
    unsigned cost = best + (group ? BROUGHT : 1);

    if (costs[0] + 1u < cost)
        cost = costs[0] + 1u;
    return costs[group] + 1u < cost ? costs[group] + 1u : cost;
}

/* The parts of the texts that a row may go on with at a place, which has `own` text or not. */
static void add_parts(const struct edited *edited, struct str row, size_t from, bool own,
                      struct costs *costs)
{
    const unsigned char *rest = (const unsigned char *)row.ptr + from;
    unsigned before[EDITED_TEXTS], best = from ? least(edited, costs->at[from][own]) : 0;

    for (unsigned group = 0; group < edited->groups; group++) {
        before[group] = from ? cost_before(costs->at[from][own], best, group) : 0;
        lower(&costs->at[from + 1][own || !group][group],
              before[group] + edited->alone[group][rest[0]]);
    }
    if (from + 1 == row.len)
        return;
    for (size_t at = edited->first[rest[0]][rest[1]]; at; at = edited->before[at]) {
        unsigned group = edited->group[at], here = before[group] + is_within(edited, at);

        for (size_t i = 1; here <= edited->most && from + i < row.len &&
                           edited->text[at + i] == row.ptr[from + i];
             i++)
            lower(&costs->at[from + i + 1][own || !group][group],
                  here + is_within(edited, at + i + 1));
    }
}

/* Goes on from a place of the row. A blank costs nothing. */
static void go_on(const struct edited *edited, struct str row, size_t from, bool own,
                  struct costs *costs)
{
    if (from && least(edited, costs->at[from][own]) > edited->most)
        return;
    for (unsigned group = 0; from && row.ptr[from] == ' ' && group < edited->groups; group++)
        lower(&costs->at[from + 1][own][group], costs->at[from][own][group]);
    add_parts(edited, row, from, own, costs);
}

/* Does one of the texts have the row behind the beginning of a word? */
static bool has_behind(const struct edited *edited, struct str row)
{
    const unsigned char *bytes = (const unsigned char *)row.ptr;
    size_t at = row.len > 1 ? edited->first[bytes[0]][bytes[1]] : 0;

    for (; at; at = edited->before[at])
        if (at + row.len < edited->len && memcmp(edited->text + at, row.ptr, row.len) == 0 &&
            is_within(edited, at) && !is_within(edited, at + row.len))
            return true;
    return false;
}

bool edited_makes(const struct edited *edited, struct str row)
{
    struct costs costs;
    unsigned cost, others;

    if (!row.len || row.len > EDITED_ROW)
        return false;
    if (!edited->most)
        return has_behind(edited, row);
    memset(&costs, NEVER, (row.len + 1) * sizeof costs.at[0]);
    go_on(edited, row, 0, false, &costs);
    for (size_t i = 1; i < row.len; i++) {
        go_on(edited, row, i, false, &costs);
        go_on(edited, row, i, true, &costs);
    }
    cost = least(edited, costs.at[row.len][true]);
    others = least(edited, costs.at[row.len][false]);
    if (!cost || !others)
        return false; /* a text has it as it is */
    return cost <= edited->most || (!edited->apart && others <= edited->most);
}

/* False for a few letters, which are in nearly any text. */
static bool is_telling(struct str row)
{
    size_t letters = 0;

    for (size_t i = 0; i < row.len; i++) {
        if (row.ptr[i] != ' ' && !(row.ptr[i] >= 'a' && row.ptr[i] <= 'z'))
            return true;
        letters += row.ptr[i] != ' ';
    }
    return letters >= LETTERS_MIN;
}

static size_t word_end(struct str text, size_t at)
{
    while (at < text.len && !is_part(text.ptr[at]))
        at++;
    return at;
}

/* Does the word that begins here, or the row of words, come of the texts? */
static bool makes_at(const struct edited *edited, struct str kept, size_t from)
{
    size_t end = word_end(kept, from);
    struct str row = { kept.ptr + from, end - from };

    if (probes_stands(row) && edited_makes(edited, row))
        return true;
    for (int i = 1; i < PROBES_ROW; i++) {
        if (end == kept.len || kept.ptr[end] == '\n')
            return false;
        end = word_end(kept, end + 1);
    }
    row.len = end - from;
    return is_telling(row) && edited_makes(edited, row);
}

bool edited_makes_any(const struct edited *edited, struct str kept)
{
    for (size_t at = 0; at < kept.len; at = word_end(kept, at) + 1)
        if (makes_at(edited, kept, at))
            return true;
    return false;
}
