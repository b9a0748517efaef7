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
#include "registry/call/elicitation.h"

struct input_round {
    char *source; /* the request's text; owned */
    size_t source_len;
    char *who;               /* made the request, or NULL; owned */
    char *digest;            /* digest of the request, as hex, once it is needed; owned */
    struct json_doc *state;  /* the signed state, with the answers of earlier rounds; or NULL */
    struct json_doc *inputs; /* inputResponses; or NULL */
};

/* Keeps the text of the request, and whose it is. */
void input_round_begin(struct input_round *round, const struct request *request);
void input_round_free(struct input_round *round); /* and empties it */

/* Fills round->digest, once. False: err. */
bool input_round_digest(struct input_round *round, struct error *err);

/* The content of a requestState. */
struct round_state {
    const char *run;   /* names the call that waits */
    unsigned number;   /* how often it was asked for input */
    uint64_t limit_ms; /* how long the state counts */
    /* Items of lists (input_round_note()). Too many answers are not sent along, and the call can
     * then only go on where it is. */
    const struct buf *answers, *asked;
    bool acted; /* it had effects: begun once more it would repeat them, so no answers are sent */
};

/* Appends a requestState. The digest has to be there. False: err. */
bool input_round_sign(const struct server *server, const struct input_round *round,
                      const struct round_state *state, struct buf *out, struct error *err);

/* Is this the state of the round that the call waits in? */
bool input_round_is(const struct input_round *round, unsigned number);

/* Did an answer to a question that the state asks come along? */
bool input_round_answers(const struct input_round *round, const cJSON *inputs);

/* Uses up the state and those of its call before it; `all`: also those after it. False: err, as
 * used_states_take(). */
bool input_round_use(const struct server *server, const struct input_round *round, bool all,
                     struct error *err);

/* Appends a question to a list, as which it is found again: its key and a digest of its words; and
 * its answer, if it has one. One of which no digest can be made is left out. */
void input_round_note(struct buf *list, const struct question *question);

/* The answer to this very question that came with the request: in the state, from an earlier round,
 * or in inputResponses, if the state says that it was asked. Each is given once. NULL: there is
 * none. Borrowed from the round. */
const cJSON *input_round_answer(struct input_round *round, const struct question *question);

/* Reads requestState into round->state. False: err, "bad_state": it is not ours, was changed, is of
 * another request, or too old. */
bool input_round_open(const struct server *server, const cJSON *text, struct input_round *round,
                      struct error *err);

#endif
