/* The records of callers, and the values that wait to be added to them. */
#ifndef PERIGEE_SYS_TAINT_RECORDS_H
#define PERIGEE_SYS_TAINT_RECORDS_H

#include <lua.h>

#include "taint/record.h"

/* Makes the metatable. */
void records_init(lua_State *L);

/* Pushes an empty record without an owner. */
void records_push_new(lua_State *L);

/* The record of a caller, with all values that waited for it; a caller without one gets a new
 * record, and the least recently used one makes room. Valid until another record is made. */
struct taint_record *records_of(lua_State *L, struct str who);

/* The record at this argument. Raises if the argument is not a record. */
struct taint_record *records_check(lua_State *L, int arg);

struct kept {
    unsigned source;   /* one bit */
    const char *mount; /* the mounted server that sent it; or NULL */
    bool soon;         /* it waits until the running code is done, and not until a call needs it */
    bool beside;       /* a short text that a call tells beside its result */
};

/* Keeps the value at `index`. */
void records_keep(lua_State *L, struct str who, int index, const struct kept *kept);

#endif
