/* A session with another server, as Lua holds it. */
#ifndef PERIGEE_SYS_MCP_CONNECTION_H
#define PERIGEE_SYS_MCP_CONNECTION_H

#include <lauxlib.h>

#include "base/list.h"
#include "script/event_queue.h"
#include "script/task.h"
#include "sys/mcp/spec.h"

/* A connection to a server. Lua holds it through a userdata, which it outlives until its server is
 * gone. */
struct mcp_connection {
    struct client *client;     /* borrowed from one of these; NULL: it is over */
    struct mcp_client *child;  /* NULL: it is over, or has no child */
    struct mcp_http *http;     /* NULL: it is over, or not over HTTP */
    struct mcp_socket *socket; /* NULL: it is over, or not at a socket of lines */
    struct vm *vm;             /* NULL: Lua does not hold it any more */
    char *name;                /* the program or the host, for the log */
    char *url;                 /* over HTTP */
    int answers[HOOK_ANSWERS]; /* registry references, or LUA_NOREF */
    struct event_queue *told[HOOK_COUNT - HOOK_ANSWERS]; /* NULL: not wanted */
    struct link hook_calls;                              /* struct hook_call: being answered */
    struct op *connecting; /* the task that waits for its beginning; NULL: none */
    int self;              /* stack index of the userdata in that task */
    struct link closing;   /* tasks that wait for its end */
    uint64_t max_ms;
    struct error why; /* how it ended */
};

/* The connection of the userdata at index 1; raises when it is not one. */
struct mcp_connection *mcp_connection_check(lua_State *L);

/* Makes the metatable of the userdata. Its fields are these methods and what is known of the
 * server. */
void mcp_connection_init(lua_State *L, const luaL_Reg *methods);

/* sys.mcp.connect(spec), and the methods that do not ask the server */
int mcp_connect(lua_State *L);
int mcp_connection_close(lua_State *L);
int mcp_connection_running(lua_State *L);
int mcp_connection_wait(lua_State *L);

#endif
