/* The command line of `perigee agent` as the table that agent.run() takes. */
#ifndef PERIGEE_CLI_COMMANDS_AGENT_OPTIONS_H
#define PERIGEE_CLI_COMMANDS_AGENT_OPTIONS_H

#include <lua.h>

#include "cli/args.h"

/* What was not given is NULL or 0. All but the request points into argv. */
struct agent_options {
    struct args args;
    const char *prompt, *model, *server, *servers, *log, *journal, *replay, *turns_text;
    long max_turns;
    bool json;
    struct buf request; /* owned */
};

/* Does it repeat a recorded run? */
bool agent_options_replay(const struct agent_options *agent);

/* Lets the agent write its log and journal and read what it shall replay, wherever they are. */
bool agent_options_grant(const struct agent_options *agent, struct engine *engine,
                         struct error *err);

/* Pushes the table (agent.Options in lua/types/agent.lua). False, with nothing
 * pushed: --server cannot be read as a command. */
bool agent_options_push(const struct agent_options *agent, lua_State *L, struct error *err);

#endif
