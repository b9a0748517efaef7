/* Arguments that a client sent as JSON in a string, where the schema allows no string. */
#ifndef PERIGEE_REGISTRY_CALL_FROM_TEXT_H
#define PERIGEE_REGISTRY_CALL_FROM_TEXT_H

#include "base/buf.h"
#include "json/document.h"

/* Returns the arguments with each such string read as what the schema wants in its place, and
 * appends the names of these to `names`, joined by ", ". NULL: there is none. The caller frees. */
struct json_doc *arguments_from_text(const cJSON *args, const cJSON *schema, struct buf *names);

#endif
