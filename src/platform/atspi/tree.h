/* Reading a tree of elements: see struct atspi_ops. */
#ifndef PERIGEE_PLATFORM_ATSPI_TREE_H
#define PERIGEE_PLATFORM_ATSPI_TREE_H

#include "platform/atspi.h"
#include "platform/atspi/bus/talk.h"

bool tree_read(struct atspi *atspi, struct deadline *deadline, const struct element_query *query,
               struct element_tree *out, struct atspi_frames *frames, struct error *err);

#endif
