/* AX's roles in our words (docs/elements.md has the table), and what they mean for reading. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_ROLES_H
#define PERIGEE_PLATFORM_MACOS_AX_ROLES_H

#include "platform/element.h"

/* `inside` is the role of what it is in; ELEMENT_OTHER where that is not known. */
enum element_role ax_role_of(const char *role, const char *subrole, enum element_role inside);

/* Whether elements of this native role have nothing in them that anybody wants. */
bool ax_role_is_leaf(const char *role);

/* What can be done with elements of this role, as far as it tells. */
unsigned ax_role_abilities(enum element_role role, const char *native);

#endif
