/* What the files of sys.mcp share. Nothing else includes this. */
#ifndef PERIGEE_ENGINE_LUA_MCP_H
#define PERIGEE_ENGINE_LUA_MCP_H

#include <lua.h>

#include "base/list.h"
#include "engine/lua_queue.h"
#include "transport/client_stdio.h"

/* A sys.mcp.Spec as C has it. The texts live on the Lua stack. */
struct lua_mcp_spec {
    struct mcp_server_spec server;
    struct client_options options;
    int log; /* stack index of the function; 0: none */
};

/* Reads the table at index 1 and leaves on the stack what the spec borrows
 * from. Raises when it is wrong. */
void lua_mcp_read_spec(lua_State *L, struct lua_mcp_spec *spec);

/* A spec of a file's entry that cannot be used: pushes nil, text and code, and
 * returns 3. Else 0. */
int lua_mcp_spec_problem(lua_State *L);
int mcp_servers(lua_State *L);

/* One session. Lua holds it through a userdata; it outlives that until its server is gone. */
struct lua_mcp {
    struct mcp_client *client; /* NULL: it is over */
    struct vm *vm;             /* NULL: nobody in Lua holds it any more */
    char *name;                /* the program, for the log */
    struct lua_queue *log;     /* NULL: to our log */
    struct op *connecting;     /* the task that waits for its beginning; NULL: none */
    int self;                  /* stack index of the userdata in that task */
    struct link closing;       /* tasks that wait for its end */
    uint64_t max_ms;
    struct error why; /* how it ended */
};

/* The session of the userdata at index 1; raises when it is none. */
struct lua_mcp *lua_mcp_check(lua_State *L);

/* Calls fn(job) under protection and moves its nresults results to `to`. */
bool lua_mcp_push(struct vm *vm, lua_State *to, lua_CFunction fn, void *job, int nresults,
                  struct error *err);

/* lua_mcp_call.c: the methods that ask the server */
int mcp_client_call(lua_State *L);
int mcp_client_get_prompt(lua_State *L);
int mcp_client_list_prompts(lua_State *L);
int mcp_client_list_tools(lua_State *L);
int mcp_client_request(lua_State *L);
void lua_mcp_open_calls(lua_State *L); /* makes their metatable */

#endif
