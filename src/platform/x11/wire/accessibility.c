#include "platform/x11/wire/accessibility.h"

#include "platform/x11/wire/property.h"

static const struct atspi_ops *ops;

bool accessibility_ready(struct error *err)
{
    if (!ops)
        ops = atspi_ready(err);
    return ops != NULL;
}

const struct atspi_ops *accessibility_ops(void)
{
    return ops;
}

enum { ADDRESS_BYTES = 512 };

/* The accessibility bus that the root window names. */
static char *display_bus(void *arg)
{
    struct x11_desktop *desktop = arg;
    bool cut;

    return x11_answer_text(desktop,
                           x11_ask(desktop, desktop->root, A(AT_SPI_BUS), ADDRESS_BYTES / 4),
                           ADDRESS_BYTES, &cut);
}

bool accessibility_begin(struct x11_desktop *desktop, struct error *err)
{
    if (!ops)
        return error_set(err, "not_supported", "elements of this desktop cannot be read");
    if (!desktop->atspi)
        desktop->atspi = ops->open(display_bus, desktop, err);
    return desktop->atspi != NULL;
}

void accessibility_end(struct x11_desktop *desktop)
{
    if (desktop->atspi)
        ops->close(desktop->atspi);
    desktop->atspi = NULL;
}
