/* The tools for single applications that the user chose to have in lists. What the file says of
 * them, lua/lib/common/chosen.lua reads. */
#ifndef PERIGEE_REGISTRY_CHOICE_H
#define PERIGEE_REGISTRY_CHOICE_H

#include "files/stamp.h"
#include "registry/registry.h"

/* Only choice.c changes it. */
struct choice {
    char *path;         /* the absolute path of the file */
    struct stamp stamp; /* zeros: there is no file */
    char *apps;         /* the applications, each between line ends; "*": all; NULL: none */
};

struct choice *choice_new(const char *path); /* absolute; copied. Owned by the caller */
void choice_free(struct choice *choice);     /* NULL is fine */

/* Has the file read if it has changed; the entries are those that it chooses from. True: it chooses
 * others than before. */
bool choice_look(struct choice *choice, struct registry *registry, struct entry *const *entries,
                 size_t count);

/* Does the user have the tools for this application in lists? */
bool choice_takes(const struct choice *choice, const char *app);

#endif
