/* A JSON-RPC 2.0 message, as read from a line (https://www.jsonrpc.org/specification). */
#ifndef PERIGEE_MCP_MESSAGE_H
#define PERIGEE_MCP_MESSAGE_H

#include "json/document.h"

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
    struct str source;   /* the message's text */
    struct error error;
};

/* Looks at a parsed text; everything in `message` borrows from both. */
void message_read(struct message *message, const struct json_doc *doc, struct str source);

/* The JSON text of an id or token, verbatim also where a double would round it:
 * `node` is params.NAME, or params._meta.NAME. Owned by the caller. */
char *message_token(struct str source, const char *within, const char *name, const cJSON *node);

/* Error codes: JSON-RPC 2.0 section 5.1, and MCP 2026-07-28. */
enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_SERVER_ERROR = -32000,       /* nothing can be served now, whatever is asked for */
    RPC_RESOURCE_NOT_FOUND = -32002, /* before 2026-07-28 */
    RPC_HEADER_MISMATCH = -32020,
    RPC_MISSING_CAPABILITY = -32021,
    RPC_UNSUPPORTED_VERSION = -32022,
};

#endif
