/* The order of an object's keys, which a Lua table does not have. */
#ifndef PERIGEE_SCRIPT_KEY_ORDER_H
#define PERIGEE_SCRIPT_KEY_ORDER_H

#include <stdbool.h>

#include <cjson/cJSON.h>
#include <lua.h>

/* Once per VM, on the main state. */
void key_order_init(lua_State *L);

/* The table at `index` carries the list of keys at `order`. */
void key_order_mark(lua_State *L, int index, int order);

/* Pushes the list that the table at `index` carries; false, and nothing is pushed: it has none. */
bool key_order_push(lua_State *L, int index);

/* The table on top of the stack, made of the object `node` of `count` members, carries their order
 * unless they are sorted by bytes. May raise (memory). */
void key_order_keep(lua_State *L, const cJSON *node, int count);

#endif
