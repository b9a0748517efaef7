/* The texts that a Lua value holds. */
#ifndef PERIGEE_SYS_SEEN_TEXTS_H
#define PERIGEE_SYS_SEEN_TEXTS_H

#include <lua.h>

#include "base/util.h"

struct texts {
    void (*fn)(void *context, struct str text); /* text borrowed for the call */
    void *context;
    size_t left; /* how many more texts and tables are looked at */
    bool more;   /* there were more, or tables in tables were too deep */
};

/* Gives the strings and numbers of the value at `index` to fn: lists in their order, members by
 * their names, and names of 7 bytes or more that are not those of arguments, which the tool chose.
 * Runs no metamethod and raises nothing. */
void texts_of(lua_State *L, int index, struct texts *texts);

#endif
