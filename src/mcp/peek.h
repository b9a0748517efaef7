/* Which request a message answers that cannot be parsed: too long, or broken. */
#ifndef PERIGEE_MCP_PEEK_H
#define PERIGEE_MCP_PEEK_H

#include "base/util.h"

/* Looks for the "id" of the outermost object among its first members, up to the
 * first that is an array or an object (head), and as its last member (tail):
 * servers write it in one of these places. Only an integer counts. */
bool message_peek_id(struct str head, struct str tail, int64_t *id);

#endif
