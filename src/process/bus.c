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
