/* Starts the processes of sys.process. */
#ifndef PERIGEE_SYS_PROCESS_LAUNCH_H
#define PERIGEE_SYS_PROCESS_LAUNCH_H

#include <lua.h>

#include "base/buf.h"
#include "process/process.h"

enum {
    LAUNCH_GRACE_MS = 500,                /* from SIGTERM to SIGKILL when the time is up */
    LAUNCH_TIMEOUT_MAX = 3600,            /* seconds */
    LAUNCH_OUTPUT = 1024 * 1024,          /* bytes kept of a stream */
    LAUNCH_OUTPUT_MAX = 64 * 1024 * 1024, /* at most */
};

/* A checked `sys.process.Spec`. */
struct launch {
    struct process_spec spec;
    struct buf words;   /* argv, then the environment; each ends in NUL */
    const char **lists; /* argv, NULL, environment, NULL: pointers into words */
    char *cwd;          /* owned */
};

/* Pushes a launch made from the table at `arg`, which must stay where it is until the process has
 * started. Raises if the table is no such spec. */
struct launch *launch_push(lua_State *L, int arg, double timeout);

/* Frees what the collector would free otherwise. Called when the process has started. */
void launch_done(struct launch *launch);

/* Makes the metatable. Called when the module is opened. */
void launch_init(lua_State *L);

#endif
