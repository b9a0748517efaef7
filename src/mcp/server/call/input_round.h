/* A round of input (2026-07-28): what came with a request that was sent once more, after its first
 * answer asked for input.
 *
 * The client gets a string (requestState) with each question, and brings it back with the answer.
 * It names the call that waits and carries the answers of earlier rounds. It is signed, ends some
 * time after it was made, and belongs to one request: method, name and arguments, and who made it.
 */
#ifndef PERIGEE_MCP_SERVER_CALL_INPUT_ROUND_H
#define PERIGEE_MCP_SERVER_CALL_INPUT_ROUND_H

#include "base/buf.h"
#include "json/document.h"
#include "mcp/server/request/session.h"

struct input_round {
    char *source; /* the request's text; owned */
    size_t source_len;
    char *who;               /* made the request, or NULL; owned */
    char *digest;            /* of what it asks for, as hex, once it is needed; owned */
    struct json_doc *state;  /* what was signed, with the answers of earlier rounds; or NULL */
    struct json_doc *inputs; /* inputResponses; or NULL */
};

/* Keeps the text of the request, and whose it is. */
void input_round_begin(struct input_round *round, const struct request *request);
void input_round_free(struct input_round *round); /* and empties it */

/* Fills round->digest, once. False: err. */
bool input_round_digest(struct input_round *round, struct error *err);

/* Appends a requestState that counts for limit_ms. run: names the call that waits. answers: members
 * of an object; too many of them are not sent along, and the call can then only go on where it is.
 * The digest has to be there. False: err. */
bool input_round_sign(const struct server *server, const struct input_round *round, const char *run,
                      uint64_t limit_ms, const struct buf *answers, struct buf *out,
                      struct error *err);

/* Reads requestState into round->state. False: err, "bad_state": it is not ours, was changed, is of
 * another request, or too old. */
bool input_round_open(const struct server *server, const cJSON *text, struct input_round *round,
                      struct error *err);

#endif
