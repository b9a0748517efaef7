/* Reads the argument of sys.mcp.connect(). */
#ifndef PERIGEE_SYS_MCP_SPEC_H
#define PERIGEE_SYS_MCP_SPEC_H

#include <lua.h>

#include "mcp/client/wire/http_wire.h"
#include "mcp/client/wire/socket_wire.h"
#include "mcp/client/wire/stdio_wire.h"

/* The functions of a spec, in the order of their names (spec.c). */
enum mcp_hook {
    HOOK_AUTHORIZE, /* up to HOOK_ANSWERS: a task for each question */
    HOOK_ELICIT,
    HOOK_SAMPLE,
    HOOK_ROOTS, /* may be a list, too */
    HOOK_ANSWERS,
    HOOK_LOG = HOOK_ANSWERS, /* from here on: told one after the other */
    HOOK_CHANGED,
    HOOK_UPDATED,
    HOOK_NOTIFICATION,
    HOOK_COUNT,
};

/* A sys.mcp.Spec as C has it. Strings live on the Lua stack. */
struct mcp_spec {
    struct mcp_server_spec server; /* argv NULL: there is no child */
    struct mcp_http_spec http;     /* url NULL: it is not over HTTP */
    const char *socket;            /* a path; NULL: it is not over a socket */
    struct client_options options;
    int hooks[HOOK_COUNT]; /* stack index of the function; 0: none */
};

/* Reads the table at index 1, and leaves on the stack what the spec borrows from. Raises if the
 * table is wrong. */
void mcp_spec_read(lua_State *L, struct mcp_spec *spec);

/* Pushes nil, text and code for a spec from a file if its entry cannot be used, and returns 3.
 * Otherwise returns 0. */
int mcp_spec_problem(lua_State *L);

#endif
