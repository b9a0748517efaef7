/* Windows, for the other files of this backend. */
#ifndef PERIGEE_PLATFORM_MACOS_WINDOWS_H
#define PERIGEE_PLATFORM_MACOS_WINDOWS_H

#include "platform/macos/macos.h"
#include "platform/macos/system/ax_windows.h"

/* What is known of windows besides what the window server tells. */
struct window_lore {
    void (*add)(void *arg, struct window_list *list); /* by macos_window_add() */
    bool (*shown)(void *arg, int pid); /* the application is known not to be hidden; or NULL */
    void *arg;
};

bool macos_window_list_by(const struct window_lore *lore, const struct window_query *query,
                          struct window_list *out, struct error *err);
/* Asks all their applications. */
bool macos_window_list(struct macos_desktop *desktop, const struct window_query *query,
                       struct window_list *out, struct error *err);
bool macos_window_get(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, struct window_info *out, struct error *err);
/* As the window server has it, without a question to its application. */
bool macos_window_look(struct macos_desktop *desktop, struct deadline *deadline,
                       const struct window_ref *ref, struct window_info *out, struct error *err);
/* What its application says of it besides; `active`: that one gets the keys. */
void macos_window_add(struct window_info *info, const struct ax_window *said, bool active);
bool macos_window_act(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, const struct window_change *change,
                      struct window_outcome *out, struct error *err);

#endif
