/* Asks the server, for the methods: they push a struct mcp_waiting, fill its params, and ask as
 * their last statement. The task waits for the answer. */
#ifndef PERIGEE_SYS_MCP_WAITING_H
#define PERIGEE_SYS_MCP_WAITING_H

#include "base/buf.h"
#include "sys/mcp/connection.h"

/* A task that waits for an answer. Its buffers are freed by __gc at the latest. */
struct mcp_waiting {
    struct op op;
    struct mcp_connection *connection;
    struct client_call *call; /* `call` or `listing` is set while it waits */
    struct client_listing *listing;
    struct event_queue *progress; /* NULL: progress is not wanted */
    struct event_queue *status;   /* status of a task; NULL: not wanted */
    bool may_be_task;             /* options.task */
    struct client_task_options task;
    lua_CFunction push; /* makes the Lua value of a result */
    struct buf params;  /* JSON text */
    struct buf items;   /* for a list: JSON text, separated by commas */
};

/* Makes the metatable. Called when the module is opened. */
void mcp_waiting_init(lua_State *L);

/* Pushes a struct mcp_waiting. `push` makes the Lua value of a result. */
struct mcp_waiting *mcp_wait(lua_State *L, lua_CFunction push);

/* Sends the request and parks the task. `options` is the index of a table or nil. */
int mcp_ask(lua_State *L, struct mcp_waiting *waiting, const char *method, int options);

/* Asks for a whole list and puts it together from its pages, for a connection at index 1. */
int mcp_list(lua_State *L, const char *method, const char *key, lua_CFunction push);

/* Functions for `push`: make a Lua value of a result. The second one adds `text`, for
 * tools/call. */
int mcp_push_plain(lua_State *L);
int mcp_push_call(lua_State *L);

/* Appends the table at that index as a JSON object, even an empty list. Raises. */
void mcp_write_object(lua_State *L, int index, struct buf *out);

#endif
