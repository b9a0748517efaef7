/* The command line: one file a subcommand. */
#ifndef PERIGEE_CLI_CLI_H
#define PERIGEE_CLI_CLI_H

#include "base/error.h"
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

struct command {
    const char *name;
    const char *summary;
    const char *usage;                 /* whole help text */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
};

extern const struct command command_agent, command_call, command_check, command_doctor,
    command_help, command_image, command_list, command_login, command_logout, command_mcp,
    command_repl, command_run, command_serve, command_stop, command_test, command_token,
    command_tools, command_version;

const struct command *command_find(const char *name);

/* Says that there is none of this name, and which are near; returns EXIT_USAGE. */
int command_unknown(const char *name);
const struct command *const *command_all(void); /* NULL-terminated */

/* `perigee --osa-helper` and its like; false: that is none of them. */
bool helper_main(const char *option, int *code);

/* --- options (options.c) -------------------------------------------------------- */

enum { COMMON_MAX = 32 };

/* Options that several commands take: --root, --toolset, --grant, --mount, --config,
 * --no-user-root, --own-identity, -v/--verbose, -q/--quiet, -h/--help. */
struct common {
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
    struct common common;
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

/* Appends all of stdin. Fails when it has more than max bytes; `what` is what it should hold. */
bool read_stdin(struct buf *out, size_t max, const char *what, struct error *err);

/* Is this word the option, alone or as --name=value? */
bool option_is(const char *word, const char *name);

/* "perigee CMD: message" and where help is; returns EXIT_USAGE. */
int usage_error(const char *command, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Makes an engine from the common options; prints why not. All but `serve`, which is to answer at
 * once, wait until the tools of mounted servers are there. */
struct engine *common_engine(const struct common *common, const char *command,
                             void (*changed)(void *arg, unsigned what), void *arg);

/* Log lines for commands that a person types: all on a terminal, or with -v; else warnings and
 * errors. What the environment says counts more. */
void common_log_level(const struct common *common);

/* Grants this folder before those of --grant: relative paths start at the first. */
void common_grant_first(struct common *common, const char *folder);

/* "perigee CMD: text" on stderr; returns EXIT_FAILED. */
int report_error(const char *command, const struct error *err);

/* Prints a command's usage; returns the exit code. */
int command_help_text(const struct command *command);

#endif
