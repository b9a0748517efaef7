/* Waits for a change of the windows: which there are, where, under which title, in which state and
 * order, and where the keyboard is. Popups are included. */
#ifndef PERIGEE_PLATFORM_WINDOW_CHANGE_H
#define PERIGEE_PLATFORM_WINDOW_CHANGE_H

#include "platform/platform.h"

/* Waits until the windows are different from *mark (0: returns at once), or until `until` of
 * deadline_now(), and puts the mark of the windows then into *mark. False and err: as
 * window_ops.list(). */
bool window_change_wait(const struct platform_ops *ops, struct desktop *desktop,
                        struct deadline *deadline, uint64_t until, uint64_t *mark,
                        struct error *err);

#endif
