/* The inside of the X11 backend: the part of a connection that its files share.
 *
 * Requests with an answer go through XCB, so that many are on their way at once and an error is a
 * NULL reply; Xlib does the rest. A window may vanish at any moment: its errors are routine and
 * swallowed by the handler in connection.c. */
#ifndef PERIGEE_PLATFORM_X11_WIRE_X11_H
#define PERIGEE_PLATFORM_X11_WIRE_X11_H

#include <X11/Xlib-xcb.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include "platform/platform.h"

/* Atoms by name; A(_NET_WM_PID) is desktop->atoms[ATOM__NET_WM_PID]. */
/* clang-format off */
#define X11_ATOMS(X)                                                                              \
    X(_NET_SUPPORTED) X(_NET_SUPPORTING_WM_CHECK) X(_NET_CLIENT_LIST)                             \
    X(_NET_CLIENT_LIST_STACKING) X(_NET_ACTIVE_WINDOW) X(_NET_CURRENT_DESKTOP) X(_NET_WORKAREA)   \
    X(_NET_WM_NAME) X(_NET_WM_PID) X(_NET_WM_STATE) X(_NET_WM_STATE_HIDDEN)                       \
    X(_NET_WM_STATE_MAXIMIZED_VERT) X(_NET_WM_STATE_MAXIMIZED_HORZ) X(_NET_WM_STATE_FULLSCREEN)   \
    X(_NET_WM_STATE_MODAL) X(_NET_WM_STATE_ABOVE) X(_NET_WM_STATE_BELOW)                          \
    X(_NET_WM_STATE_DEMANDS_ATTENTION) X(_NET_WM_STATE_SHADED) X(_NET_WM_DESKTOP)                 \
    X(_NET_FRAME_EXTENTS) X(_GTK_FRAME_EXTENTS) X(_NET_WM_WINDOW_TYPE)                            \
    X(_NET_WM_WINDOW_TYPE_DIALOG) X(_NET_WM_WINDOW_TYPE_UTILITY) X(_NET_WM_WINDOW_TYPE_TOOLBAR)   \
    X(_NET_WM_WINDOW_TYPE_MENU) X(_NET_WM_WINDOW_TYPE_SPLASH) X(_NET_WM_WINDOW_TYPE_DOCK)         \
    X(_NET_WM_WINDOW_TYPE_DESKTOP) X(_NET_WM_WINDOW_TYPE_DROPDOWN_MENU)                           \
    X(_NET_WM_WINDOW_TYPE_POPUP_MENU) X(_NET_WM_WINDOW_TYPE_TOOLTIP)                              \
    X(_NET_WM_WINDOW_TYPE_NOTIFICATION) X(_NET_WM_WINDOW_TYPE_COMBO) X(_NET_WM_WINDOW_TYPE_DND)   \
    X(_NET_MOVERESIZE_WINDOW) X(_NET_CLOSE_WINDOW) X(_NET_WM_PING) X(WM_DELETE_WINDOW) X(_MOTIF_WM_HINTS)            \
    X(WM_PROTOCOLS) X(WM_STATE) X(UTF8_STRING) X(CLIPBOARD) X(TARGETS) X(TIMESTAMP) X(MULTIPLE)   \
    X(ATOM_PAIR) X(INCR) X(TEXT) X(PERIGEE_TIME) X(AT_SPI_BUS) X(XdndAware) X(XdndProxy)          \
    X(XdndSelection) X(XdndEnter) X(XdndPosition) X(XdndStatus) X(XdndLeave) X(XdndDrop)          \
    X(XdndFinished) X(XdndActionCopy) X(XdndActionMove) X(XdndActionLink) X(XdndActionAsk)        \
    X(XdndActionList) X(_GTK_UNIQUE_BUS_NAME) X(_GTK_APPLICATION_ID)                              \
    X(_GTK_APPLICATION_OBJECT_PATH) X(_GTK_WINDOW_OBJECT_PATH) X(_GTK_MENUBAR_OBJECT_PATH)
/* clang-format on */

enum x11_atom {
#define X(name) ATOM_##name,
    X11_ATOMS(X)
#undef X
        ATOM_COUNT
};

#define A(name) (desktop->atoms[ATOM_##name])

struct x11_input;
struct x11_clipboard;
struct x11_capture;
struct x11_drawing;
struct x11_watch;
struct atspi;
struct entries;

struct x11_desktop {
    Display *display;
    xcb_connection_t *xcb; /* the same connection */
    Window root;
    int screen;
    Atom atoms[ATOM_COUNT];
    bool dead;                                                    /* the connection broke */
    void (*on_event)(struct x11_desktop *desktop, XEvent *event); /* events go to the parts */

    Window probe;           /* our own, never mapped: receives answers */
    int probe_x;            /* the last place it was asked to move to: manager.c */
    bool probe_moved;       /* it has arrived there */
    bool mute;              /* the window manager does not move the probe */
    Window mute_manager;    /* that window manager */
    Window last_focus;      /* within a window that is active: focus.c */
    Window growing_manager; /* a manager that changes the size of windows that it moves */
    unsigned long pong;     /* the last serial an application answered */
    unsigned long ping;     /* the last serial sent */
    Time time;              /* the server's time, when last asked */
    bool in_use;            /* keyboard or pointer are used: record.c */
    KeySym given[256][2];   /* symbols that keys just got, plain and with Shift: record.c */
    KeySym pressed[256][2]; /* symbols of the last presses, plain and as typed: record.c */
    bool has_resource;      /* the server knows the process behind a window: owner.h */
    int randr_event, fixes_event, xi_opcode; /* -1 or 0: not there */

    int origin_x, origin_y; /* the main display's corner, in pixels of the root window */
    bool origin_known;

    struct x11_input *input; /* each made when first used */
    struct x11_clipboard *clipboard;
    struct x11_capture *capture;
    struct x11_drawing *drawing;
    struct x11_watch *watch;
    struct atspi *atspi;
    struct entries *entries; /* the installed applications; made with the desktop */
};

/* The desktop behind the handle that an operation is given. */
static inline struct x11_desktop *x11_of(struct desktop *handle)
{
    return (struct x11_desktop *)handle;
}

#endif
