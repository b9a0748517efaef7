/* What lists show of a tool: its definition, with its outputSchema in outline.
 *
 * Output schemas would be half of a list, and who reads the list needs to know what a result has,
 * not what each member of a member means. The outline names the result's members and their JSON
 * types; what conforms to the whole conforms to it. describe_tool and `perigee tools --json` have
 * the whole, and results are held against the whole. */
#ifndef PERIGEE_REGISTRY_LISTING_H
#define PERIGEE_REGISTRY_LISTING_H

#include <cjson/cJSON.h>

#include "base/buf.h"

/* Appends the listed form of a tool's definition. False, with nothing appended: it is the
 * definition itself. */
bool listing_write(const cJSON *definition, struct buf *out);

#endif
