/* Edit distance in three rows, as in the hints of json/schema_hint.c; for names
 * of tools, where a part of the name is a likely guess, too. */
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LEN_MAX = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to change, add, drop or swap. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][LEN_MAX + 1];
    size_t m = strlen(a), n = strlen(b);

    if (m > LEN_MAX || n > LEN_MAX)
        return LEN_MAX;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

/* Smaller is nearer; LEN_MAX: not at all. */
static size_t score(const char *wanted, const char *name)
{
    size_t apart = distance(wanted, name);

    if (strcasecmp(wanted, name) == 0)
        return 0;
    if (apart <= least(strlen(wanted) / 3 + 1, 4))
        return apart;
    if (strlen(wanted) >= 3 && (strcasestr(name, wanted) || strcasestr(wanted, name)))
        return 5;
    return LEN_MAX;
}

void nearest_add(struct nearest *nearest, const char *wanted, const char *name)
{
    size_t mine = score(wanted, name);
    size_t at = nearest->count;

    if (mine == LEN_MAX)
        return;
    while (at > 0 && nearest->scores[at - 1] > mine)
        at--;
    if (at == NEAREST_MAX)
        return;
    if (nearest->count < NEAREST_MAX)
        nearest->count++;
    for (size_t i = nearest->count - 1; i > at; i--) {
        nearest->names[i] = nearest->names[i - 1];
        nearest->scores[i] = nearest->scores[i - 1];
    }
    nearest->names[at] = name;
    nearest->scores[at] = mine;
}

const char *nearest_text(const struct nearest *nearest)
{
    static char text[256];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < nearest->count && used < sizeof text; i++) {
        const char *before = i == 0 ? "; did you mean " : i + 1 == nearest->count ? " or " : ", ";

        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%.60s", before, nearest->names[i]);
    }
    if (nearest->count && used + 1 < sizeof text)
        memcpy(text + used, "?", 2);
    return text;
}
