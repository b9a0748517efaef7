/* The text field that has the keyboard. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_FIELD_H
#define PERIGEE_PLATFORM_MACOS_AX_FIELD_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

/* Implements element_ops.field() for the application in front, which is ask->pid. Sets all but the
 * window. */
bool field_read(struct ask *ask, const struct element_field_query *query, struct element_field *out,
                struct error *err);

#endif
