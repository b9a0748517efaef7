/* The revisions that begin with `initialize`, the newest first. */
#include "mcp/versions.h"

#include "base/util.h"

static const char *const legacy[] = { MCP_LEGACY, "2025-06-18", "2025-03-26", "2024-11-05" };

const char *version_legacy(const char *name)
{
    for (size_t i = 0; i < countof(legacy); i++)
        if (strcmp(legacy[i], name) == 0)
            return legacy[i];
    return NULL;
}
