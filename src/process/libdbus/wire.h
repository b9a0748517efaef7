/* A connection on which messages of every kind go both ways: bus_wire_open() and the rest of
 * process/bus.h, of which these are the module's side. */
#ifndef PERIGEE_PROCESS_LIBDBUS_WIRE_H
#define PERIGEE_PROCESS_LIBDBUS_WIRE_H

#include "process/bus.h"
#include "process/libdbus/connections.h"

struct bus_wire *wire_open(const char *address, const struct bus_wire_options *options, uint64_t ms,
                           struct error *err);
int wire_fd(struct bus_wire *wire);
const char *wire_name(const struct bus_wire *wire);
bool wire_unsent(struct bus_wire *wire);
void wire_turn(struct bus_wire *wire);
uint32_t wire_send(struct bus_wire *wire, const cJSON *message, bool answered, struct error *err);
void wire_forget(struct bus_wire *wire, uint32_t serial);
bool wire_ready(struct bus_wire *wire, uint32_t serial);
enum bus_next wire_next(struct bus_wire *wire, uint32_t serial, struct buf *out, struct error *err);
uint64_t wire_dropped(const struct bus_wire *wire);
void wire_close(struct bus_wire *wire);

#endif
