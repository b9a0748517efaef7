/* The elements of an application, and single ones again. `window` is the id of the top-level
 * element around each: the window's number is found from it. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_WALK_H
#define PERIGEE_PLATFORM_MACOS_AX_WALK_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

/* Implements element_ops.tree(), with ask->pid that of the query or its root. out is empty after a
 * failure; "no_tree" as well if the windows report no content. */
bool walk_tree(struct ask *ask, const struct element_query *query, struct element_tree *out,
               struct error *err);

/* Implements element_ops.get(); `ask` is filled with each one's process. */
bool walk_get(struct ask *ask, const uint64_t *ids, size_t count, struct element_tree *out,
              struct error *err);

/* Finds the id of the element at a point: a new id, if it was never seen. 0: there is none. */
bool walk_at(struct ask *ask, struct point at, uint64_t *id, struct error *err);

#endif
