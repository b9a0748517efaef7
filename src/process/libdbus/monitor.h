/* The module's side of bus_monitor_open() and of the rest of process/bus.h: calls that others make
 * on a bus. */
#ifndef PERIGEE_PROCESS_LIBDBUS_MONITOR_H
#define PERIGEE_PROCESS_LIBDBUS_MONITOR_H

#include "process/bus.h"
#include "process/libdbus/connections.h"

struct bus_monitor *monitor_open(const char *address, const struct bus_overheard *what, uint64_t ms,
                                 struct error *err);
int monitor_fd(struct bus_monitor *monitor);
enum bus_next monitor_next(struct bus_monitor *monitor, struct buf *out, struct error *err);
void monitor_close(struct bus_monitor *monitor);

#endif
