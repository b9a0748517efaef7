/* The process that lets go of keys when this one is killed. */
#ifndef PERIGEE_PLATFORM_MACOS_GUARD_H
#define PERIGEE_PLATFORM_MACOS_GUARD_H

#include <stdbool.h>

/* Tells it what goes down and up; the first thing that goes down starts it. `code` as in
 * input_held(). */
void guard_note(bool button, unsigned code, bool down);

#endif
