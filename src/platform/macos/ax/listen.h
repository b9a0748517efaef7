/* What happens to elements, as applications tell their observers: a thread with a run loop, for all
 * callers, from the first question on. While nothing happens it sleeps. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_LISTEN_H
#define PERIGEE_PLATFORM_MACOS_AX_LISTEN_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

/* As element_ops.events(); `ask` is filled with each application's process. */
bool listen_events(struct ask *ask, int pid, uint64_t since, uint64_t until,
                   struct element_events *out, struct error *err);

/* Until as many calls with `on` false, events have the ids of elements that were never listed, and
 * listen_events() waits without looking again and again, where a descriptor ends the wait. */
bool listen_hear(bool on, struct error *err);

/* Ends the thread and what it holds: for the end of the process, where references are counted. */
void listen_end(void);

#endif
