/* Reads the conditions for sending text from a table of sys.input. */
#ifndef PERIGEE_SYS_INPUT_STILL_H
#define PERIGEE_SYS_INPUT_STILL_H

#include <lua.h>

#include "platform/platform.h"

struct still {
    struct input_still wanted; /* points into the other members */
    struct buf bus, answers, told;
    struct bus_prepared *before, *after; /* owned */
};

/* Fills `self` from the field `still` of argument 1. Returns the conditions; NULL: there are none.
 * Raises; still_free() frees what `self` holds in any case. */
const struct input_still *still_read(lua_State *L, struct still *self);
void still_free(struct still *self); /* on any thread */

#endif
