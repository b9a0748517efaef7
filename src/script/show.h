/* Values as text, as one would write them in Lua: for `require "inspect"`, print, log lines and
 * errors.
 *
 * It changes nothing, calls no metamethods (except __tostring of userdata), and stays within its
 * limits whatever it gets: tables in themselves, a million items, a long string. */
#ifndef PERIGEE_SCRIPT_SHOW_H
#define PERIGEE_SCRIPT_SHOW_H

#include <lua.h>

#include "base/buf.h"

enum {
    SHOW_DEPTH = 8,      /* levels of tables in tables */
    SHOW_ITEMS = 200,    /* items of one table */
    SHOW_WIDTH = 100,    /* columns of a table on one line */
    SHOW_DEPTH_MAX = 60, /* the largest depth that an option may ask for */
    SHOW_BYTES = 100000, /* in all, about, and of one string */
};

/* 0: the default. */
struct show_limits {
    int depth, items, width, bytes; /* bytes: of one string */
    int hide; /* index of a function: is the value of this key, a string, shown as ***? */
};

/* Appends the value at index. May raise (memory, what a __tostring or `hide` raises). */
void show_value(lua_State *L, int index, const struct show_limits *limits, struct buf *out);

/* Pushes what print() writes: as luaL_tolstring(), but a table without a __tostring is shown. */
const char *show_push(lua_State *L, int index, size_t *len);

/* Pushes what is said of an error that is no text: "error value is a table: { 1 }". */
const char *show_push_error(lua_State *L, int index);

#endif
