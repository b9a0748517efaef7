/* What lists show of a tool: its definition, with shorter schemas.
 *
 * A list is read by a model each time, and costs its tokens. Of an outputSchema it names the
 * members that are always there, with their JSON types. Of the inputSchema it leaves out the limits
 * that are there to refuse nonsense, and the members of objects that ask for it (LISTED_SHORT).
 * What conforms to the whole conforms to what is listed. describe_tool and `perigee tools --json`
 * have the whole, and arguments and results are held against the whole. */
#ifndef PERIGEE_REGISTRY_LISTING_H
#define PERIGEE_REGISTRY_LISTING_H

#include <cjson/cJSON.h>

#include "base/buf.h"

/* The $comment of an object in an inputSchema whose members another tool's parameters tell. */
#define LISTED_SHORT "listed short"

/* Appends the listed form of a tool's definition. */
void listing_write(const cJSON *definition, struct buf *out);

#endif
