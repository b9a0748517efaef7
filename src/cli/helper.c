/* perigee --guest-server and --python-server (started by guest/guests.c), --osa-helper (started by
 * platform/osascript/osa_helper.c), --input-guard and --event-process (by the desktop on a Mac),
 * --power, --menu, --notify and --ui (by lua/lib/power/macos.lua, lua/lib/menu/macos.lua,
 * lua/lib/notify/center.lua and lua/lib/ui/window.lua). Not for people, so not among the commands.
 * None of them reads .env, which holds keys and passwords. */
#include "platform/helper_program.h"

#include "base/module.h"
#include "cli/command.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "guest/child/server.h"
#include "guest/python/server.h"
#include "platform/backends.h"

#ifdef __APPLE__
#define TOOLKIT NULL
#else
#define TOOLKIT "gtk"
#endif

static const struct helper {
    const char *option, *symbol, *elsewhere;
    const char *module; /* NULL: the desktop's */
} helpers[] = {
    { "--osa-helper", "perigee_osa", "AppleScript works on macOS only", NULL },
    { "--input-guard", "perigee_guard", "the guard of keys is for macOS only", NULL },
    { "--event-process", "perigee_event_process", "the event process is for macOS only", NULL },
    { "--power", "perigee_power", "this way to hear of power is for macOS only", NULL },
    { "--menu", "perigee_menu", "this way to show a menu is for macOS only", NULL },
    { "--notify", "perigee_notify", "this way to show notifications is for macOS only", NULL },
    { "--ui", "perigee_ui",
      "this build cannot show windows of scripts. Install GTK 3 (Debian: libgtk-3-dev, Homebrew: "
      "gtk+3; `vendor/install ui`), then run make again",
      TOOLKIT },
};

static int run_helper(const struct helper *helper)
{
    struct error err;
    const struct helper_program *program;

    logging_level();
    program = helper->module ? module_symbol(helper->module, helper->symbol, &err)
                             : platform_extra(helper->symbol, &err);

    if (program)
        return program->run();
    if (strcmp(err.code, helper->module ? "module_missing" : "not_supported") == 0)
        error_set(&err, "not_supported", "%s", helper->elsewhere);
    return report_error(helper->option, &err);
}

bool helper_main(const char *option, char *const *more, int *code)
{
    if (strcmp(option, "--guest-server") == 0) {
        *code = guest_server_main();
        return true;
    }
    if (strcmp(option, "--python-server") == 0) {
        *code = python_server_main(more);
        return true;
    }
    for (size_t i = 0; i < countof(helpers); i++) {
        if (strcmp(option, helpers[i].option) == 0) {
            *code = run_helper(&helpers[i]);
            return true;
        }
    }
    return false;
}
