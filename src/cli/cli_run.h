/* A script run to its end for a command: what it prints goes to stdout, what it returns decides the
 * exit code, and Ctrl-C cancels it. */
#ifndef PERIGEE_CLI_CLI_RUN_H
#define PERIGEE_CLI_CLI_RUN_H

#include "engine/engine.h"
#include "sys/shared/script.h"

struct cli_run {
    struct engine *engine;
    const char *command; /* for messages */
    struct script *script;
    int status;
    bool done;
    bool cancelled; /* by a signal, or because nobody reads stdout */
    bool deaf;      /* it goes on when nobody reads stdout */
    char place[80]; /* cancelled: FILE:LINE where it computed; "": it waited */
};

/* From now on Ctrl-C cancels. */
void cli_run_init(struct cli_run *run, struct engine *engine, const char *command);

struct cli_args {
    const char *name;
    int count;
    char **values;
};

/* (struct cli_args): fills perigee.args and pushes the same values. */
int cli_run_push_args(lua_State *L);

/* Calls the chunk with what push(job) pushes. Turns the loop until the script has ended, writing
 * out stdout whenever it waits; the spec's print, ended and arg do not count. Prints what went
 * wrong. Returns the exit code. */
int cli_run_script(struct cli_run *run, const struct script_spec *spec, lua_CFunction push,
                   void *job);

#endif
