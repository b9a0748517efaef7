/* Lua values <-> JSON.
 *
 * null inside a table is the light userdata NULL (`sys.json`'s null). Arrays and
 * objects made from JSON, or marked by a script, carry a metatable, so that an
 * empty one is written as it was. An object may carry the order of its keys: one from JSON
 * does unless they came sorted by bytes. A key that a script adds is written behind them. */
#ifndef PERIGEE_SCRIPT_VALUE_H
#define PERIGEE_SCRIPT_VALUE_H

#include <cjson/cJSON.h>
#include <lua.h>

#include "base/buf.h"
#include "base/error.h"

enum {
    VALUE_DEPTH = 128,      /* levels of nesting written at most; a cycle ends here */
    VALUE_BYTES = 64 << 20, /* JSON text at most: one table may be in another a million times */
};

/* Makes the marker metatables; once per VM, on the main state. */
void value_init(lua_State *L);

/* Pushes the value; NULL pushes nil. Whole numbers of 64 bits become integers. Of a number in an
 * array or object that neither an integer nor a float can hold, the table remembers the text: it is
 * written as it came while it is there. May raise (memory). */
void value_push_json(lua_State *L, const cJSON *node);

/* table[key] = the value, of which the table remembers the text as above. The key is on top of the
 * stack, right above the table at `table`; both stay. May raise (memory). */
void value_put_json(lua_State *L, int table, const cJSON *node);

/* Appends the value at `index` as JSON text; keys in the order they carry, else
 * sorted by bytes. False (a function, a cycle, NaN, more than VALUE_BYTES, ...): err has code
 * "not_json" and names the path; `out` then holds a part and is to be cut back by the caller. May
 * raise (memory). */
bool value_write_json(lua_State *L, int index, struct buf *out, struct error *err);

/* The same with a limit of its own, in bytes, which one string may exceed. */
bool value_write_json_within(lua_State *L, int index, size_t limit, struct buf *out,
                             struct error *err);

void value_mark_array(lua_State *L, int index);

/* Marks the table at `index` as an object; at `order` (0: none) stands a list of keys. */
void value_mark_object(lua_State *L, int index, int order);

/* Would it be written as `[...]`? False for what is not a table. */
bool value_is_array(lua_State *L, int index);

/* The marker that the table at `index` carries. */
bool value_is_marked_array(lua_State *L, int index);
bool value_is_marked_object(lua_State *L, int index); /* one without an order */

/* Pushes the list of keys of an ordered object; false, and nothing is pushed: it is not one. */
bool value_push_order(lua_State *L, int index);

#endif
