/* Subcommands. Most are Lua files (lua/commands, commands/ of every other root); these are those
 * that must be C: a server that answers at once, terminals and signals, a stop that needs no Lua.
 */
#ifndef PERIGEE_CLI_COMMAND_H
#define PERIGEE_CLI_COMMAND_H

#include "cli/options.h"
#include "engine/engine.h"

/* Exit codes, documented in `perigee help` and the manual page. */
enum {
    EXIT_OK = 0,
    EXIT_FAILED = 1, /* something went wrong; stderr says what */
    EXIT_USAGE = 2,  /* the command line is not right */
    EXIT_TOOL = 3,   /* a tool answered with an error */
    EXIT_TIMEOUT = 124,
    EXIT_INTERRUPTED = 130,
};

/* In the texts a blank line ends a paragraph, and lines that begin with a blank stay as they are.
 */
struct command {
    const char *name;
    const char *summary; /* one line */
    const char *usage;   /* lines, each without "perigee " */
    const char *description;
    const struct option *options;      /* its own; as options_common. NULL: none */
    const char *notes;                 /* text below the options; NULL: none */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
};

extern const struct command *const native_commands[]; /* NULL-terminated */

/* NULL: it is none of them. */
const struct command *command_native(const char *name);

/* Runs commands/NAME.lua of the last root that has it; argv[0] is the name. Returns the exit code;
 * EXIT_USAGE after naming the nearest where there is no such file. */
int command_run_file(int argc, char **argv);

/* Is there such a file? And is it one that comes with the program, and no other in its place? */
bool command_is_file(const char *name, const struct common *common);
bool command_is_shipped(const char *name, const struct common *common);

/* Prints the native command's help; returns the exit code. */
int command_help(const struct command *command);

/* Prints the list of all commands. */
void command_print_list(void);

/* Says that there is none of this name, and which are near; returns EXIT_USAGE. */
int command_unknown(const char *name, const struct common *common);

/* The roots and toolsets that were named are there; false after printing which is not. */
bool command_places(const struct common *common, const char *command);

/* Makes an engine from the common options; prints why not. All but `serve`, which is to answer at
 * once, wait until the tools of mounted servers are there. */
struct engine *command_engine(const struct common *common, const char *command,
                              void (*changed)(void *arg, unsigned what), void *arg);

/* Log lines for commands that a person types: all on a terminal, or with -v; else warnings and
 * errors. What the environment says counts more. */
void command_log_level(const struct common *common);

/* Grants the current folder before those of --grant: relative paths start at the first. */
void command_grant_here(struct common *common);

/* `perigee --osa-helper` and its like, with the words behind it; false: that is none of them. */
bool helper_main(const char *option, char *const *more, int *code);

#endif
