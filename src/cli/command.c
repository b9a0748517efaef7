/* Functions that subcommands share. */
#include "cli/command.h"

#include <unistd.h>

#include "base/log.h"
#include "cli/given_places.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "cli/terminal.h"

const struct command *command_native(const char *name)
{
    for (const struct command *const *command = native_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

int command_help(const struct command *command)
{
    char *argv[] = { (char *)"help", (char *)command->name, NULL };

    return command_run_file(2, argv);
}

void command_log_level(const struct common *common)
{
    if (common->verbose)
        log_set_level(LOG_DEBUG);
    else if (common->quiet)
        log_set_level(LOG_ERROR);
    else if (!logging_level() && !terminal_is(stderr))
        log_set_level(LOG_WARNING);
}

void command_grant_here(struct common *common)
{
    struct texts *grants = &common->grants;

    if (access(".", X_OK) != 0)
        return; /* it was removed: no command fails for that */
    if (grants->count == TEXTS_MAX)
        grants->count--;
    memmove(grants->items + 1, grants->items, grants->count * sizeof *grants->items);
    grants->items[0] = ".";
    grants->count++;
}

bool command_places(const struct common *common, const char *command)
{
    struct common looked_at = *common;
    struct error err;

    if (strcmp(command, "mcp") == 0)
        looked_at.config = NULL; /* it explains how to write one */
    if (given_places_check(&looked_at, strcmp(command, "serve") == 0, &err))
        return true;
    usage_error(command, "%s", err.text);
    return false;
}

struct engine *command_engine(const struct common *common, const char *command,
                              void (*changed)(void *arg, unsigned what), void *arg)
{
    struct engine_options options = { .roots = common->roots.items,
                                      .root_count = common->roots.count,
                                      .no_user_root = common->no_user_root,
                                      .toolsets = common->toolsets.items,
                                      .toolset_count = common->toolsets.count,
                                      .grants = common->grants.items,
                                      .grant_count = common->grants.count,
                                      .mounts = common->mounts.items,
                                      .mount_count = common->mounts.count,
                                      .mount_config = common->config,
                                      .mount_servers = common->servers,
                                      .changed = changed,
                                      .arg = arg };
    bool waits = strcmp(command, "serve") != 0 || common->servers;
    struct error err;
    struct engine *engine = engine_new(&options, &err);

    if (engine && waits && !engine_mount(engine, &err)) {
        engine_free(engine);
        engine = NULL;
    }
    if (!engine)
        report_error(command, &err);
    return engine;
}
