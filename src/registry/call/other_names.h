/* Parameters that a caller may also call by an older or a foreign name.
 *
 * A property of an inputSchema names it (SCHEMA_ALSO in json/schema/schema.h). Lists show the
 * parameter once, under its own name, and so do the code of the tool, the policy and the records.
 */
#ifndef PERIGEE_REGISTRY_CALL_OTHER_NAMES_H
#define PERIGEE_REGISTRY_CALL_OTHER_NAMES_H

#include <cjson/cJSON.h>
#include <lua.h>

#include "base/error.h"

/* Gives arguments that have the other name their parameter's own name, in a tree of a document
 * (json/document.h) that ends before the schema does. *changed says if any had. If both are there,
 * the other one is taken out. False with a code in err if their values differ. */
bool other_names_settle(cJSON *args, const cJSON *schema, bool *changed, struct error *err);

/* Pushes a table from the other names to the own ones; nil if there are none. */
void other_names_push(lua_State *L, const cJSON *schema);

#endif
