/* The numbers that elements have: one for each element of each application, for the life of the
 * process. All connections share them. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_IDS_H
#define PERIGEE_PLATFORM_MACOS_AX_IDS_H

#include "platform/element.h"
#include "platform/macos/system/cf.h"

enum { AX_IDS_MAX = 200000 }; /* in all; the oldest are forgotten, as if they were gone */

struct ax_known {
    AXUIElementRef element; /* owned */
    int pid;
    uint64_t parent, top; /* ids; 0: not known. top: the window, sheet or menu bar around it */
    enum element_role role;
    int place; /* index + 1 among its siblings, when it was last seen; 0: not known */
};

/* The element's number, which is made if it has none; the fields of `as` are noted. On any thread.
 * An item of a menu that was seen with a check mark, or with a menu of its own, keeps that role
 * when it shows none: as->role is set to it. */
uint64_t ax_ids_of(AXUIElementRef element, struct ax_known *as);

/* The element's number, if it has one; else 0. */
uint64_t ax_ids_find(AXUIElementRef element, enum element_role *role);

/* Copies the element's entry; false: it never had a number, or was forgotten. ax_known_free()
 * it. */
bool ax_ids_look(uint64_t id, struct ax_known *out);
void ax_known_free(struct ax_known *known);

/* Forgets all elements: for the end of the process, where references are counted. */
void ax_ids_end(void);

#endif
