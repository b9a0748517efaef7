/* Whether accessibility runs, and which applications it knows, without starting anything. What was
 * learned is kept until the buses report a change. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_PRESENCE_H
#define PERIGEE_PLATFORM_ATSPI_BUS_PRESENCE_H

#include "platform/atspi/bus/talk.h"

/* Connects as talk_begin(), if there is a bus; *runs says whether. False: as talk_begin(). */
bool presence_begin(struct atspi *atspi, struct deadline *deadline, bool *runs, struct error *err);

/* The name of the connection of this process; borrowed until the next call. NULL: *absent (the
 * process is not on the bus), or err, as talk_ask(). Called after presence_begin(). */
const char *presence_app(struct atspi *atspi, struct deadline *deadline, int pid, bool *absent,
                         struct error *err);

void presence_end(struct presence *presence); /* frees what it holds */

#endif
