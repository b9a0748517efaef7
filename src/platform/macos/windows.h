/* Windows, for the other files of this backend. */
#ifndef PERIGEE_PLATFORM_MACOS_WINDOWS_H
#define PERIGEE_PLATFORM_MACOS_WINDOWS_H

#include "platform/macos/macos.h"
#include "platform/macos/system/ax_windows.h"

/* The source of facts that the window server does not have. */
struct window_lore {
    void (*add)(void *arg, struct window_list *list); /* calls macos_window_add() */
    bool (*shown)(void *arg, int pid);                /* true: it is not hidden; or NULL */
    void *arg;
};

bool macos_window_list_by(const struct window_lore *lore, const struct window_query *query,
                          struct window_list *out, struct error *err);
/* Lists the windows; asks all their applications. */
bool macos_window_list(struct macos_desktop *desktop, const struct window_query *query,
                       struct window_list *out, struct error *err);
bool macos_window_get(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, struct window_info *out, struct error *err);
/* Describes the window as the window server has it, without a question to its application. */
bool macos_window_look(struct macos_desktop *desktop, struct deadline *deadline,
                       const struct window_ref *ref, struct window_info *out, struct error *err);
/* Adds the facts that the application reports; `active`: that application gets the keys. */
void macos_window_add(struct window_info *info, const struct ax_window *said, bool active);
bool macos_window_act(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, const struct window_change *change,
                      struct window_outcome *out, struct error *err);

#endif
