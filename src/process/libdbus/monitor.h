/* What others call on a bus: bus_monitor_open() and the rest of process/bus.h, of which these are
 * the module's side. */
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
