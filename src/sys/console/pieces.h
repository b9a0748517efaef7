/* The functions of sys.console that have files of their own; the module's table is in console.c. */
#ifndef PERIGEE_SYS_CONSOLE_PIECES_H
#define PERIGEE_SYS_CONSOLE_PIECES_H

#include <lua.h>

int console_calls(lua_State *L);    /* calls.c */
int console_prompt(lua_State *L);   /* prompt.c */
int console_read_log(lua_State *L); /* log.c */
int console_reload(lua_State *L);   /* reload.c */
int console_tell(lua_State *L);     /* tell.c */
int console_tool_of(lua_State *L);  /* prompt.c */

void console_log_init(lua_State *L);
void console_prompt_init(lua_State *L);

#endif
