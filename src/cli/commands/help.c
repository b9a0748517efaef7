/* perigee help, perigee version, and the list of commands. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/nearest.h"
#include "cli/output.h"

static const struct command *const commands[] = {
    &command_serve,  &command_call, &command_tools,   &command_run,   &command_image,
    &command_list,   &command_mcp,  &command_agent,   &command_check, &command_doctor,
    &command_test,   &command_repl, &command_stop,    &command_token, &command_login,
    &command_logout, &command_help, &command_version, NULL,
};

const struct command *const *command_all(void)
{
    return commands;
}

const struct command *command_find(const char *name)
{
    for (const struct command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

int command_unknown(const char *name)
{
    struct nearest nearest = { .count = 0 };

    for (const struct command *const *c = commands; *c; c++)
        nearest_add(&nearest, name, (*c)->name);
    fprintf(stderr, "perigee: there is no command '%s'%s\n`perigee help` lists them.\n", name,
            nearest_text(&nearest));
    return EXIT_USAGE;
}

static void print_commands(FILE *out)
{
    fputs("usage: perigee COMMAND [arguments]\n\n"
          "A scriptable desktop-automation engine: an MCP server and client whose tools are\n"
          "Lua files that can be edited while it runs.\n\n",
          out);
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "  %-8s %s\n", (*c)->name, (*c)->summary);
    fputs("\n`perigee help COMMAND` tells more.\n\n"
          "exit status: 0 all well, 1 failed, 2 wrong usage, 3 a tool answered with an error,\n"
          "124 out of time, 130 interrupted\n",
          out);
}

static int run_help(int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;

    if (argc > 1 && !command)
        return command_unknown(argv[1]);
    if (command)
        command_help_text(command);
    else
        print_commands(stdout);
    return output_finish("help", EXIT_OK);
}

static int run_version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("perigee " PERIGEE_VERSION);
    return output_finish("version", EXIT_OK);
}

const struct command command_help = { "help", "show this, or how a command is used",
                                      "usage: perigee help [COMMAND]\n", run_help };

const struct command command_version = { "version", "show the version", "usage: perigee version\n",
                                         run_version };
