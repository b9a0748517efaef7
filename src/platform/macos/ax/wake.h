/* Applications that tell of their pages only to who asks for it: Electron, and Chromium's family.
 */
#ifndef PERIGEE_PLATFORM_MACOS_AX_WAKE_H
#define PERIGEE_PLATFORM_MACOS_AX_WAKE_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

enum { WAKE_LOOK_MS = 100 };

/* Asks it once in its life. *until: it took it just now, so its pages may come until then; or 0.
 * False only for what ends the call. */
bool wake(const struct ask *ask, AXUIElementRef app, uint64_t *until, struct error *err);

/* Whether there is a page with something in it. */
bool wake_has_page(const struct element_tree *tree);

/* Notes in the tree that its windows tell nothing of what is in them. False: there is nothing else,
 * either: "no_tree". */
bool wake_judge(struct element_tree *tree, int pid, struct error *err);

/* Forgets who was asked: for the end of the process. */
void wake_end(void);

#endif
