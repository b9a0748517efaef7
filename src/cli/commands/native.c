/* The table of the commands that are C; and perigee version. */
#include <stdio.h>

#include "cli/commands/native.h"
#include "cli/output.h"

const struct command *const native_commands[] = {
    &command_repl,  &command_run,     &command_serve, &command_stop,
    &command_token, &command_version, NULL,
};

struct version {
    bool json;
};

static const struct option options[] = {
    { "json", .offset = offsetof(struct version, json), .about = "print one JSON object: version" },
    { 0 },
};

static int run_native(int argc, char **argv)
{
    struct common common = { .help = false };
    struct version version = { .json = false };
    int status = EXIT_USAGE;

    if (options_read(&command_version, argc, argv, &common, &version, NULL)) {
        status = common.help ? command_help(&command_version) : EXIT_OK;
        if (!common.help)
            printf(version.json ? "{\"version\":\"%s\"}\n" : "perigee %s\n", PERIGEE_VERSION);
    }
    options_free(&common);
    return output_finish("version", status);
}

const struct command command_version = {
    .name = "version",
    .summary = "print the version",
    .usage = "version [--json]",
    .description = "Prints the version of the program.",
    .options = options,
    .run = run_native,
};
