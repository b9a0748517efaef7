/* Sources: the functions by which a file of the user's reads text from outside by itself, without a
 * tool that does.
 *
 * A function of a module that reads such text is in the list of sources.c. What a script gets in
 * its place does the work, and then tells the policy of the text (registry/call/gate.h), which
 * keeps it like the result of a tool: as given to the caller of the call that reads it, or to the
 * engine, where a service does. Files that come with the engine are left alone: their results are
 * kept. docs/policy-rules.md says so to users. */
#ifndef PERIGEE_SYS_TAINT_SOURCES_H
#define PERIGEE_SYS_TAINT_SOURCES_H

#include <lua.h>

/* Puts the functions that tell in the place of those of the list, in the module's table on top of
 * the stack. For vm_on_open(). May raise. */
void sources_wrap(lua_State *L, const char *module);

#endif
