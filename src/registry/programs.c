/* Remembers the last answer alone: more would find nothing, as sets are loaded in order. */
#include "registry/programs.h"

#include <stdlib.h>

#include "files/file.h"

static bool look_for_program(struct programs *known, const char *name)
{
    if (known->name && strcmp(known->name, name) == 0)
        return known->there;
    free(known->name);
    known->name = mem_strdup(name);
    known->there = file_on_path(name);
    return known->there;
}

void programs_check(struct programs *known, struct entry *entry)
{
    bool there = !entry->programs;

    for (size_t i = 0; !there && entry->programs[i]; i++)
        there = look_for_program(known, entry->programs[i]);
    entry->listed = entry->listed && there;
}

void programs_clear(struct programs *known)
{
    free(known->name);
    *known = (struct programs){ 0 };
}
