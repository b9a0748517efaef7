/* The signals that a connection listens for. Each has a number, which is another one after it has
 * come; a new connection has new numbers. All functions are for the thread that has the bus. */
#ifndef PERIGEE_PROCESS_LIBDBUS_SIGNALS_H
#define PERIGEE_PROCESS_LIBDBUS_SIGNALS_H

#include "process/bus.h"
#include "process/libdbus/connections.h"

/* Call these after a connection was opened, and before it is closed. */
void signals_begin(struct bus *bus);
void signals_end(struct bus *bus);

/* As bus_mark(); listens from now on. Calls that are sent later reach the bus after the wish to
 * listen. 0: the connection is lost, or the signal is none. */
uint64_t signals_mark(struct bus *bus, const struct bus_signal *signal);
/* False: the time of bus_now() has come, or the connection is lost. */
bool signals_await(struct bus *bus, const struct bus_signal *signal, uint64_t mark, uint64_t until);
void signals_unhear(struct bus *bus, const struct bus_signal *signal);

#endif
