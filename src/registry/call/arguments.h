/* The arguments of a tool against its inputSchema, and references in those of tools and prompts. */
#ifndef PERIGEE_REGISTRY_CALL_ARGUMENTS_H
#define PERIGEE_REGISTRY_CALL_ARGUMENTS_H

#include "base/buf.h"
#include "registry/call/caller.h"
#include "registry/entry.h"

/* May a string in them refer to a result (lua/lib/border/references.lua)? */
bool arguments_refer(const cJSON *args);

/* For call_spec.push: the function that puts results in the places of such references, and what it
 * gets. It returns the arguments, or nil, a message and a code. */
struct arguments_given {
    struct entry *entry;
    const cJSON *args;
};
int arguments_push_references(lua_State *L, const void *pushed);

/* Do they fit (NULL: an empty object)? What is not a tool takes any. If they do not,
 * lua/lib/border/arguments.lua reads them as what the sender (NULL: the engine itself) can only
 * have meant: *args is the root of *read then, which the caller frees in any case. With `names`, a
 * client or a model sent them: it may have written values as JSON in strings, whose names are
 * appended. False: err as schema_check() or entry_schemas() sets it, or as Lua says. */
bool arguments_take(struct entry *entry, struct caller *caller, const cJSON **args,
                    struct json_doc **read, struct buf *names, struct error *err);

#endif
