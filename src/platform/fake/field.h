/* The fake's field that has the keyboard: element_ops.field(). */
#ifndef PERIGEE_PLATFORM_FAKE_FIELD_H
#define PERIGEE_PLATFORM_FAKE_FIELD_H

#include "platform/element.h"
#include "platform/fake/world.h"

bool fake_field(struct desktop *handle, struct deadline *deadline,
                const struct element_field_query *query, struct element_field *out,
                struct error *err);

#endif
