/* Acting on an element, and reading its text. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_ACT_H
#define PERIGEE_PLATFORM_MACOS_AX_ACT_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

/* Implement element_ops.act() and .text(); `ask` is filled with the element's process. */
bool act_do(struct ask *ask, uint64_t id, const struct element_change *change,
            struct element_outcome *out, struct error *err);
bool act_text(struct ask *ask, uint64_t id, int from, int to, struct element_text *out,
              struct error *err);

#endif
