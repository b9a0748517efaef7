/* Tools that want a program are listed where one of theirs is installed. */
#ifndef PERIGEE_REGISTRY_PROGRAMS_H
#define PERIGEE_REGISTRY_PROGRAMS_H

#include "registry/entry.h"

/* The programs that were looked for during one load: tools of a set want the same program, and each
 * look goes through all folders of PATH. Zeroed at first. */
struct programs {
    char *name; /* the program looked for last, or NULL */
    bool there;
};

/* Takes the entry from the lists if it asks for programs and none of them is there. */
void programs_check(struct programs *known, struct entry *entry);
void programs_clear(struct programs *known);

#endif
