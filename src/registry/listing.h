/* A tool's definition for lists, with shorter schemas.
 *
 * A list is read by a model each time, and costs its tokens. From an outputSchema it names the
 * members that are always there, and nothing else. From the inputSchema it leaves out the limits
 * that are there to refuse nonsense, that a default is false, the second names of parameters, and
 * parts that its author does not want listed. A value that conforms to the whole schema and uses
 * the own names of parameters conforms to the listed one. describe_tool and `perigee tools --json`
 * have the whole, and arguments and results are held against the whole.
 */
#ifndef PERIGEE_REGISTRY_LISTING_H
#define PERIGEE_REGISTRY_LISTING_H

#include <cjson/cJSON.h>

#include "base/buf.h"

/* Begins a $comment in an inputSchema: the members of this object are described elsewhere, or this
 * parameter is rarely used. */
#define LISTED_SHORT "listed short"
#define LISTED_NOT   "not listed"

/* Appends the listed form of a tool's definition. */
void listing_write(const cJSON *definition, struct buf *out);

/* The whole, without the comments that say how it is listed. */
void listing_write_whole(const cJSON *definition, struct buf *out);

/* The same with the whole inputSchema, for a list of certain tools that somebody asked for. */
void listing_write_parameters(const cJSON *definition, struct buf *out);

#endif
