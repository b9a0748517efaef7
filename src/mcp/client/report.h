/* The client's lines in its log: bytes of others, made harmless. */
#ifndef PERIGEE_MCP_CLIENT_REPORT_H
#define PERIGEE_MCP_CLIENT_REPORT_H

#include "mcp/client/client_impl.h"

/* Appends at most `max` bytes of the text as one line of valid UTF-8. */
void client_add_quoted(struct buf *out, const char *text, size_t len, size_t max);

/* Something that is wrong and ends nothing. */
void client_problem(struct client *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
void client_problem_quoting(struct client *c, const char *what, const char *text, size_t len);

/* notifications/message {level, logger?, data}; data is any JSON. */
void client_log_message(struct client *c, const cJSON *params);

#endif
