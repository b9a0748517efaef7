/* The windows of an application as accessibility has them, and matching them with the window
 * server's. For the thread of ax_do().
 *
 * Titles and frames do not identify windows: Chrome adds to its titles, and maximized windows of
 * one application share a frame. The window server's number of an element does, but only an
 * undocumented function returns it (_AXUIElementGetWindow of HIServices, which window managers have
 * used since 2011). If it is missing, an element is matched only if a single window fits. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_AX_WINDOWS_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_AX_WINDOWS_H

#include "platform/macos/system/ax.h"

/* The window server's number of a window's element; 0: it is not reported. On any thread. */
uint32_t ax_number(AXUIElementRef element);

struct ax_window {
    AXUIElementRef element; /* owned */
    uint32_t number;        /* the window server's; 0: not reported */
    CGRect frame;
    char *title; /* never NULL; owned */
    bool title_cut, minimized, full_screen, modal;
    bool focused; /* keys go to it while its application is the active one */
};

/* The attributes of a window that one question reads, and the facts in its answer. NULL: there was
 * no answer. */
enum { AX_WINDOW_ATTRIBUTES = 6 };
void ax_window_attributes(CFStringRef names[AX_WINDOW_ATTRIBUTES]);
void ax_window_fill(struct ax_window *out, AXUIElementRef element, const CFTypeRef *values);

struct ax_windows {
    struct ax_window *items;
    size_t count;
};

/* Reads the windows by one question to the application and one for each of them. `out` is to be
 * freed in any case. */
bool ax_windows_read(int pid, struct ax_windows *out, struct error *err);
void ax_windows_free(struct ax_windows *windows);

/* The element of the window that the window server lists as `window`. NULL: "window_not_found" (it
 * is not among them) or "window_ambiguous" (several fit). */
struct ax_window *ax_windows_match(const struct ax_windows *windows,
                                   const struct window_info *window, struct error *err);

#endif
