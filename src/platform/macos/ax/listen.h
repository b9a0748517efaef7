/* Events of elements, as applications report them to their observers: a thread with a run loop, for
 * all callers, from the first question on. It sleeps until an event comes. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_LISTEN_H
#define PERIGEE_PLATFORM_MACOS_AX_LISTEN_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

/* Implements element_ops.events(); `ask` is filled with each application's process. */
bool listen_events(struct ask *ask, int pid, uint64_t since, uint64_t until,
                   struct element_events *out, struct error *err);

/* Counts a connection that hears: as long as there is one, events have the ids of elements that
 * were never listed. See element_log_hear(). */
void listen_hear(bool *hears, bool on);

/* Ends the thread and frees its memory: for the end of the process, where references are
 * counted. */
void listen_end(void);

#endif
