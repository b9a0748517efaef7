/* Names that files require. */
#ifndef PERIGEE_SCRIPT_SANDBOX_MODULE_NAME_H
#define PERIGEE_SCRIPT_SANDBOX_MODULE_NAME_H

#include <stdbool.h>

bool module_name_ok(const char *name);

/* Does `require` take the program's own module of this name before any file: `tools`, `perigee` and
 * all of `sys`? A lib file of a user is never found by such a name. */
bool module_name_taken(const char *name);

/* Modules of C whose rest is Lua, lib/sys/NAME.lua of those that come with the program. It is
 * loaded with the first field that C does not have. */
bool module_has_rest(const char *name);

#endif
