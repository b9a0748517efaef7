/* Edit distance with swaps (optimal string alignment), three rows at a time. */
#include "base/distance.h"

#include <stdio.h>
#include <strings.h>

enum { REACH_MAX = 3 };

static size_t least_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t edit_distance(const uint32_t *a, size_t a_len, const uint32_t *b, size_t b_len)
{
    size_t rows[3][DISTANCE_NAME + 1];

    if (a_len > DISTANCE_NAME || b_len > DISTANCE_NAME)
        return DISTANCE_FAR;
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            row[j] = least_size(above[j - 1] + (a[i - 1] != b[j - 1]),
                                least_size(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_size(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}

/* The bytes, as far as there is room; how many there are. */
static size_t widen_bytes(uint32_t out[DISTANCE_NAME], const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < least_size(len, DISTANCE_NAME); i++)
        out[i] = (unsigned char)name[i];
    return len;
}

size_t name_distance(const char *a, const char *b)
{
    uint32_t left[DISTANCE_NAME], right[DISTANCE_NAME];
    size_t left_len = widen_bytes(left, a), right_len = widen_bytes(right, b);

    return strcasecmp(a, b) == 0 ? 0 : edit_distance(left, left_len, right, right_len);
}

size_t name_reach(const char *typed)
{
    size_t len = strlen(typed);

    return len < 2 ? 0 : least_size(len / 3 + 1, REACH_MAX); /* one letter may be any other */
}

void nearest_name_try(struct nearest_name *nearest, const char *name)
{
    size_t apart = name_distance(nearest->typed, name);

    if (apart > name_reach(nearest->typed) || (nearest->found && apart >= nearest->apart))
        return;
    nearest->apart = apart;
    nearest->found = name;
}

struct nearest_text nearest_name_text(const struct nearest_name *nearest)
{
    struct nearest_text said = { "" };

    if (nearest->found)
        snprintf(said.text, sizeof said.text, " (did you mean '%.*s'?)", DISTANCE_NAME,
                 nearest->found);
    return said;
}
