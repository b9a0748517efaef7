/* Windows and applications in Lua. */
#ifndef PERIGEE_SYS_SHARED_DESKTOP_THINGS_H
#define PERIGEE_SYS_SHARED_DESKTOP_THINGS_H

#include <lua.h>

#include "platform/platform.h"

/* Push the tables of lua/types/sys/window.lua and of lua/types/sys/app.lua. */
void desktop_push_window(lua_State *L, const struct window_info *window);
void desktop_push_app(lua_State *L, const struct app_info *app);

/* Set fields of the table on top: one for each state, and {x=, y=, width=, height=}. */
void desktop_set_states(lua_State *L, unsigned state);
void desktop_set_rect(lua_State *L, const char *name, struct rect rect);

#endif
