/* Log messages to the client (RFC 5424's names of severity). */
#ifndef PERIGEE_MCP_SERVER_REQUEST_LOGGING_H
#define PERIGEE_MCP_SERVER_REQUEST_LOGGING_H

#include <lua.h>

#include "mcp/sink.h"

enum { LOG_LEVEL_INFO = 1, LOG_LEVEL_NONE = 99 };

/* 0 is "debug"; -1: unknown. */
int log_level_index(const char *name);

/* notifications/message; `data` is the index of a Lua value. logger: NULL if it has none. task: the
 * id of the task it belongs to, or NULL. */
void send_log(struct sink *sink, const char *level, const char *logger, lua_State *L, int data,
              const char *task);

/* The same with `data` as JSON text. */
void send_log_json(struct sink *sink, const char *level, const char *logger, struct str data,
                   const char *task);

#endif
