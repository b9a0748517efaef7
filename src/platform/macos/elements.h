/* Elements: functions beside macos_element_ops. */
#ifndef PERIGEE_PLATFORM_MACOS_ELEMENTS_H
#define PERIGEE_PLATFORM_MACOS_ELEMENTS_H

#include "platform/macos/macos.h"

/* Implements element_ops.field(). */
bool macos_field(struct desktop *handle, struct deadline *deadline,
                 const struct element_field_query *query, struct element_field *out,
                 struct error *err);

/* Called at the end of a connection. */
void macos_elements_free(struct macos_desktop *desktop);

/* For tests: forgets every element and stops listening, so that no object of Core Foundation is
 * held. Called while no other call runs. */
void macos_elements_end(void);

#endif
