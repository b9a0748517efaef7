/* The commands that are C, a file each. */
#ifndef PERIGEE_CLI_COMMANDS_NATIVE_H
#define PERIGEE_CLI_COMMANDS_NATIVE_H

#include "cli/command.h"

extern const struct command command_repl, command_run, command_serve, command_stop, command_token,
    command_version;

#endif
