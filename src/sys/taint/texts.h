/* The text that a Lua value holds. */
#ifndef PERIGEE_SYS_TAINT_TEXTS_H
#define PERIGEE_SYS_TAINT_TEXTS_H

#include <lua.h>

#include "base/util.h"
#include "taint/orders.h"

struct texts {
    void (*fn)(void *context, struct str text); /* text borrowed for the call */
    void *context;
    size_t left; /* number of strings and tables that may still be read */
    bool more;   /* there was more, or tables were too deep */
};

/* Passes the strings and numbers of the value at `index` to fn: lists in their order, members by
 * their names, and names of 7 bytes or more that are not those of arguments, which are the tool's
 * own. Runs no metamethod and raises nothing. */
void texts_of(lua_State *L, int index, struct texts *texts);

/* Passes the strings and numbers of each table with names, also of those in its members, to fn as
 * pieces: a list is one, in its order, and a table in a list is passed by itself. Not more than
 * `left` strings and tables. */
void texts_orders(lua_State *L, int index, size_t left,
                  void (*fn)(void *context, const struct orders *orders), void *context);

#endif
