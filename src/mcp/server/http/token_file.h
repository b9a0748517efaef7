/* The token that the HTTP server asks for: a file of one line that only its owner can read. */
#ifndef PERIGEE_MCP_SERVER_HTTP_TOKEN_FILE_H
#define PERIGEE_MCP_SERVER_HTTP_TOKEN_FILE_H

#include "base/error.h"

/* The token in the file. NULL: "not_found", "insecure" (others can read it, or it is another
 * user's), "bad_token" (not one line of 16 to 512 visible characters). free() it. */
char *http_token_read(const char *path, struct error *err);

/* Makes a new one (256 bits) and puts it there in one step, with mode 0600, making folders that
 * are missing. NULL: err. free() it. */
char *http_token_make(const char *path, struct error *err);

/* Is this text fit to be one? */
bool http_token_ok(const char *text);

#endif
