/* The functions of `table` that could hold up everything: concat, insert, move,
 * remove and sort.
 *
 * They give and raise what Lua's own do. But sort gives turns to others, and the
 * function that compares may wait; the rest end with their task, and refuse to
 * go on with what takes long, for a table half moved is for nobody to see. */
#ifndef PERIGEE_SCRIPT_STDLIB_TABLES_H
#define PERIGEE_SCRIPT_STDLIB_TABLES_H

#include <lua.h>

#include "base/util.h"

/* Sets them in the table on top of the stack. */
void tables_set(lua_State *L);

/* What a value must be able to do where a table is wanted. */
enum table_use { TABLE_READ = 1, TABLE_WRITE = 2, TABLE_LENGTH = 4 };

/* Raises unless this argument is a table, or has the metamethods for that. */
void tables_check(lua_State *L, int arg, int uses);

/* table.sort (sort.c) */
int tables_sort(lua_State *L);

#endif
