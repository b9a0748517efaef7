/* Finds the request that a message answers if the message cannot be parsed: too long, or broken. */
#ifndef PERIGEE_MCP_PEEK_H
#define PERIGEE_MCP_PEEK_H

#include "base/util.h"

/* Looks for the "id" of the outermost object among its first members, up to the
 * first that is an array or an object (head), and as its last member (tail):
 * it is written in one of these places. Only what message_own_id() reads counts. */
bool message_peek_id(struct str head, struct str tail, int64_t *id);

/* The integer that a JSON text is, from 0 and below 10^15; also that of a string of its digits, as
 * some servers return "2" for 2. */
bool message_own_id(struct str text, int64_t *id);

/* The same for its text, of an integer or of a string of ASCII without escapes: always JSON, so
 * that it can be sent back as it is. Borrows. */
bool message_peek_id_text(struct str head, struct str tail, struct str *id);

#endif
