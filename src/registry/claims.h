/* The claims of entries: a name, or a resource's URI, is of one alone. The user's files and those
 * of the engine come first, then mounted servers, in the order of their mounts, and foreign files
 * last: whoever chooses a name does not take it from somebody who is trusted more. */
#ifndef PERIGEE_REGISTRY_CLAIMS_H
#define PERIGEE_REGISTRY_CLAIMS_H

#include "registry/entry.h"

/* Takes those out, with their references, whose claim is another's. `refused` is told of those that
 * did not want it so: what is mounted gives way to a file of the same name without a word, not to
 * the alias of one, nor to what another server has. It takes the text. Gives how many are left;
 * they keep their order. */
size_t claims_settle(struct entry **entries, size_t count,
                     void (*refused)(void *arg, const struct entry *entry, char *text), void *arg);

#endif
