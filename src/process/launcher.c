/* One name for the process. */
#include "process/launcher.h"

#include <stdio.h>

static char launcher[61];

void launcher_set(const char *name)
{
    snprintf(launcher, sizeof launcher, "%s", name);
}

const char *launcher_name(void)
{
    return launcher;
}
