/* Events of everybody: the panic key, and recordings. */
#ifndef PERIGEE_PLATFORM_MACOS_TAP_H
#define PERIGEE_PLATFORM_MACOS_TAP_H

#include "platform/macos/system/cf.h"

struct tap;

/* Listens to events of these kinds, CGEventMaskBit(), on a thread of its own; NULL if the system
 * would refuse or ask. told() is called on that thread, and not once tap_end() has returned. */
struct tap *tap_listen(CGEventMask events,
                       void (*told)(void *arg, CGEventType type, CGEventRef event), void *arg);
void tap_end(struct tap *tap); /* NULL is fine */

#endif
