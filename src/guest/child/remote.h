/* A guest's requests to the engine: tools, lib files, lines for the log. */
#ifndef PERIGEE_GUEST_CHILD_REMOTE_H
#define PERIGEE_GUEST_CHILD_REMOTE_H

#include <lua.h>

#include "base/log.h"
#include "guest/frame.h"

/* An ANSWER arrived: wakes the task that waits for it. */
void remote_answer(struct frame *frame);

/* Implements sandbox_spec.find: the source of a lib module. Blocks until the engine has sent it. */
bool remote_find(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
                 struct error *err);

/* Ends a frame that a script sends without waiting for an answer, and sends the gathered frames
 * before they take much memory. */
void remote_said(size_t begun);

/* Sends a LOG frame; for log_set_sink(). */
void remote_log_line(enum log_level level, const char *text, size_t len);

/* Pushes a table of tools (script/tools_table.h). */
void remote_push_tools(lua_State *L, bool raises);

/* The modules "perigee", "tools", sys.log and sys.task as a guest has them. */
int luaopen_guest_perigee(lua_State *L);
int luaopen_guest_tools(lua_State *L);
int luaopen_guest_log(lua_State *L);
int luaopen_guest_task(lua_State *L);
int luaopen_guest_time(lua_State *L);

#endif
