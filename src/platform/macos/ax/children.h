/* The direct children of an element. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_CHILDREN_H
#define PERIGEE_PLATFORM_MACOS_AX_CHILDREN_H

#include "platform/macos/ax/node.h"

struct children {
    CFArrayRef list, header; /* owned; or NULL. header: an element, in a table */
    CFIndex total;           /* number that the application claims; -1: not reported */
    bool some;               /* list has only the shown children */
};

/* Reads at most `most` + 1 children. `out` is to be freed in any case. */
enum answer children_read(const struct ask *ask, AXUIElementRef element, const struct node *node,
                          CFIndex most, struct children *out, struct error *err);
void children_free(struct children *children);

/* The name of a row without one: the first text in it, as a list shows it. Taken from elements that
 * were read (items[at] and those behind it), or asked for; NULL: there is none. The caller
 * frees. */
char *children_name(const struct element_tree *tree, size_t at);
char *children_ask_name(const struct ask *ask, AXUIElementRef element);

/* True if an element of this role takes its name from the elements in it. */
bool children_give_name(enum element_role role);

#endif
