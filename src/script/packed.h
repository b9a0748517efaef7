/* Lua values <-> bytes, for another process of the same program.
 *
 * Unlike JSON it keeps every integer and every byte of a string, tables with keys of any plain
 * kind, and the markers of script/value.h. Functions, threads and userdata cannot be packed.
 *
 *   value   = nil | false | true | null | int64 | double | digits | string | table
 *   digits  = double, and how it was written (string): script/written_digits.h
 *   string  = length (u32), bytes
 *   table   = marker (u8), number of list items (u32), items, number of pairs (u32), key, value,
 * ..., and where the marker says so a value more, the order of its keys
 *
 * Numbers are little-endian. Bytes that come from a guest are not trusted: each length is checked
 * against what is there, and nesting is limited. So is the number of values, since nothing else
 * runs while they are made, and that of keys that are numbers, which can be chosen so that Lua's
 * tables keep all in one chain. */
#ifndef PERIGEE_SCRIPT_PACKED_H
#define PERIGEE_SCRIPT_PACKED_H

#include <lua.h>

#include "base/buf.h"
#include "base/error.h"

enum {
    PACKED_VALUES = 250000,    /* in one: some 30 ms */
    PACKED_NUMBER_KEYS = 4096, /* ... outside of lists */
    PACKED_DIGITS = 4096,      /* numbers with their digits */
    PACKED_BYTES = 64 << 20,   /* a string may be in it a thousand times */
};

/* Appends the value at `index`. False: err ("not_plain") names the path of what cannot be packed,
 * and `out` is as it was. May raise (memory). */
bool packed_write(lua_State *L, int index, struct buf *out, struct error *err);

/* Is the value a string, and which? Borrowed from `bytes`. */
bool packed_text(struct str bytes, struct str *text);

/* Pushes the value at the start of `bytes`, which moves past it. False: err ("bad_value"), nothing
 * is pushed. May raise (memory). */
bool packed_push(lua_State *L, struct str *bytes, struct error *err);

/* Pushes a list of all the values, for a binding to return: 1, or bind_error(). May raise. */
int packed_push_list(lua_State *L, struct str bytes);

#endif
