/* Menus and other popups: windows that an application shows past the window manager. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_POPUP_H
#define PERIGEE_PLATFORM_X11_WINDOWS_POPUP_H

#include "platform/x11/wire/x11.h"

enum { POPUP_LEAST = 4 /* pixels of its sides */, POPUP_NAME_MAX = 100 };

/* True if the window only shows something, as a tooltip or a notification, or lets input
 * through. */
bool popup_is_bystander(struct x11_desktop *desktop, Window window);

/* True for a tooltip that takes clicks, if only to end by them. */
bool popup_is_tooltip(struct x11_desktop *desktop, Window window);

/* True for a popup that calls itself a menu, as all of GTK 4 do (gdk_x11_surface_create_popup):
 * its tooltips, too, which hold no grab. */
bool popup_says_menu(struct x11_desktop *desktop, Window window);

/* "a menu of Mousepad", "a popup of another application". */
void popup_name(struct x11_desktop *desktop, Window window, char out[POPUP_NAME_MAX]);

/* The highest of `windows` that is a popup of the application that has the keyboard. Lists of a
 * program's suggestions are popups, too: no property tells them from menus. None: there is no such
 * popup, which needs no question if `windows` has no popup at all. */
Window popup_of_receiver(struct x11_desktop *desktop, const struct window_list *windows);

#endif
