/* Looking up what a person named. */
#ifndef PERIGEE_CLI_FIND_H
#define PERIGEE_CLI_FIND_H

#include "engine/engine.h"

/* The tool of this name or alias. NULL after saying on stderr that there is none, and which
 * names are near. Borrowed. */
struct entry *find_tool(struct engine *engine, const char *command, const char *name);

#endif
