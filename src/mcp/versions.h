/* The revisions of MCP that are spoken, and names that both sides write in messages. */
#ifndef PERIGEE_MCP_VERSIONS_H
#define PERIGEE_MCP_VERSIONS_H

#define MCP_MODERN "2026-07-28" /* stateless: each request names its version */
#define MCP_LEGACY "2025-11-25" /* the newest of those that begin with `initialize` */

/* Members of a modern request's _meta. */
#define MCP_META_VERSION "io.modelcontextprotocol/protocolVersion"
#define MCP_META_CLIENT  "io.modelcontextprotocol/clientInfo"
#define MCP_META_CAPS    "io.modelcontextprotocol/clientCapabilities"
#define MCP_META_LEVEL   "io.modelcontextprotocol/logLevel"
/* Members of the _meta of a result, and of a subscription's messages. */
#define MCP_META_SERVER "io.modelcontextprotocol/serverInfo"
#define MCP_META_LISTEN "io.modelcontextprotocol/subscriptionId"

/* Tasks: the extension of 2026-07-28, and what belongs to a task before it. */
#define MCP_TASKS        "io.modelcontextprotocol/tasks"
#define MCP_META_RELATED "io.modelcontextprotocol/related-task"

/* The same name, static, if it is one of the revisions that begin with `initialize`; else NULL. */
const char *version_legacy(const char *name);

#endif
