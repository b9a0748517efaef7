/* The text that callers were given from outside in the last day, in all sessions and by all
 * processes of the user: fingerprints of probes in one private file of the state folder, of a fixed
 * size. The oldest make room. */
#ifndef PERIGEE_SYS_TAINT_HISTORY_H
#define PERIGEE_SYS_TAINT_HISTORY_H

#include "taint/probes.h"

/* From now on the history is in this folder. It is opened, and made if there is none, when it is
 * first used. NULL: there is no history. Copies. */
void history_use(const char *folder);

void history_close(void);

/* Adds the probes of text that a caller was given. `source`: one bit. `mount`: the mounted server
 * that sent it, or NULL. */
void history_add(struct str who, const struct probes *probes, unsigned source, const char *mount);

/* The sources, of those in `sought`, that brought any of the probes to this caller; text from the
 * mounted server `home` (NULL: none) is left out. */
unsigned history_find(struct str who, const struct probes *probes, unsigned sought,
                      const char *home);

/* True if any source brought this to the caller. */
bool history_has(struct str who, struct str probe);

#endif
