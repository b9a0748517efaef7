/* perigee token -- print, make or change the token that HTTP clients need. */
#include "cli/commands/token.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "files/paths.h"
#include "mcp/server/http/token_file.h"

struct wanted {
    bool rotate, path;
};

char *token_path(void)
{
    char *home = path_user_home();
    char *path = mem_printf("%s/token", home);

    free(home);
    return path;
}

static int parse(struct args *args, struct wanted *wanted)
{
    const char *option, *value;
    bool bad;

    while (args_next(args, &option, &value, &bad)) {
        if (value)
            return usage_error("token", "it takes no argument ('%s')", value);
        if (strcmp(option, "--rotate") == 0)
            wanted->rotate = true;
        else if (strcmp(option, "--path") == 0)
            wanted->path = true;
        else
            return usage_error("token", "unknown option %s", option);
    }
    return bad ? EXIT_USAGE : EXIT_OK;
}

static int print_token(const char *path, bool rotate)
{
    struct error err = { .code = "" };
    char *token = rotate ? NULL : http_token_read(path, &err);

    if (!token && (rotate || strcmp(err.code, "not_found") == 0))
        token = http_token_make(path, &err);
    if (!token)
        return report_error("token", &err);
    puts(token);
    free(token);
    return EXIT_OK;
}

static int run(int argc, char **argv)
{
    struct wanted wanted = { 0 };
    struct args args;
    int status;
    char *path;

    args_init(&args, argc, argv);
    status = parse(&args, &wanted);
    if (status == EXIT_OK && args.common.help) {
        status = command_help_text(&command_token);
    } else if (status == EXIT_OK) {
        path = token_path();
        status = wanted.path ? (puts(path), EXIT_OK) : print_token(path, wanted.rotate);
        free(path);
    }
    args_free(&args);
    return output_finish("token", status);
}

const struct command command_token = {
    "token", "print the token that HTTP clients need",
    "usage: perigee token [--rotate | --path]\n"
    "\n"
    "Prints the token that `perigee serve --http` asks for, and makes it first if there is none.\n"
    "It lies in ~/.config/perigee/token (below PERIGEE_HOME if that is set), readable for you\n"
    "alone. A client sends it as `Authorization: Bearer TOKEN`.\n"
    "\n"
    "  --rotate          make a new one; running servers take it within a second, and the old\n"
    "                    one counts no more\n"
    "  --path            print where the file is\n",
    run
};
