/* Windows and applications in Lua. */
#ifndef PERIGEE_SYS_SHARED_DESKTOP_THINGS_H
#define PERIGEE_SYS_SHARED_DESKTOP_THINGS_H

#include <lua.h>

#include "platform/platform.h"

/* Pushes the table of lua/types/sys/window.lua, and of lua/types/sys/app.lua. */
void desktop_push_window(lua_State *L, const struct window_info *window);
void desktop_push_app(lua_State *L, const struct app_info *app);

/* Into the table on top: a field for each state, and {x=, y=, width=, height=}. */
void desktop_set_states(lua_State *L, unsigned state);
void desktop_set_rect(lua_State *L, const char *name, struct rect rect);

#endif
