/* The arguments of a tool against its inputSchema. */
#ifndef PERIGEE_REGISTRY_CALL_ARGUMENTS_H
#define PERIGEE_REGISTRY_CALL_ARGUMENTS_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "json/document.h"
#include "registry/entry.h"

/* Do they fit (NULL: an empty object)? What is not a tool takes any. null for an optional property
 * that cannot be null says that it is not there, as serializers and models write it: it is taken
 * out of `args`, a tree of a document (json/document.h). An argument under another name of its
 * parameter gets that one's own (other_names.h). False: err as schema_check() or
 * entry_schemas() sets it. */
bool arguments_check(struct entry *entry, const cJSON *args, struct error *err);

/* The same for arguments of a client. Those that it sent as JSON in a string, where the schema
 * allows no string, are read as what they stand for (from_text.h): *args is the root of *read then,
 * which the caller frees, and their names are appended to `names`. */
bool arguments_take(struct entry *entry, const cJSON **args, struct json_doc **read,
                    struct buf *names, struct error *err);

#endif
