/* The text field that has the keyboard: see struct atspi_ops. */
#ifndef PERIGEE_PLATFORM_ATSPI_FIELD_H
#define PERIGEE_PLATFORM_ATSPI_FIELD_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

bool field_read(struct atspi *atspi, struct deadline *deadline, int pid,
                const struct element_field_query *query, struct element_field *out,
                struct error *err);

#endif
