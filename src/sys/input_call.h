/* One call of sys.input, and how its table is read. */
#ifndef PERIGEE_SYS_INPUT_CALL_H
#define PERIGEE_SYS_INPUT_CALL_H

#include "sys/shared/desktop_call.h"
#include "sys/shared/desktop_service.h"
#include "sys/shared/desktop_values.h"

struct input_call {
    struct desktop_call call;
    struct input input;
    struct buf text; /* what input.text and input.path point into */
    struct buf path;
    bool may_paste; /* a text that cannot be typed */
    struct input_outcome out;
};

/* Of argument 1, whose other fields it checks: kinds differ in those they take. Raises. */
enum input_kind input_read_kind(lua_State *L);

/* Fills call->input, whose kind is known, from argument 1. Wrong values raise; false with err for a
 * chord that names no key: a failure of whoever asked for it. */
bool input_read(lua_State *L, struct input_call *call, struct error *err);

#endif
