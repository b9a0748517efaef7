/* The questions that the client can be asked, and whether it takes tasks. */
#ifndef PERIGEE_MCP_SERVER_REQUEST_ABILITIES_H
#define PERIGEE_MCP_SERVER_REQUEST_ABILITIES_H

#include "mcp/server/request/session.h"
#include "registry/call/elicitation.h"

/* Bits beside those of enum ask_kind (1 << kind). */
enum {
    ABILITY_TASKS = 1u << 30, /* it takes tasks (2026-07-28) */
    /* It says "elicitation":{}, which is a form by the protocol. Some mean a URL: one that refuses
     * a form may be asked to open one. */
    ABILITY_VAGUE = 1u << 29,
};

unsigned abilities_read(const cJSON *capabilities);

/* The abilities of the client that sent this: as it says in the request, or said in
 * `initialize`. */
unsigned abilities_of(const struct request *request);

/* data of an error that says what is missing, JSON text. Static. */
const char *abilities_required(enum ask_kind kind);

/* Answers with -32021: the client has not said that it takes tasks. */
void abilities_refuse_tasks(const struct request *request);

#endif
