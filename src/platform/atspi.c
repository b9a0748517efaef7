#include "platform/atspi.h"

#include <stdlib.h>

#include "base/module.h"

const struct atspi_ops *atspi_ready(struct error *err)
{
    static const struct atspi_ops *ops;

    if (!ops)
        ops = module_symbol("libdbus", "perigee_atspi", err);
    return ops;
}

void atspi_frames_free(struct atspi_frames *frames)
{
    for (size_t i = 0; i < frames->count; i++)
        free(frames->items[i].name);
    free(frames->items);
    *frames = (struct atspi_frames){ 0 };
}
