/* Parsing by tables. */
#include "cli/options.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/nearest.h"
#include "cli/output.h"
#include "process/identity.h"

static bool take_toolsets(void *place, const char *value, struct error *err)
{
    struct common *common = container_of(place, struct common, toolsets);
    char *save = NULL;

    free(common->toolset_text);
    common->toolset_text = mem_strdup(value);
    common->toolsets.count = 0;
    for (char *name = strtok_r(common->toolset_text, ", ", &save); name;
         name = strtok_r(NULL, ", ", &save)) {
        if (common->toolsets.count == TEXTS_MAX)
            return error_set(err, "usage", "--toolset takes at most %d names", TEXTS_MAX);
        common->toolsets.items[common->toolsets.count++] = name;
    }
    return common->toolsets.count > 0 ||
           error_set(err, "usage", "--toolset needs names, for example --toolset keynote,desktop");
}

/* At once: what a command reads before it makes its engine would be lost. */
static bool take_identity(void *place, const char *value, struct error *err)
{
    (void)place;
    (void)value;
    return identity_disown(err);
}

#define AT(member) .offset = offsetof(struct common, member)

const struct option options_common[] = {
    { "root", .type = OPTION_DIRECTORY, .repeatable = true, AT(roots), .value = "DIR",
      .about = "another directory with tools/, prompts/, commands/, ...; it overrides those "
               "before it" },
    { "no-user-root", AT(no_user_root), .about = "leave out ~/.config/perigee" },
    { "toolset", .type = OPTION_TOOLSETS, AT(toolsets), .value = "A,B", .take = take_toolsets,
      .about =
          "only these toolsets, and `engine`; `all`: every one. All of their tools are listed, "
          "with all parameters" },
    { "grant", .type = OPTION_DIRECTORY, .repeatable = true, AT(grants), .value = "DIR",
      .about = "let tools and scripts read and write files there" },
    { "mount", .type = OPTION_SERVER, .repeatable = true, AT(mounts), .value = "NAME",
      .about = "also use the tools, prompts and resources of the mcpServers entry NAME, or of "
               "`all` entries" },
    { "config", .type = OPTION_FILE, AT(config), .value = "FILE",
      .absent = "~/.config/perigee/mcp.json",
      .about = "the file with mcpServers and the choice of common tools" },
    { "own-identity", AT(own_identity), .take = take_identity,
      .about = "on a Mac: ask for permissions as this program, not as the one that started it" },
    { "verbose", .letter = 'v', AT(verbose), .about = "print more log lines" },
    { "quiet", .letter = 'q', AT(quiet), .about = "print errors only" },
    { "help", .letter = 'h', AT(help), .about = "show this help" },
    { 0 },
};

#undef AT

const char *option_type_name(enum option_type type)
{
    static const char *const names[] = { "flag",     "string", "file",    "directory", "server",
                                         "toolsets", "url",    "integer", "seconds" };

    return names[type];
}

void options_free(struct common *common)
{
    free(common->toolset_text);
}

/* --- one option ----------------------------------------------------------------------- */

/* "--page-size", or "-e"; borrowed until the next call. */
static const char *shown_option(const struct option *option)
{
    static char text[64];

    if (option->name)
        snprintf(text, sizeof text, "--%s", option->name);
    else
        snprintf(text, sizeof text, "-%c", option->letter);
    return text;
}

static bool store_integer(const struct option *option, void *place, const char *value,
                          struct error *err)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);

    if (!isdigit((unsigned char)*value) || *end || number < option->least || number > option->most)
        return error_set(err, "usage", "%s takes a whole number from %zu to %zu, not \"%.60s\"",
                         shown_option(option), option->least, option->most, value);
    *(size_t *)place = number;
    return true;
}

static bool store_seconds(const struct option *option, void *place, const char *value,
                          struct error *err)
{
    char *end;
    double seconds = strtod(value, &end);

