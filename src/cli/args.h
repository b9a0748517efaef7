/* The command lines of commands that are still C. */
#ifndef PERIGEE_CLI_ARGS_H
#define PERIGEE_CLI_ARGS_H

#include "cli/command.h"
#include "cli/output.h"

enum { COMMON_MAX = 32 };

struct args_common {
    const char *roots[COMMON_MAX], *toolsets[COMMON_MAX], *grants[COMMON_MAX];
    const char *mounts[COMMON_MAX]; /* --mount: names of servers, or "all" */
    size_t root_count, toolset_count, grant_count, mount_count;
    const char *config; /* --config: the file that names servers; NULL: the user's */
    bool no_user_root, verbose, quiet, help;
    const char *toolset_list; /* as given: "a,b" */
    char *toolset_text;       /* owned: what toolsets point into */
};

/* A walk over argv. Options may stand anywhere before "--". */
struct args {
    int argc;
    char **argv;
    int next;
    bool plain; /* after "--" */
    struct args_common common;
};

void args_init(struct args *args, int argc, char **argv);
void args_free(struct args *args);

/* The next argument that is not a common option: sets *option (with its "--") or
 * *value. False at the end. Prints and sets *bad on a wrong common option. */
bool args_next(struct args *args, const char **option, const char **value, bool *bad);

/* The value of the option just read ("--x V" or "--x=V"); NULL after printing that it is missing.
 */
const char *args_value(struct args *args, const char *option);

/* The same as a time: seconds, more than 0 and at most 86400, as milliseconds. */
bool args_seconds(struct args *args, const char *option, uint64_t *ms);

/* Is this word the option, alone or as --name=value? */
bool option_is(const char *word, const char *name);

struct engine *common_engine(const struct args_common *common, const char *command,
                             void (*changed)(void *arg, unsigned what), void *arg);
void common_log_level(const struct args_common *common);
void common_grant_first(struct args_common *common, const char *folder);

/* Prints a command's usage; returns the exit code. */
int command_help_text(const struct command *command);

extern const struct command command_call, command_mcp;

#endif
