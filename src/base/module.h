/* Shared objects that hold what links a heavy library, opened on first use.
 *
 * A module is NAME.so in the first of these folders that has it:
 *   $PERIGEE_MODULES            when set and not empty, and then only there
 *   <executable's folder>/modules                    a build folder
 *   <executable's folder>/../lib/perigee/modules     an installed program
 *   <executable's folder>/../../modules              a test program in a build folder
 * Once open it stays open. Main thread only. */
#ifndef PERIGEE_BASE_MODULE_H
#define PERIGEE_BASE_MODULE_H

#include "base/error.h"

/* The address of `symbol` in `module`; every module exports one const struct
 * of functions under the name its header declares. NULL: "module_missing"
 * (naming where it was looked for), "module_broken" (it is there and cannot be
 * loaded: the text has the loader's reason) or "module_symbol". `module` NULL: the program. */
void *module_symbol(const char *module, const char *symbol, struct error *err);

/* The path of the module's file, for another program to open. NULL: it is not there. free() it. */
char *module_path(const char *module);

/* From now on no file is looked for: what is not open yet is "module_missing". For a process that
 * may open no file. */
void module_seal(void);

/* The real path of the running program. Borrowed for the life of the process;
 * empty when the system does not tell. */
const char *module_executable(void);

#endif
