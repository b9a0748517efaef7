/* Keys that an application takes only when accessibility has answered. */
#ifndef PERIGEE_PLATFORM_ATSPI_KEYS_H
#define PERIGEE_PLATFORM_ATSPI_KEYS_H

#include "platform/atspi.h"
#include "platform/atspi/bus/talk.h"

/* Implements atspi_ops.keys(). */
void keys_ask(struct atspi *atspi, struct atspi_keys *keys, uint64_t ms);

#endif
