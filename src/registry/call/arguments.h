/* The arguments of a tool against its inputSchema. */
#ifndef PERIGEE_REGISTRY_CALL_ARGUMENTS_H
#define PERIGEE_REGISTRY_CALL_ARGUMENTS_H

#include <cjson/cJSON.h>

#include "registry/entry.h"

/* Do they fit (NULL: an empty object)? What is not a tool takes any. null for an optional property
 * that cannot be null says that it is not there, as serializers and models write it: it is taken
 * out of `args`, a tree of a document (json/document.h). False: err as schema_check() or
 * entry_schemas() sets it. */
bool arguments_check(struct entry *entry, const cJSON *args, struct error *err);

#endif
