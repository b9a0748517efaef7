/* AX's roles in our words (docs/elements.md has the table), and their meaning for reading. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_ROLES_H
#define PERIGEE_PLATFORM_MACOS_AX_ROLES_H

#include "platform/element.h"

/* The role of an element. `inside` is the role of its parent; ELEMENT_OTHER if that is not
 * known. */
enum element_role ax_role_of(const char *role, const char *subrole, enum element_role inside);

/* True if elements of this native role have no useful elements in them. */
bool ax_role_is_leaf(const char *role);

/* The abilities that a role implies. */
unsigned ax_role_abilities(enum element_role role, const char *native);

#endif
