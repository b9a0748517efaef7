/* Whether the directories and toolsets that a command line names are there. */
#ifndef PERIGEE_CLI_GIVEN_PLACES_H
#define PERIGEE_CLI_GIVEN_PLACES_H

#include "base/error.h"
#include "cli/options.h"

/* False and err ("usage", naming the nearest): a --root that is not a directory, a --toolset that
 * no root has, a --config that is not there. `waits`: a root or that file may appear later, so one
 * that is missing is only logged, and with a root toolsets are not checked. Those of mounted
 * servers are not known yet: --mount allows any. */
bool given_places_check(const struct common *common, bool waits, struct error *err);

/* The file in the same directory whose name is nearest to this one's; NULL: none is near. The
 * caller frees. */
char *given_file_nearest(const char *path);

#endif
