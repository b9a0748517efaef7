/* Wakes applications that report their pages only on request: Electron, and Chromium's family. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_WAKE_H
#define PERIGEE_PLATFORM_MACOS_AX_WAKE_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

enum { WAKE_LOOK_MS = 100 };

/* Asks the application for its pages, once in its life. *until: it agreed just now, so its pages
 * may come until then; or 0. False only for an error that ends the call. */
bool wake(const struct ask *ask, AXUIElementRef app, uint64_t *until, struct error *err);

/* True if there is a page that has elements. */
bool wake_has_page(const struct element_tree *tree);

/* Notes in the tree that the application's windows report no content. False: the tree has nothing
 * else, either: "no_tree". */
bool wake_judge(struct element_tree *tree, int pid, struct error *err);

/* Forgets which applications were asked: for the end of the process. */
void wake_end(void);

#endif
