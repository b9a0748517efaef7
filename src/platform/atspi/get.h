/* Reading some elements: see struct atspi_ops. */
#ifndef PERIGEE_PLATFORM_ATSPI_GET_H
#define PERIGEE_PLATFORM_ATSPI_GET_H

#include "platform/atspi.h"
#include "platform/atspi/bus/talk.h"

bool get_elements(struct atspi *atspi, struct deadline *deadline, const uint64_t *ids, size_t count,
                  struct element_tree *out, struct atspi_frames *frames, struct error *err);

/* Reads the top-level elements of the elements in `of`: once each, where they are now. */
bool get_frames(struct atspi *atspi, struct deadline *deadline, const struct element_tree *of,
                struct atspi_frames *frames, struct error *err);

void get_add_frame(struct atspi_frames *frames, struct element_info *info);

#endif
