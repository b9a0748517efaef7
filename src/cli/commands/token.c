/* perigee token -- print, make or change the token that HTTP clients need. */
#include "cli/commands/token.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/native.h"
#include "cli/output.h"
#include "files/paths.h"
#include "json/writer.h"
#include "mcp/server/http/token_file.h"

struct wanted {
    bool rotate, path, json;
};

static const struct option options[] = {
    { "rotate", .offset = offsetof(struct wanted, rotate),
      .about = "create a new token; running servers switch to it within a second and reject the "
               "old one" },
    { "path", .offset = offsetof(struct wanted, path),
      .about = "print the path of the token's file instead" },
    { "json", .offset = offsetof(struct wanted, json),
      .about = "print one JSON object: token and path, or path alone with --path" },
    { 0 },
};

char *token_path(void)
{
    char *home = path_user_home();
    char *path = mem_printf("%s/token", home);

    free(home);
    return path;
}

/* {"token":...,"path":...}; NULL: without the token. */
static void print_token_json(const char *token, const char *path)
{
    struct buf out = { 0 };

    buf_addc(&out, '{');
    if (token) {
        buf_lit(&out, "\"token\":");
        json_write_string(&out, token, strlen(token));
        buf_addc(&out, ',');
    }
    buf_lit(&out, "\"path\":");
    json_write_string(&out, path, strlen(path));
    buf_addc(&out, '}');
    puts(buf_text(&out));
    buf_free(&out);
}

static int print_token(const struct wanted *wanted, const char *path)
{
    struct error err = { .code = "" };
    char *token = wanted->rotate ? NULL : http_token_read(path, &err);

    if (!token && (wanted->rotate || strcmp(err.code, "not_found") == 0))
        token = http_token_make(path, &err);
    if (!token)
        return report_failure("token", wanted->json, &err);
    if (wanted->json)
        print_token_json(token, path);
    else
        puts(token);
    free(token);
    return EXIT_OK;
}

static int print_token_or_path(const struct wanted *wanted)
{
    char *path = token_path();
    int status = EXIT_OK;

    if (!wanted->path)
        status = print_token(wanted, path);
    else if (wanted->json)
        print_token_json(NULL, path);
    else
        puts(path);
    free(path);
    return status;
}

static int run_token(int argc, char **argv)
{
    struct wanted wanted = { .rotate = false };
    struct common common = { .help = false };
    int status = EXIT_USAGE;

    if (options_read(&command_token, argc, argv, &common, &wanted, NULL))
        status = common.help ? command_help(&command_token) : print_token_or_path(&wanted);
    options_free(&common);
    return output_finish("token", status);
}

const struct command command_token = {
    .name = "token",
    .summary = "print the token that HTTP clients need",
    .usage = "token [--rotate | --path] [--json]",
    .description =
        "Prints the bearer token that `perigee serve --http` requires, and creates it first if "
        "there is none. It is stored in ~/.config/perigee/token (below PERIGEE_HOME if that is "
        "set), readable by you alone. A client sends it as `Authorization: Bearer TOKEN`.",
    .options = options,
    .run = run_token,
};
