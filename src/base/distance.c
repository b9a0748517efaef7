/* Edit distance with swaps (optimal string alignment), three rows at a time. */
#include "base/distance.h"

#include <strings.h>

enum { REACH_MAX = 3 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t name_distance(const char *a, const char *b)
{
    size_t rows[3][DISTANCE_NAME + 1];
    size_t m = strlen(a), n = strlen(b);

    if (strcasecmp(a, b) == 0)
        return 0;
    if (m > DISTANCE_NAME || n > DISTANCE_NAME)
        return DISTANCE_FAR;
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

size_t name_reach(const char *typed)
{
    return least(strlen(typed) / 3 + 1, REACH_MAX);
}
