/* Events of elements, as the applications report them: a thread with a connection of its own, for
 * all callers, from the first question on. It sleeps until an event comes. */
#ifndef PERIGEE_PLATFORM_ATSPI_LISTEN_H
#define PERIGEE_PLATFORM_ATSPI_LISTEN_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* Implements element_ops.events(). */
bool listen_events(struct atspi *atspi, struct deadline *deadline, int pid, uint64_t since,
                   uint64_t until, struct element_events *out, struct error *err);

/* Implements element_ops.hear(), until listen_no_more(). */
bool listen_hear(struct atspi *atspi, struct deadline *deadline, struct error *err);
void listen_no_more(struct atspi *atspi);

/* Waits until all events that this connection has sent until now are in tree_cache.h. *heard: they
 * are; false without a listener. False: as talk_ask(). */
bool listen_until_now(struct atspi *atspi, struct deadline *deadline, const char *bus, bool *heard,
                      struct error *err);

#endif
