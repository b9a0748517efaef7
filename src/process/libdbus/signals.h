/* The signals that a connection listens for. All functions are for the thread that has the bus. */
#ifndef PERIGEE_PROCESS_LIBDBUS_SIGNALS_H
#define PERIGEE_PROCESS_LIBDBUS_SIGNALS_H

#include "process/libdbus/connections.h"

/* A signal; a member that is NULL matches anything. */
struct bus_signal {
    const char *sender, *path, *interface, *member, *arg0;
};

/* Call these after a connection was opened, and before it is closed. */
void signals_begin(struct bus *bus);
void signals_end(struct bus *bus);

/* A number that is another one once the signal has come, or may have come unheard: answers to calls
 * that were made after a number was taken are valid while it is the same. Listens from the first
 * time on, as long as the connection lives; a new one has new numbers. Never waits. 0: the
 * connection is lost. */
uint64_t signals_mark(struct bus *bus, const struct bus_signal *signal);

#endif
