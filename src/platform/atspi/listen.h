/* What happens to elements, as the applications tell it: a thread with a connection of its own, for
 * all callers, from the first question on. While nothing happens it sleeps. */
#ifndef PERIGEE_PLATFORM_ATSPI_LISTEN_H
#define PERIGEE_PLATFORM_ATSPI_LISTEN_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* As element_ops.events(). */
bool listen_events(struct atspi *atspi, struct deadline *deadline, int pid, uint64_t since,
                   uint64_t until, struct element_events *out, struct error *err);

/* As element_ops.hear(), until listen_no_more(). */
bool listen_hear(struct atspi *atspi, struct deadline *deadline, struct error *err);
void listen_no_more(struct atspi *atspi);

/* Until all that this connection told until now is in kept.h. heard: it is so; false where there is
 * no listening. False: as talk_ask(). */
bool listen_until_now(struct atspi *atspi, struct deadline *deadline, const char *bus, bool *heard,
                      struct error *err);

#endif
