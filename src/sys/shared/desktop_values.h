/* The desktop's values in Lua: arguments checked, results pushed. */
#ifndef PERIGEE_SYS_SHARED_DESKTOP_VALUES_H
#define PERIGEE_SYS_SHARED_DESKTOP_VALUES_H

#include <lua.h>

#include "platform/platform.h"

enum { DESKTOP_COORDINATE_MAX = 1000000 }; /* points, either way */

/* A window out of a table with pid, started and id. Raises when it is none. */
struct window_ref desktop_check_window(lua_State *L, int arg);

/* The same into the table on top: what a caller may pass on as a window. */
void desktop_set_window(lua_State *L, const struct window_ref *ref);

/* An application out of a table with pid and started, into a window_ref without id. Raises. */
struct window_ref desktop_check_app(lua_State *L, int arg);

/* A point or size: finite and within DESKTOP_COORDINATE_MAX. Raises. */
double desktop_check_coordinate(lua_State *L, int arg);

/* {x=, y=, width=, height=}; width and height at least 1. Raises. */
struct rect desktop_check_rect(lua_State *L, int arg);

/* How scripts call it: "normal", "dialog", ... */
const char *desktop_window_kind(enum window_kind kind);

/* Pushes a number; a whole one as an integer, which is how people write points. */
void desktop_push_number(lua_State *L, double value);

/* Pushes {x=, y=, width=, height=}. */
void desktop_push_rect(lua_State *L, struct rect rect);

/* table[name] = value, for the table on top; an integer has the same 64 bits. */
void desktop_set_integer(lua_State *L, const char *name, uint64_t value);
void desktop_set_number(lua_State *L, const char *name, double value);
void desktop_set_flag(lua_State *L, const char *name, bool value);
void desktop_set_text(lua_State *L, const char *name, const char *value);

/* The same of a sentence that quotes titles of windows: on one line, as line_clean() makes it. */
void desktop_set_said(lua_State *L, const char *name, const char *value);

#endif
