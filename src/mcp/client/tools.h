/* Arguments of tools that also go into headers, as tools/list says with "x-mcp-header" (2026-07-28,
 * over HTTP). */
#ifndef PERIGEE_MCP_CLIENT_TOOLS_H
#define PERIGEE_MCP_CLIENT_TOOLS_H

#include "mcp/client/client_impl.h"

struct client_parameter {
    char **path; /* names of properties, outermost first; NULL-terminated */
    char *header;
};

/* A tool with such arguments; in client->tools, which owns it. */
struct client_tool {
    struct link link;
    char *name;
    struct client_parameter *parameters;
    size_t count;
};

/* Remembers those of a result of tools/list. Takes the tools out of it that may not be used. */
void client_learn_tools(struct client *c, cJSON *result);
/* NULL: none of its arguments go into headers. Borrowed until the tools are learned again. */
const struct client_tool *client_known_tool(const struct client *c, const char *name);
void client_forget_tools(struct client *c);

#endif
