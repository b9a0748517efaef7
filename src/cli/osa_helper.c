/* perigee --osa-helper: what io/osa_helper.c starts. Not for people, so not among the commands. */
#include "base/module.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "platform/osa_server.h"

int osa_helper_main(void)
{
    struct error err;
    const struct osa_program *program = module_symbol("desktop", "perigee_osa", &err);

    if (program)
        return program->run();
    if (strcmp(err.code, "module_symbol") == 0)
        error_set(&err, "not_supported", "AppleScript works on macOS only");
    return report_error("--osa-helper", &err);
}
