/* The walk. */
#include "cli/args.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "process/identity.h"

int command_help_text(const struct command *command)
{
    fputs(command->usage, stdout);
    return EXIT_OK;
}

void args_init(struct args *args, int argc, char **argv)
{
    *args = (struct args){ .argc = argc, .argv = argv, .next = 1 };
}

void args_free(struct args *args)
{
    free(args->common.toolset_text);
}

bool option_is(const char *word, const char *name)
{
    size_t len = strlen(name);

    return strncmp(word, name, len) == 0 && (word[len] == '\0' || word[len] == '=');
}

const char *args_value(struct args *args, const char *option)
{
    const char *equals = strchr(option, '=');

    if (equals)
        return equals + 1;
    if (args->next < args->argc)
        return args->argv[args->next++];
    usage_error(args->argv[0], "%s needs a value", option);
    return NULL;
}

bool args_seconds(struct args *args, const char *option, uint64_t *ms)
{
    const char *text = args_value(args, option);
    double seconds;
    char *end;

    if (!text)
        return false;
    seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0 && seconds <= 86400)) {
        usage_error(args->argv[0], "%.*s takes a number of seconds above 0 and at most 86400",
                    (int)strcspn(option, "="), option);
        return false;
    }
    *ms = (uint64_t)ceil(seconds * 1000);
    return true;
}

static bool add(struct args *args, const char *option, const char **list, size_t *count)
{
    const char *value = args_value(args, option);

    if (!value)
        return false;
    if (*count == COMMON_MAX) {
        usage_error(args->argv[0], "too many %s options", option);
        return false;
    }
    list[(*count)++] = value;
    return true;
}

static bool add_toolsets(struct args *args, const char *option)
{
    struct args_common *common = &args->common;
    const char *value = args_value(args, option);
    char *save = NULL;

    if (!value)
        return false;
    free(common->toolset_text);
    common->toolset_list = value;
    common->toolset_text = mem_strdup(value);
    common->toolset_count = 0;
    for (char *name = strtok_r(common->toolset_text, ", ", &save); name;
         name = strtok_r(NULL, ", ", &save)) {
        if (common->toolset_count == COMMON_MAX) {
            usage_error(args->argv[0], "too many toolsets");
            return false;
        }
        common->toolsets[common->toolset_count++] = name;
    }
    if (!common->toolset_count)
        usage_error(args->argv[0], "--toolset needs names, as in --toolset keynote,desktop");
    return common->toolset_count > 0;
}

/* At once: what a command reads before it makes its engine would be lost. */
static bool own_identity(const struct args *args)
{
    struct error err;

    if (identity_disown(&err))
        return true;
    output_message(args->argv[0], "%s", err.text);
    return false;
}

/* Takes a common option. *taken: it was one. Returns false after printing what is wrong. */
static bool take_common(struct args *args, const char *word, bool *taken)
{
    struct args_common *common = &args->common;

    *taken = true;
    if (option_is(word, "--root"))
        return add(args, word, common->roots, &common->root_count);
    if (option_is(word, "--grant"))
        return add(args, word, common->grants, &common->grant_count);
    if (option_is(word, "--mount"))
        return add(args, word, common->mounts, &common->mount_count);
    if (option_is(word, "--config"))
        return (common->config = args_value(args, word)) != NULL;
    if (option_is(word, "--toolset") || option_is(word, "--toolsets"))
        return add_toolsets(args, word);
    if (strcmp(word, "--own-identity") == 0)
        return own_identity(args);
    if (strcmp(word, "--no-user-root") == 0)
        common->no_user_root = true;
    else if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
        common->verbose = true;
    else if (strcmp(word, "-q") == 0 || strcmp(word, "--quiet") == 0)
        common->quiet = true;
    else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
        common->help = true;
    else
        *taken = false;
    return true;
}

bool args_next(struct args *args, const char **option, const char **value, bool *bad)
{
    *option = *value = NULL;
    *bad = false;
    while (args->next < args->argc) {
        const char *word = args->argv[args->next++];
        bool taken = false;

        if (args->plain || word[0] != '-' || word[1] == '\0') {
            *value = word;
            return true;
        }
        if (strcmp(word, "--") == 0) {
            args->plain = true;
            continue;
        }
        *bad = !take_common(args, word, &taken);
        if (*bad)
            return false;
        if (!taken) {
            *option = word;
            return true;
        }
    }
    return false;
}

void common_log_level(const struct args_common *common)
{
    if (common->verbose)
        log_set_level(LOG_DEBUG);
    else if (common->quiet)
        log_set_level(LOG_ERROR);
    else if (!logging_level() && !terminal_is(stderr))
        log_set_level(LOG_WARNING);
}

void common_grant_first(struct args_common *common, const char *folder)
{
    if (common->grant_count == COMMON_MAX)
        common->grant_count--;
    memmove(common->grants + 1, common->grants, common->grant_count * sizeof *common->grants);
    common->grants[0] = folder;
    common->grant_count++;
}

struct engine *common_engine(const struct args_common *common, const char *command,
                             void (*changed)(void *arg, unsigned what), void *arg)
{
    struct engine_options options = { .roots = common->roots,
                                      .root_count = common->root_count,
                                      .no_user_root = common->no_user_root,
                                      .toolsets = common->toolsets,
                                      .toolset_count = common->toolset_count,
                                      .grants = common->grants,
                                      .grant_count = common->grant_count,
                                      .mounts = common->mounts,
                                      .mount_count = common->mount_count,
                                      .mount_config = common->config,
                                      .changed = changed,
                                      .arg = arg };
    struct error err;
    struct engine *engine = engine_new(&options, &err);

    if (engine && strcmp(command, "serve") != 0 && !engine_mount(engine, &err)) {
        engine_free(engine);
        engine = NULL;
    }
    if (!engine)
        report_error(command, &err);
    return engine;
}
