/* Acting on elements, and their texts: see struct atspi_ops. The answer of an application is passed
 * on as `agreed` and believed nowhere. */
#ifndef PERIGEE_PLATFORM_ATSPI_ACT_H
#define PERIGEE_PLATFORM_ATSPI_ACT_H

#include "platform/atspi.h"
#include "platform/atspi/bus/talk.h"

bool act_do(struct atspi *atspi, struct deadline *deadline, uint64_t id,
            const struct element_change *change, struct element_outcome *out, struct error *err);
bool act_text(struct atspi *atspi, struct deadline *deadline, uint64_t id, int from, int to,
              struct element_text *out, struct error *err);

#endif
