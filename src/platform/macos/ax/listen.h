/* Events of elements, as applications report them to their observers: a thread with a run loop, for
 * all callers, from the first question on. It sleeps until an event comes. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_LISTEN_H
#define PERIGEE_PLATFORM_MACOS_AX_LISTEN_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

/* Implements element_ops.events(); `ask` is filled with each application's process. */
bool listen_events(struct ask *ask, int pid, uint64_t since, uint64_t until,
                   struct element_events *out, struct error *err);

/* From a call with `on` until one without it, events have the ids of elements that were never
 * listed, and listen_events() waits without looking again and again, if a descriptor ends the wait.
 * Calls are counted. */
bool listen_hear(bool on, struct error *err);

/* Ends the thread and frees its memory: for the end of the process, where references are
 * counted. */
void listen_end(void);

#endif
