/* The revisions of MCP that are spoken, and the names in _meta that carry them. */
#ifndef PERIGEE_MCP_VERSIONS_H
#define PERIGEE_MCP_VERSIONS_H

#include <stdbool.h>

#define MCP_MODERN       "2026-07-28"
#define MCP_META_VERSION "io.modelcontextprotocol/protocolVersion"

/* Is this one of the revisions that begin with `initialize`? */
bool version_legacy(const char *version);

#endif
