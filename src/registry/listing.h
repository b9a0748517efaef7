/* What lists show of a tool: its definition, with shorter schemas.
 *
 * A list is read by a model each time, and costs its tokens. Of an outputSchema it names the
 * members that are always there, with their JSON types. Of the inputSchema it leaves out the limits
 * that are there to refuse nonsense, and what its author says is not to be listed.
 * What conforms to the whole conforms to what is listed. describe_tool and `perigee tools --json`
 * have the whole, and arguments and results are held against the whole. */
#ifndef PERIGEE_REGISTRY_LISTING_H
#define PERIGEE_REGISTRY_LISTING_H

#include <cjson/cJSON.h>

#include "base/buf.h"

/* What a $comment in an inputSchema says: the members of this object are told elsewhere, or this
 * parameter is rarely used. */
#define LISTED_SHORT "listed short"
#define LISTED_NOT   "not listed"

/* Appends the listed form of a tool's definition. */
void listing_write(const cJSON *definition, struct buf *out);

#endif
