/* The options of the commands that are C, as tables: each option is declared once, and parsing
 * here, help texts, the manual page and completions (lua/lib/cli, by host.h) all read it.
 *
 * They are C tables, not Lua, because `perigee serve` answers within two milliseconds and `perigee
 * stop` works when no Lua file does. Commands that are Lua files declare the same in Lua
 * (lua/lib/options.lua). The grammar is getopt_long's: --name value, --name=value, -n value,
 * -nvalue, -abc, "--" ends the options; options may stand behind other words unless the command
 * says that what follows its first word is not its own. */
#ifndef PERIGEE_CLI_OPTIONS_H
#define PERIGEE_CLI_OPTIONS_H

#include "base/error.h"
#include "base/util.h"

struct command;

enum { TEXTS_MAX = 32, SECONDS_MAX = 86400 };

struct texts {
    const char *items[TEXTS_MAX]; /* borrowed from argv */
    size_t count;
};

/* The type of an option's value, and so of its place: a bool; a const char * (struct texts if it is
 * repeatable); a size_t; a uint64_t of milliseconds. */
enum option_type {
    OPTION_FLAG,
    OPTION_STRING,
    OPTION_FILE,
    OPTION_DIRECTORY,
    OPTION_SERVER, /* a name of mcpServers */
    OPTION_TOOLSETS,
    OPTION_URL,
    OPTION_INTEGER,
    OPTION_SECONDS
};

struct option {
    const char *name;   /* without dashes; NULL: it has only a letter */
    size_t offset;      /* place of the value within the struct that options_read() fills */
    size_t least, most; /* limits of an OPTION_INTEGER */
    const char *value;  /* the value's name in help: "DIR" */
    const char *absent; /* the default, for help; NULL: nothing to say */
    const char *about;

    /* Stores the value itself, at `place`. False and err: it is not fit. NULL: as above. */
    bool (*take)(void *place, const char *value, struct error *err);
    enum option_type type;
    char letter; /* '\0': none */
    bool repeatable;
};

/* The options of every command. */
struct common {
    struct texts roots, toolsets, grants, mounts;
    const char *config;  /* --config: the file that names servers; NULL: the user's */
    const char *servers; /* as gateway_options; NULL but for a server of the agent's */
    bool no_user_root, own_identity, verbose, quiet, help;
    char *toolset_text; /* owned: what toolsets point into */
};

extern const struct option options_common[]; /* ends with one that has neither name nor letter */

/* Reads argv (argv[0] is the command's name) by the common options and those of the command, whose
 * values go to `into`. *rest (may be NULL: then there must be none) is the first word that is no
 * option; what follows it is not looked at. False after printing what is wrong. */
bool options_read(const struct command *command, int argc, char **argv, struct common *common,
                  void *into, int *rest);

/* How many words before the command's name are options, with their values: `perigee --json image`
 * means `perigee image --json`. */
int options_leading(int argc, char **argv);

/* For a command that is a Lua file: reads the options that must be known before it is loaded, the
 * common ones, and passes over all others. False after printing what is wrong. */
bool options_scan(int argc, char **argv, struct common *common);
void options_free(struct common *common);

/* The word for a type in a declaration: "directory". */
const char *option_type_name(enum option_type type);

#endif
