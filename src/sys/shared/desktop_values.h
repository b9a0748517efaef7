/* The desktop's values in Lua: arguments checked, results pushed. */
#ifndef PERIGEE_SYS_SHARED_DESKTOP_VALUES_H
#define PERIGEE_SYS_SHARED_DESKTOP_VALUES_H

#include <lua.h>

#include "platform/platform.h"

enum { DESKTOP_COORDINATE_MAX = 1000000 }; /* points, either way */

/* Reads a window from a table with pid, started and id. Raises if it is none. */
struct window_ref desktop_check_window(lua_State *L, int arg);

/* Sets pid, started and id of the table on top, which may be passed on as a window then. */
void desktop_set_window(lua_State *L, const struct window_ref *ref);

/* Reads an application from a table with pid and started, into a window_ref without id. Raises. */
struct window_ref desktop_check_app(lua_State *L, int arg);

/* Reads a coordinate of a point or size: finite and within DESKTOP_COORDINATE_MAX. Raises. */
double desktop_check_coordinate(lua_State *L, int arg);

/* Reads {x=, y=, width=, height=}; width and height are at least 1. Raises. */
struct rect desktop_check_rect(lua_State *L, int arg);

/* Returns the name that scripts use: "normal", "dialog", ... */
const char *desktop_window_kind(enum window_kind kind);

/* Pushes a number. A whole one is pushed as an integer, since people write points like that. */
void desktop_push_number(lua_State *L, double value);

/* Pushes {x=, y=, width=, height=}. */
void desktop_push_rect(lua_State *L, struct rect rect);

/* Sets table[name] = value for the table on top. The integer has the same 64 bits. */
void desktop_set_integer(lua_State *L, const char *name, uint64_t value);
void desktop_set_number(lua_State *L, const char *name, double value);
void desktop_set_flag(lua_State *L, const char *name, bool value);
void desktop_set_text(lua_State *L, const char *name, const char *value);

/* Sets a sentence that quotes titles of windows, on one line, as line_clean() makes it. */
void desktop_set_said(lua_State *L, const char *name, const char *value);

#endif
