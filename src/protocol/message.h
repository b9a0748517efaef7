/* A JSON-RPC 2.0 message, as read from a line (https://www.jsonrpc.org/specification). */
#ifndef PERIGEE_PROTOCOL_MESSAGE_H
#define PERIGEE_PROTOCOL_MESSAGE_H

#include "json/json.h"

enum message_kind {
    MESSAGE_REQUEST,
    MESSAGE_NOTIFICATION,
    MESSAGE_RESPONSE,
    MESSAGE_BATCH,  /* an array: the members are messages of their own */
    MESSAGE_INVALID /* not a JSON-RPC message: see `error` */
};

struct message {
    enum message_kind kind;
    const cJSON *root;
    struct str id;       /* its JSON text, verbatim; empty when there is none */
    const char *method;  /* requests and notifications */
    const cJSON *params; /* NULL, an object or an array */
    struct error error;
};

/* Looks at a parsed value; everything in `message` borrows from it and from
 * `id` (the id's source text, or empty: then it is printed from the tree). */
void message_read(struct message *message, const cJSON *root, struct str id);

/* Error codes: JSON-RPC 2.0 section 5.1, and MCP 2026-07-28. */
enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_UNSUPPORTED_VERSION = -32022,
};

#endif
