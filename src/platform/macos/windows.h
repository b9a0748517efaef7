/* Windows, for the other files of this backend. */
#ifndef PERIGEE_PLATFORM_MACOS_WINDOWS_H
#define PERIGEE_PLATFORM_MACOS_WINDOWS_H

#include "platform/macos/macos.h"

bool macos_window_list(struct macos_desktop *desktop, const struct window_query *query,
                       struct window_list *out, struct error *err);
bool macos_window_get(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, struct window_info *out, struct error *err);
bool macos_window_act(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, const struct window_change *change,
                      struct window_outcome *out, struct error *err);

#endif
