/* For names of tools and commands, where a part of the name is a likely guess, too. */
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/distance.h"

/* Smaller is nearer; DISTANCE_FAR: not at all. */
static size_t name_score(const char *wanted, const char *name)
{
    size_t apart = name_distance(wanted, name), reach = name_reach(wanted);

    if (apart <= reach)
        return apart;
    if (strlen(wanted) >= 3 && (strcasestr(name, wanted) || strcasestr(wanted, name)))
        return reach + 1;
    return DISTANCE_FAR;
}

void nearest_add(struct nearest *nearest, const char *wanted, const char *name)
{
    size_t mine = name_score(wanted, name);
    size_t at = nearest->count;

    if (mine == DISTANCE_FAR)
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

const char *nearest_text(const struct nearest *nearest, const char *before, const char *prefix)
{
    static char text[512];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < nearest->count && used < sizeof text; i++) {
        const char *joint = i == 0 ? "did you mean " : i + 1 == nearest->count ? " or " : ", ";

        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%.60s",
                                 i == 0 ? before : "", joint, prefix, nearest->names[i]);
    }
    if (nearest->count && used + 1 < sizeof text)
        memcpy(text + used, "?", 2);
    return text;
}