    if (end == value || *end || !(seconds > 0 && seconds <= SECONDS_MAX))
        return error_set(err, "usage",
                         "%s takes a number of seconds above 0 and at most %d, not \"%.60s\"",
                         shown_option(option), SECONDS_MAX, value);
    *(uint64_t *)place = (uint64_t)ceil(seconds * 1000);
    return true;
}

static bool store_text(const struct option *option, void *place, const char *value,
                       struct error *err)
{
    struct texts *texts = place;

    if (!option->repeatable) {
        *(const char **)place = value;
        return true;
    }
    if (texts->count == TEXTS_MAX)
        return error_set(err, "usage", "%s is given more than %d times", shown_option(option),
                         TEXTS_MAX);
    texts->items[texts->count++] = value;
    return true;
}

static bool store_option(const struct option *option, void *into, const char *value,
                         struct error *err)
{
    void *place = (char *)into + option->offset;

    if (option->type == OPTION_FLAG)
        *(bool *)place = true;
    if (option->take)
        return option->take(place, value, err);
    if (option->type == OPTION_INTEGER)
        return store_integer(option, place, value, err);
    if (option->type == OPTION_SECONDS)
        return store_seconds(option, place, value, err);
    return option->type == OPTION_FLAG || store_text(option, place, value, err);
}

/* --- a command line ------------------------------------------------------------------- */

struct reader {
    const struct command *command;
    int argc, next;
    char **argv;
    struct common *common;
    void *into;
};

static bool is_table_end(const struct option *option)
{
    return !option->name && !option->letter;
}

/* By the name, or if that is NULL by the letter. *into: where its value goes. */
static const struct option *find_option(const struct reader *reader, const char *name, size_t len,
                                        char letter, void **into)
{
    const struct option *tables[] = { options_common,
                                      reader->command ? reader->command->options : NULL };
    void *const stores[] = { reader->common, reader->into };

    for (size_t i = 0; i < countof(tables); i++) {
        *into = stores[i];
        for (const struct option *option = tables[i]; option && !is_table_end(option); option++) {
            if (name ? option->name && strlen(option->name) == len &&
                           memcmp(option->name, name, len) == 0
                     : option->letter == letter)
                return option;
        }
    }
    return NULL;
}

static bool fail_unknown_option(const struct reader *reader, const char *name, size_t len)
{
    const struct option *tables[] = { reader->command->options, options_common };
    struct nearest nearest = { .count = 0 };
    char *typed = mem_strndup(name, len);

    for (size_t i = 0; i < countof(tables); i++)
        for (const struct option *option = tables[i]; option && !is_table_end(option); option++)
            if (option->name)
                nearest_add(&nearest, typed, option->name);
    usage_error(reader->command->name, "unknown option --%.100s%s", typed,
                nearest_text(&nearest, ": ", "--"));
    free(typed);
    return false;
}

static bool fail_usage(const struct reader *reader, const struct error *err)
{
    usage_error(reader->argv[0], "%s", err->text);
    return false;
}

/* --name or --name=...: an option of this command or of another, and no value. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] == '-' && isalpha((unsigned char)word[2]);
}

/* The next word is there, and is no option itself. */
static bool next_is_value(const struct reader *reader)
{
    const char *word = reader->next < reader->argc ? reader->argv[reader->next] : "--x";
    void *into;

    if (word[0] == '-' && word[1] && !word[2] && find_option(reader, NULL, 0, word[1], &into))
        return false;
    return !is_option(word);
}

/* The value that is attached, or else the next word. */
static bool take_option_value(struct reader *reader, const struct option *option, void *into,
                              const char *attached)
{
    struct error err;
    bool flag = option->type == OPTION_FLAG;

    if (flag && attached)
        error_set(&err, "usage", "%s takes no value", shown_option(option));
    else if (!flag && !attached && reader->next == reader->argc)
        error_set(&err, "usage", "%s needs a value", shown_option(option));
    else if (!flag && !attached && !next_is_value(reader))
        error_set(&err, "usage", "%s needs a value; write %s=%.60s if it is this one",
                  shown_option(option), shown_option(option), reader->argv[reader->next]);
    else if (store_option(option, into, flag || attached ? attached : reader->argv[reader->next++],
                          &err))
        return true;
    return fail_usage(reader, &err);
}

