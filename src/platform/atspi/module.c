/* The module's functions for elements. */
#include <stdlib.h>

#include "platform/atspi/act.h"
#include "platform/atspi/bus/presence.h"
#include "platform/atspi/bus/wake.h"
#include "platform/atspi/field.h"
#include "platform/atspi/get.h"
#include "platform/atspi/keys.h"
#include "platform/atspi/listen.h"
#include "platform/atspi/tree.h"

static struct atspi *atspi_open(char *(*display_bus)(void *arg), void *arg, struct error *err)
{
    struct atspi *atspi = mem_zero(sizeof *atspi);

    (void)err;
    atspi->display_bus = display_bus;
    atspi->display_arg = arg;
    return atspi;
}

static void atspi_close(struct atspi *atspi)
{
    if (!atspi)
        return;
    listen_no_more(atspi);
    presence_end(&atspi->presence);
    bus_disconnect(&atspi->bus);
    free(atspi->bus.address);
    free(atspi);
}

extern const struct atspi_ops perigee_atspi;
const struct atspi_ops perigee_atspi = {
    .open = atspi_open,
    .close = atspi_close,
    .wake = wake,
    .tree = tree_read,
    .get = get_elements,
    .act = act_do,
    .text = act_text,
    .runs = presence_begin,
    .field = field_read,
    .events = listen_events,
    .hear = listen_hear,
    .keys = keys_ask,
};
