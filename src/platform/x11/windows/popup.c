#include "platform/x11/windows/popup.h"

#include <X11/extensions/shape.h>
#include <stdio.h>

#include "platform/x11/windows/focus.h"
#include "platform/x11/wire/property.h"

/* --- the kind of a popup ---------------------------------------------------------------- */

static bool is_of_types(struct x11_desktop *desktop, Window window, const Atom *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (x11_has_atom(desktop, window, A(_NET_WM_WINDOW_TYPE), types[i]))
            return true;
    }
    return false;
}

/* Chromium's line with the target of a link is such a window, without a type that says so. */
static bool lets_input_through(struct x11_desktop *desktop, Window window)
{
    int count = -1, order;
    XRectangle *parts = XShapeGetRectangles(desktop->display, window, ShapeInput, &count, &order);

    if (parts)
        XFree(parts);
    return count == 0;
}

bool popup_is_bystander(struct x11_desktop *desktop, Window window)
{
    const Atom types[] = { A(_NET_WM_WINDOW_TYPE_TOOLTIP), A(_NET_WM_WINDOW_TYPE_NOTIFICATION),
                           A(_NET_WM_WINDOW_TYPE_DND) };

    return is_of_types(desktop, window, types, countof(types)) ||
           lets_input_through(desktop, window);
}

bool popup_is_tooltip(struct x11_desktop *desktop, Window window)
{
    return x11_has_atom(desktop, window, A(_NET_WM_WINDOW_TYPE), A(_NET_WM_WINDOW_TYPE_TOOLTIP)) &&
           !lets_input_through(desktop, window);
}

bool popup_says_menu(struct x11_desktop *desktop, Window window)
{
    return x11_has_atom(desktop, window, A(_NET_WM_WINDOW_TYPE), A(_NET_WM_WINDOW_TYPE_MENU));
}

static bool is_menu(struct x11_desktop *desktop, Window window)
{
    const Atom types[] = { A(_NET_WM_WINDOW_TYPE_MENU), A(_NET_WM_WINDOW_TYPE_DROPDOWN_MENU),
                           A(_NET_WM_WINDOW_TYPE_POPUP_MENU), A(_NET_WM_WINDOW_TYPE_COMBO) };

    return is_of_types(desktop, window, types, countof(types));
}

/* --- the owner of a popup --------------------------------------------------------------- */

/* Names the owner: "Mousepad"; for a popup without a class, the owner of the window it belongs
 * to. */
static void name_owner(struct x11_desktop *desktop, Window popup, char *out, size_t size)
{
    XClassHint class = { 0 };
    Window above = None;

    if (!XGetClassHint(desktop->display, popup, &class) &&
        XGetTransientForHint(desktop->display, popup, &above))
        XGetClassHint(desktop->display, above, &class);
    if (!class.res_class &&
        x11_client_of(desktop, x11_focused(desktop)) == x11_client_of(desktop, popup))
        XGetClassHint(desktop->display, x11_focused(desktop), &class);
    snprintf(out, size, "%.60s",
             class.res_class && *class.res_class ? class.res_class : "another application");
    if (class.res_name)
        XFree(class.res_name);
    if (class.res_class)
        XFree(class.res_class);
}

void popup_name(struct x11_desktop *desktop, Window window, char out[POPUP_NAME_MAX])
{
    char owner[64];

    name_owner(desktop, window, owner, sizeof owner);
    snprintf(out, POPUP_NAME_MAX, "a %s of %s", is_menu(desktop, window) ? "menu" : "popup", owner);
}

static int pid_of(const struct window_list *windows, Window window)
{
    const struct window_info *info = window_list_find(windows, window);

    return info ? info->ref.pid : 0;
}

static bool is_popup(const struct window_info *window)
{
    return window->kind == WINDOW_POPUP && window->on_screen &&
           window->content.width >= POPUP_LEAST && window->content.height >= POPUP_LEAST;
}

/* True if the popup is the process's, or says so: its word makes us only more careful. */
static bool is_of(struct x11_desktop *desktop, const struct window_info *popup, int pid)
{
    return pid && (popup->ref.pid == pid ||
                   x11_read_long(desktop, (Window)popup->ref.id, A(_NET_WM_PID)) == (uint32_t)pid);
}

Window popup_of_receiver(struct x11_desktop *desktop, const struct window_list *windows)
{
    Window receiver = None;

    for (size_t i = 0; i < windows->count; i++) {
        const struct window_info *each = &windows->items[i];
        Window window = (Window)each->ref.id;

        if (!is_popup(each))
            continue;
        if (!receiver && !(receiver = x11_receiver(desktop)))
            return None;
        if (window != receiver &&
            (x11_client_of(desktop, window) == x11_client_of(desktop, receiver) ||
             is_of(desktop, each, pid_of(windows, receiver))) &&
            !popup_is_bystander(desktop, window))
            return window;
    }
    return None;
}
