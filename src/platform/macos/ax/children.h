/* What is right in an element. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_CHILDREN_H
#define PERIGEE_PLATFORM_MACOS_AX_CHILDREN_H

#include "platform/macos/ax/node.h"

struct children {
    CFArrayRef list, header; /* owned; or NULL. header: of a table, an element */
    CFIndex total;           /* as the application claims; -1: not told */
    bool some;               /* list has only those that are shown */
};

/* At most `most` + 1. `out` is to be freed in any case. */
enum answer children_read(const struct ask *ask, AXUIElementRef element, const struct node *node,
                          CFIndex most, struct children *out, struct error *err);
void children_free(struct children *children);

/* The name of a row without one: the first text in it, as a list shows it. Of what was read of it
 * (items[at] and those behind it), or asked for; NULL: there is none. The caller frees. */
char *children_name(const struct element_tree *tree, size_t at);
char *children_ask_name(const struct ask *ask, AXUIElementRef element);

/* Whether an element of this role is called as what is in it. */
bool children_give_name(enum element_role role);

#endif
