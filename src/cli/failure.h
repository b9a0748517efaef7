/* The object that stdout has where a command that was asked for JSON did not come to its work: as
 * lua/lib/cli/main.lua and lua/lib/screen/command.lua would say it. */
#ifndef PERIGEE_CLI_FAILURE_H
#define PERIGEE_CLI_FAILURE_H

#include "base/buf.h"

/* On the stack of who watches. */
struct failure {
    const char *asked; /* "--json" or "--json-output"; NULL: neither */
    struct buf said;   /* the complaints */
};

/* From now on complaints are kept. argv[0] is the command's name; an option before it counts, too.
 * With --json-output, whose readers are Peekaboo's, nothing is printed beside the object. */
void failure_watch(struct failure *failure, int argc, char **argv);

/* No more are kept. If `status` is a failure and JSON was asked for, prints the object. */
void failure_end(struct failure *failure, int status);

#endif