static bool take_long(struct reader *reader, const char *name)
{
    size_t len = strcspn(name, "=");
    void *into;
    const struct option *option = find_option(reader, name, len, '\0', &into);

    if (!option)
        return fail_unknown_option(reader, name, len);
    return take_option_value(reader, option, into, name[len] ? name + len + 1 : NULL);
}

static bool take_letters(struct reader *reader, const char *letters)
{
    for (; *letters; letters++) {
        void *into;
        const struct option *option = find_option(reader, NULL, 0, *letters, &into);

        if (!option) {
            usage_error(reader->command->name, "unknown option -%c", *letters);
            return false;
        }
        if (option->type != OPTION_FLAG)
            return take_option_value(reader, option, into, letters[1] ? letters + 1 : NULL);
        if (!take_option_value(reader, option, into, NULL))
            return false;
    }
    return true;
}

static bool read_words(const struct command *command, int argc, char **argv, struct common *common,
                       void *into, int *rest)
{
    struct reader reader = { command, argc, 1, argv, common, into };

    while (reader.next < argc && argv[reader.next][0] == '-' && argv[reader.next][1]) {
        const char *word = argv[reader.next++];

        if (strcmp(word, "--") == 0)
            break;
        if (!(word[1] == '-' ? take_long(&reader, word + 2) : take_letters(&reader, word + 1)))
            return false;
    }
    if (rest)
        *rest = reader.next;
    else if (reader.next < argc)
        usage_error(command->name, "it takes no argument (\"%.60s\")", argv[reader.next]);
    return rest || reader.next == argc;
}

static bool answers_in_json(const struct command *command)
{
    const struct option *option = command->options;

    for (; option && (option->name || option->letter); option++)
        if (option->name && strcmp(option->name, "json") == 0)
            return true;
    return false;
}

bool options_read(const struct command *command, int argc, char **argv, struct common *common,
                  void *into, int *rest)
{
    struct failure failure;
    bool right;

    failure_watch(&failure, answers_in_json(command) ? argc : 0, argv);
    right = read_words(command, argc, argv, common, into, rest);
    failure_end(&failure, right ? EXIT_OK : EXIT_USAGE);
    return right;
}

int options_leading(int argc, char **argv)
{
    int at = 1;

    while (at < argc && argv[at][0] == '-' && argv[at][1] && strcmp(argv[at], "--") != 0) {
        struct reader reader = { .argc = argc, .next = at + 1, .argv = argv };
        const char *word = argv[at++];
        size_t len = strcspn(word, "=");
        void *into;
        const struct option *option =
            is_option(word) ? find_option(&reader, word + 2, len - 2, '\0', &into) : NULL;

        if (option && option->type != OPTION_FLAG && !word[len] && next_is_value(&reader))
            at++;
    }
    return at - 1;
}

bool options_scan(int argc, char **argv, struct common *common)
{
    struct reader reader = { .argc = argc, .next = 1, .argv = argv, .common = common };

    while (reader.next < argc && strcmp(argv[reader.next], "--") != 0) {
        const char *word = argv[reader.next++];
        size_t len = strcspn(word, "=");
        bool is_long = strncmp(word, "--", 2) == 0;
        void *into;
        const struct option *option = NULL;

        if (is_long)
            option = find_option(&reader, word + 2, len - 2, '\0', &into);
        else if (word[0] == '-' && word[1] && !word[2])
            option = find_option(&reader, NULL, 0, word[1], &into);
        if (!option || (option->type == OPTION_FLAG && word[len]) ||
            (option->type != OPTION_FLAG && !word[len] && !next_is_value(&reader)))
            continue; /* the command's own, or its parser tells what is wrong */
        if (!take_option_value(&reader, option, into, is_long && word[len] ? word + len + 1 : NULL))
            return false;
    }
    return true;
}
