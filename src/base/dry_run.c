/* One flag: a process is a dry run or it is not. */
#include "base/dry_run.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_bool is_dry;

void dry_run_begin(void)
{
    atomic_store(&is_dry, true);
}

bool dry_run(void)
{
    return atomic_load(&is_dry);
}

bool dry_run_refuses(struct error *err, const char *what, ...)
{
    char text[320];
    va_list args;

    if (!dry_run())
        return false;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    error_set(err, "dry_run",
              "this is a dry run, which does not %s. Run it without --dry-run, and without dry_run "
              "in the policy",
              text);
    return true;
}
