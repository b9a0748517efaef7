/* The inside of the X11 desktop: one connection, and what its files share.
 *
 * Requests that ask go through XCB, so that many are on their way at once and an error is a
 * NULL reply; Xlib does the rest. A window may vanish at any moment: its errors are routine
 * and swallowed by the handler in connection.c. */
#ifndef PERIGEE_PLATFORM_X11_X11_H
#define PERIGEE_PLATFORM_X11_X11_H

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
    X(_NET_MOVERESIZE_WINDOW) X(_NET_CLOSE_WINDOW) X(_NET_REQUEST_FRAME_EXTENTS) X(_NET_WM_PING)  \
    X(WM_PROTOCOLS) X(WM_STATE) X(UTF8_STRING) X(CLIPBOARD) X(TARGETS) X(TIMESTAMP) X(MULTIPLE)   \
    X(ATOM_PAIR) X(INCR) X(TEXT) X(PERIGEE_TIME)
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
struct entries;

struct x11_desktop {
    Display *display;
    xcb_connection_t *xcb; /* the same connection */
    Window root;
    int screen;
    Atom atoms[ATOM_COUNT];
    bool dead; /* the connection broke */

    Window probe;                            /* our own, never mapped: receives answers */
    bool probe_answered;                     /* the window manager set its frame extents */
    unsigned long pong;                      /* the last serial an application answered */
    unsigned long ping;                      /* the last serial sent */
    Time time;                               /* of the server, when last asked */
    bool has_resource;                       /* the server tells who owns a window */
    int randr_event, fixes_event, xi_opcode; /* -1 or 0: not there */

    int origin_x, origin_y; /* of the main display, in pixels of the root window */
    bool origin_known;

    struct x11_input *input; /* each made when first used */
    struct x11_clipboard *clipboard;
    struct x11_capture *capture;
    struct entries *entries; /* what is installed; made with the desktop */
};

/* What is behind the handle that an operation is given. */
static inline struct x11_desktop *x11_of(struct desktop *handle)
{
    return (struct x11_desktop *)handle;
}

/* --- connection.c -------------------------------------------------------------------- */

/* XOpenDisplay() that survives a server which dies meanwhile; NULL then, too. */
Display *x11_connect(void);

/* Handles the events that have arrived. False with "display_lost" when the connection broke. */
bool x11_pump(struct x11_desktop *desktop, struct error *err);

/* Sends what is buffered and waits for events, or until `until` of deadline_now() (0: only the
 * deadline), and handles them. */
bool x11_wait(struct x11_desktop *desktop, struct deadline *deadline, uint64_t until,
              struct error *err);

/* Every operation's first line: is it still wanted, is the connection alive; handles events. */
bool x11_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);

bool x11_lost(struct x11_desktop *desktop, struct error *err); /* "display_lost"; false */

/* X errors of this thread since x11_trap(): 0 or the last one's code. */
void x11_trap(struct x11_desktop *desktop);
int x11_trapped(struct x11_desktop *desktop);

/* The server's clock, as ICCCM wants it for selections. */
bool x11_time(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);

/* A client message about a window, to the root window, where window managers listen. */
void x11_tell_manager(struct x11_desktop *desktop, Window window, Atom type, const long data[5]);

/* Waits until the window manager has handled all it was told so far. False in *managed when
 * none runs, or it cannot say. */
bool x11_manager_barrier(struct x11_desktop *desktop, struct deadline *deadline, bool *managed,
                         struct error *err);

/* --- focus.c ---------------------------------------------------------------------- */

/* The managed window whose keys go to it or to a window of its application; None: none has. */
Window x11_focused(struct x11_desktop *desktop);
/* The window that keys go to, also one that nobody manages; None: nobody, or the manager itself. */
Window x11_receiver(struct x11_desktop *desktop);
/* Waits a moment for a receiver; false with "no_focus". */
bool x11_await_receiver(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);
/* The base of the ids of the client that made the window. */
uint32_t x11_client_of(struct x11_desktop *desktop, Window window);

/* --- property.c ------------------------------------------------------------------- */

xcb_get_property_cookie_t x11_ask(struct x11_desktop *desktop, Window window, Atom property,
                                  uint32_t longs);
/* Each takes the answer and frees it. */
size_t x11_answer_longs(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                        uint32_t *out, size_t max);
/* Text as valid UTF-8 in at most `max` bytes; NULL when there is none. The caller frees. */
char *x11_answer_text(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie, size_t max,
                      bool *cut);
/* All of a property of 32-bit items; the caller frees. NULL and 0 when there is none. */
uint32_t *x11_read_longs(struct x11_desktop *desktop, Window window, Atom property, size_t *count);
bool x11_has_atom(struct x11_desktop *desktop, Window window, Atom property, Atom wanted);
uint32_t x11_read_long(struct x11_desktop *desktop, Window window, Atom property); /* or 0 */
bool x11_supports(struct x11_desktop *desktop, Atom what); /* the window manager does */

/* --- the capabilities ------------------------------------------------------------- */

void x11_find_origin(struct x11_desktop *desktop);
struct point x11_to_root(struct x11_desktop *desktop, struct point at);
struct point x11_from_root(struct x11_desktop *desktop, double x, double y);

bool x11_window_info(struct x11_desktop *desktop, const struct window_ref *ref,
                     struct window_info *out, struct error *err);
bool x11_window_list(struct x11_desktop *desktop, const struct window_query *query,
                     struct window_list *out, struct error *err);
bool x11_window_act(struct x11_desktop *desktop, struct deadline *deadline,
                    const struct window_ref *ref, const struct window_change *change,
                    struct window_outcome *out, struct error *err);

/* Events; true when it was theirs. */
void x11_input_event(struct x11_desktop *desktop, XEvent *event);
void x11_clipboard_event(struct x11_desktop *desktop, XEvent *event);
/* What is due between operations. */
void x11_clipboard_idle(struct x11_desktop *desktop);

/* keeper.c. What it owns of the clipboard is served by a process of its own from now on, until
 * somebody else copies something; this connection is dead then. */
void x11_leave_clipboard(struct x11_desktop *desktop);

void x11_input_free(struct x11_desktop *desktop);
void x11_clipboard_free(struct x11_desktop *desktop);
void x11_capture_free(struct x11_desktop *desktop);

/* frame.c. The ancestor that stands on the root window: the frame, if there is one. */
Window x11_outermost(struct x11_desktop *desktop, Window window);
/* Whether the frame is smaller than its window, as in an animation: places say nothing then. */
bool x11_is_folded(struct x11_desktop *desktop, const struct window_info *info);

/* covered.c, cursor.c. Whether the server lacks a part of the window's picture until it is
 * redirected and painted anew; `outer` stands on the root window, the area in its pixels. */
bool x11_is_covered(struct x11_desktop *desktop, Window outer, int x, int y, int width, int height);
uint64_t x11_image_sum(const struct image *image); /* changes when a pixel does */
void x11_draw_cursor(struct x11_desktop *desktop, struct picture *out);

extern const struct app_ops x11_app_ops;
extern const struct window_ops x11_window_ops;
extern const struct display_ops x11_display_ops;
extern const struct input_ops x11_input_ops;
extern const struct clipboard_ops x11_clipboard_ops;
extern const struct capture_ops x11_capture_ops;

extern const struct platform_ops perigee_x11;

#endif
