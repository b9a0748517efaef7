/* The elements of an application, and single ones again. `window` is the id of the top-level
 * element that each is in: the window's number is found from it. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_WALK_H
#define PERIGEE_PLATFORM_MACOS_AX_WALK_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

/* As element_ops.tree(), with ask->pid that of the query or its root. out is empty after a failure;
 * "no_tree", too, where the windows tell nothing of what is in them. */
bool walk_tree(struct ask *ask, const struct element_query *query, struct element_tree *out,
               struct error *err);

/* As element_ops.get(); `ask` is filled with each one's process. */
bool walk_get(struct ask *ask, const uint64_t *ids, size_t count, struct element_tree *out,
              struct error *err);

/* The id of what is there: of this element or what is in it, if that was never seen. 0: nothing. */
bool walk_at(struct ask *ask, struct point at, uint64_t *id, struct error *err);

#endif
