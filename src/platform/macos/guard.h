/* The process that lets go of keys when this one is killed. */
#ifndef PERIGEE_PLATFORM_MACOS_GUARD_H
#define PERIGEE_PLATFORM_MACOS_GUARD_H

#include <stdbool.h>

/* Reports a key or button that goes down or up; the first that goes down starts the guard. `code`
 * as in input_held(). */
void guard_note(bool button, unsigned code, bool down);

#endif
