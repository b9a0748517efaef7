#include "platform/freedesktop/chromium.h"

#include <libgen.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/util.h"
#include "files/file.h"

static const char option[] = "--force-renderer-accessibility";

/* True for programs that are known by their names alone: scripts that start a program elsewhere,
 * and programs in flatpak. */
static bool is_named_so(const char *program)
{
    static const char *const family[] = {
        "chromium",       "chrome",         "google-chrome", "ungoogled-chromium",
        "brave",          "brave-browser",  "vivaldi",       "microsoft-edge",
        "msedge",         "opera",          "thorium",       "thorium-browser",
        "yandex-browser", "electron",       "code",          "codium",
        "vscodium",       "slack",          "discord",       "signal-desktop",
        "obsidian",       "element-desktop"
    };

    for (size_t i = 0; i < countof(family); i++) {
        size_t len = strlen(family[i]);

        if (strncasecmp(program, family[i], len) == 0 && (!program[len] || program[len] == '-'))
            return true;
    }
    return false;
}

static bool has_resources(const char *program)
{
    char *file = file_of_program(program), *real = file ? realpath(file, NULL) : NULL;
    char *resources = real ? path_join(dirname(real), "chrome_100_percent.pak") : NULL;
    bool found = resources && access(resources, R_OK) == 0;

    free(resources);
    free(real);
    free(file);
    return found;
}

static bool is_family(const char *program)
{
    return is_named_so(path_name(program)) || has_resources(program);
}

static bool takes_a_word(const char *argument)
{
    return strcmp(argument, "-u") == 0 || strcmp(argument, "-C") == 0;
}

/* Skips env: "env A=b program" starts program. */
static size_t behind_env(char **argv, size_t at)
{
    if (!argv[at] || strcmp(path_name(argv[at]), "env") != 0)
        return at;
    for (at++; argv[at] && (argv[at][0] == '-' || strchr(argv[at], '=')); at++) {
        if (takes_a_word(argv[at]) && argv[at + 1])
            at++;
    }
    return at;
}

/* The place where the program's own arguments begin; 0: it is not one of the family. */
static size_t arguments_place(char **argv)
{
    static const char command[] = "--command=";
    size_t at = behind_env(argv, 0);
    const char *program = argv[at];

    if (!program)
        return 0;
    if (strcmp(path_name(program), "flatpak") != 0)
        return is_family(program) ? at + 1 : 0;
    program = "";
    for (at++; argv[at] && (argv[at][0] == '-' || strcmp(argv[at], "run") == 0); at++) {
        if (strncmp(argv[at], command, strlen(command)) == 0)
            program = argv[at] + strlen(command);
    }
    return argv[at] && is_named_so(path_name(program)) ? at + 1 : 0;
}

char **chromium_argv(char **argv)
{
    size_t at = arguments_place(argv), count = 0;

    for (; argv[count]; count++) {
        if (at && strcmp(argv[count], option) == 0)
            return argv;
    }
    if (!at)
        return argv;
    argv = mem_resize(argv, sizeof *argv * (count + 2));
    memmove(argv + at + 1, argv + at, sizeof *argv * (count + 1 - at));
    argv[at] = mem_strdup(option);
    return argv;
}
