#include "process/bus.h"

#include "base/module.h"

static const struct bus_ops *ops;

bool bus_ready(struct error *err)
{
    if (!ops)
        ops = module_symbol("libdbus", "perigee_bus", err);
    return ops != NULL;
}

bool bus_calls(const char *address, const cJSON *calls, uint64_t ms, struct buf *out,
               struct error *err)
{
    return ops->calls(address, calls, ms, out, err);
}

void bus_input_method(char *name, size_t size)
{
    *name = 0;
    if (ops)
        ops->input_method(name, size);
}

struct bus_wire *bus_wire_open(const char *address, const struct bus_wire_options *options,
                               uint64_t ms, struct error *err)
{
    return ops->wire_open(address, options, ms, err);
}

int bus_wire_fd(struct bus_wire *wire)
{
    return ops->wire_fd(wire);
}

const char *bus_wire_name(const struct bus_wire *wire)
{
    return ops->wire_name(wire);
}

bool bus_wire_unsent(struct bus_wire *wire)
{
    return ops->wire_unsent(wire);
}

void bus_wire_turn(struct bus_wire *wire)
{
    ops->wire_turn(wire);
}

uint32_t bus_wire_send(struct bus_wire *wire, const cJSON *message, bool answered,
                       struct error *err)
{
    return ops->wire_send(wire, message, answered, err);
}

void bus_wire_forget(struct bus_wire *wire, uint32_t serial)
{
    ops->wire_forget(wire, serial);
}

bool bus_wire_ready(struct bus_wire *wire, uint32_t serial)
{
    return ops->wire_ready(wire, serial);
}

enum bus_next bus_wire_next(struct bus_wire *wire, uint32_t serial, struct buf *out,
                            struct error *err)
{
    return ops->wire_next(wire, serial, out, err);
}

uint64_t bus_wire_dropped(const struct bus_wire *wire)
{
    return ops->wire_dropped(wire);
}

void bus_wire_close(struct bus_wire *wire)
{
    if (wire)
        ops->wire_close(wire);
}
