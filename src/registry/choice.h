/* The tools for single applications that the user chose to have in lists (docs/common-tools.md):
 *
 *     {"generateCommonTools": true, "includeApps": ["com.apple.finder"]}
 *
 * at the top of the file that also names servers. Other members are not looked at. */
#ifndef PERIGEE_REGISTRY_CHOICE_H
#define PERIGEE_REGISTRY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct choice;

struct choice *choice_new(const char *path); /* absolute; copied. Owned by the caller */
void choice_free(struct choice *choice);     /* NULL is fine */

/* Reads the file if it has changed. True: what it says of tools is not what it said before. */
bool choice_look(struct choice *choice);

/* Does the user have the tools for this application in lists? */
bool choice_takes(const struct choice *choice, const char *app);

const char *choice_path(const struct choice *choice);
bool choice_is_on(const struct choice *choice);

/* The applications that it names; NULL: it names none, and takes all. Borrowed. */
char *const *choice_apps(const struct choice *choice, size_t *count);

/* Why the file cannot be used; NULL: it can, or there is none. Borrowed. */
const char *choice_problem(const struct choice *choice);

#endif
