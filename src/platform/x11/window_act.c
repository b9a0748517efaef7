/* Acting on a window: tell the window manager, then watch what it does.
 *
 * Every event of the window makes us look again; nothing sleeps. When the manager has
 * handled the message (x11_manager_barrier) and the window is not as asked, a short while is
 * left for the application, and then the difference is reported as it is. */
#include <math.h>
#include <stdio.h>

#include "platform/x11/connection.h"
#include "platform/x11/displays.h"
#include "platform/x11/property.h"
#include "platform/x11/windows.h"

enum { WAIT_MS = 2000, AFTER_MANAGER_MS = 400 };

/* Bits of _NET_MOVERESIZE_WINDOW. */
enum {
    MOVERESIZE_GRAVITY_NORTH_WEST = 1,
    MOVERESIZE_X = 1 << 8,
    MOVERESIZE_Y = 1 << 9,
    MOVERESIZE_WIDTH = 1 << 10,
    MOVERESIZE_HEIGHT = 1 << 11,
    MOVERESIZE_FROM_TOOL = 2 << 12
};

struct act {
    struct x11_desktop *desktop;
    struct deadline *deadline;
    const struct window_change *change;
    struct window_info before, now;
    bool gone;
};

static Window window_of(const struct act *act)
{
    return (Window)act->before.ref.id;
}

/* --- telling ---------------------------------------------------------------------- */

static bool lacks_manager(struct x11_desktop *desktop, enum window_verb verb, struct error *err)
{
    if (x11_read_long(desktop, desktop->root, A(_NET_SUPPORTING_WM_CHECK)))
        return false;
    error_set(err, "not_supported",
              "\"%s\" needs a window manager, and none is running on this display. Start one, for "
              "example openbox",
              window_verb_name(verb));
    return true;
}

static void tell_state(struct act *act, bool add, Atom first, Atom second)
{
    struct x11_desktop *desktop = act->desktop;
    const long data[5] = { add ? 1 : 0, (long)first, (long)second, 2, 0 };

    x11_tell_manager(desktop, window_of(act), A(_NET_WM_STATE), data);
}

static void tell_active(struct act *act)
{
    struct x11_desktop *desktop = act->desktop;
    const long data[5] = { 2, (long)desktop->time, 0, 0, 0 };

    x11_tell_manager(desktop, window_of(act), A(_NET_ACTIVE_WINDOW), data);
}

/* The message's place is the frame's corner, its size the window's own, shadow included. */
static void tell_place(struct act *act, bool move, bool resize)
{
    struct x11_desktop *desktop = act->desktop;
    const struct rect *frame = &act->before.frame, *content = &act->before.content;
    struct point at = x11_to_root(desktop, (struct point){ act->change->to.x, act->change->to.y });
    uint32_t shadow[4] = { 0 };
    long data[5] = { MOVERESIZE_GRAVITY_NORTH_WEST | MOVERESIZE_FROM_TOOL, 0, 0, 0, 0 };

    x11_answer_longs(desktop, x11_ask(desktop, window_of(act), A(_GTK_FRAME_EXTENTS), 4), shadow,
                     4);
    if (move) {
        data[0] |= MOVERESIZE_X | MOVERESIZE_Y;
        data[1] = lround(at.x) - (long)shadow[0];
        data[2] = lround(at.y) - (long)shadow[2];
    }
    if (resize) {
        data[0] |= MOVERESIZE_WIDTH | MOVERESIZE_HEIGHT;
        data[3] = lround(act->change->to.width - (frame->width - content->width)) +
                  (long)(shadow[0] + shadow[1]);
        data[4] = lround(act->change->to.height - (frame->height - content->height)) +
                  (long)(shadow[2] + shadow[3]);
        data[3] = data[3] < 1 ? 1 : data[3];
        data[4] = data[4] < 1 ? 1 : data[4];
    }
    x11_tell_manager(desktop, window_of(act), A(_NET_MOVERESIZE_WINDOW), data);
}

static void tell_restore(struct act *act)
{
    struct x11_desktop *desktop = act->desktop;

    if (act->before.state & WINDOW_MINIMIZED)
        tell_active(act);
    else if (act->before.state & WINDOW_FULLSCREEN)
        tell_state(act, false, A(_NET_WM_STATE_FULLSCREEN), None);
    else
        tell_state(act, false, A(_NET_WM_STATE_MAXIMIZED_VERT), A(_NET_WM_STATE_MAXIMIZED_HORZ));
}

/* Without a window manager, what the X server itself can do. */
static bool do_bare(struct act *act, struct error *err)
{
    Display *display = act->desktop->display;
    struct point at =
        x11_to_root(act->desktop, (struct point){ act->change->to.x, act->change->to.y });
    unsigned width = (unsigned)fmax(1, act->change->to.width);
    unsigned height = (unsigned)fmax(1, act->change->to.height);

    switch (act->change->verb) {
    case WINDOW_FOCUS:
        XRaiseWindow(display, window_of(act));
        XSetInputFocus(display, window_of(act), RevertToParent, CurrentTime);
        return true;
    case WINDOW_MOVE:
        XMoveWindow(display, window_of(act), (int)at.x, (int)at.y);
        return true;
    case WINDOW_RESIZE:
        XResizeWindow(display, window_of(act), width, height);
        return true;
    case WINDOW_PLACE:
        XMoveResizeWindow(display, window_of(act), (int)at.x, (int)at.y, width, height);
        return true;
    default:
        return !lacks_manager(act->desktop, act->change->verb, err);
    }
}

static bool tell(struct act *act, struct error *err)
{
    struct x11_desktop *desktop = act->desktop;
    const long close_data[5] = { 0, 2, 0, 0, 0 };

    if (lacks_manager(desktop, act->change->verb, NULL))
        return do_bare(act, err);
    switch (act->change->verb) {
    case WINDOW_FOCUS:
        tell_active(act);
        break;
    case WINDOW_MOVE:
    case WINDOW_RESIZE:
    case WINDOW_PLACE:
        tell_place(act, act->change->verb != WINDOW_RESIZE, act->change->verb != WINDOW_MOVE);
        break;
    case WINDOW_MINIMIZE:
        XIconifyWindow(desktop->display, window_of(act), desktop->screen);
        break;
    case WINDOW_RESTORE:
        tell_restore(act);
        break;
    case WINDOW_MAXIMIZE:
        tell_state(act, true, A(_NET_WM_STATE_MAXIMIZED_VERT), A(_NET_WM_STATE_MAXIMIZED_HORZ));
        break;
    case WINDOW_SET_FULLSCREEN:
        tell_state(act, true, A(_NET_WM_STATE_FULLSCREEN), None);
        break;
    case WINDOW_CLOSE:
        x11_tell_manager(desktop, window_of(act), A(_NET_CLOSE_WINDOW), close_data);
        break;
    }
    return true;
}

/* --- watching --------------------------------------------------------------------- */

static bool same_place(const struct act *act)
{
    return act->now.frame.x == round(act->change->to.x) &&
           act->now.frame.y == round(act->change->to.y);
}

static bool same_size(const struct act *act)
{
    return act->now.frame.width == round(act->change->to.width) &&
           act->now.frame.height == round(act->change->to.height);
}

static bool is_done(const struct act *act)
{
    switch (act->change->verb) {
    case WINDOW_FOCUS:
        return act->now.focused && !(act->now.state & WINDOW_MINIMIZED);
    case WINDOW_MOVE:
        return same_place(act);
    case WINDOW_RESIZE:
        return same_size(act);
    case WINDOW_PLACE:
        return same_place(act) && same_size(act);
    case WINDOW_MINIMIZE:
        return (act->now.state & WINDOW_MINIMIZED) && !act->now.focused;
    case WINDOW_RESTORE:
        if (act->before.state & WINDOW_MINIMIZED)
            return !(act->now.state & WINDOW_MINIMIZED) && act->now.on_screen;
        return !(act->now.state & (act->before.state & (WINDOW_FULLSCREEN | WINDOW_MAXIMIZED)));
    case WINDOW_MAXIMIZE:
        return (act->now.state & WINDOW_MAXIMIZED) != 0;
    case WINDOW_SET_FULLSCREEN:
        return (act->now.state & WINDOW_FULLSCREEN) != 0;
    case WINDOW_CLOSE:
        return act->gone;
    }
    return false;
}

/* False when the connection broke; a window that is gone is an answer. */
static bool look_again(struct act *act, struct error *err)
{
    struct window_info now;
    struct error why;

    if (!x11_window_info(act->desktop, &act->before.ref, &now, &why)) {
        act->gone = strcmp(why.code, "window_not_found") == 0;
        if (!act->gone && err)
            *err = why;
        return act->gone;
    }
    window_info_free(&act->now);
    act->now = now;
    return true;
}

/* Minimizing and its opposite have a tail: the keyboard comes, an animation ends. */
static bool has_tail(const struct act *act)
{
    enum window_verb verb = act->change->verb;

    return verb == WINDOW_MINIMIZE || ((verb == WINDOW_RESTORE || verb == WINDOW_FOCUS) &&
                                       (act->before.state & WINDOW_MINIMIZED));
}

/* Missing it is no failure. */
static bool tail_is_over(const struct act *act)
{
    return (act->change->verb == WINDOW_MINIMIZE || act->now.focused) &&
           !x11_is_folded(act->desktop, &act->now);
}

/* What is reported is to stay so: the last look is after the tail. */
static bool watch_tail(struct act *act, uint64_t until, struct error *err)
{
    while (!act->gone && !tail_is_over(act) && deadline_now() < until) {
        if (!x11_wait(act->desktop, act->deadline, until, err) || !look_again(act, err))
            return false;
    }
    return act->gone || look_again(act, err);
}

/* Waits for the effect until the time is up; "timeout" of the deadline itself is a result too. */
static bool watch(struct act *act, uint64_t until, struct error *err)
{
    for (;;) {
        if (!look_again(act, err))
            return false;
        if (act->gone || is_done(act) || deadline_now() >= until)
            return true;
        if (!x11_wait(act->desktop, act->deadline, until, err))
            return false;
    }
}

static uint64_t wait_until(const struct act *act)
{
    uint64_t ms = act->change->wait_ms ? act->change->wait_ms : WAIT_MS;
    uint64_t left = deadline_left(act->deadline);

    if (left != UINT64_MAX && ms + 100 > left) /* time to tell what was seen */
        ms = left > 100 ? left - 100 : 0;
    return deadline_now() + ms;
}

static bool perform(struct act *act, struct error *err)
{
    uint64_t until = wait_until(act), last = until, soon;
    bool managed;

    x11_trap(act->desktop);
    XSelectInput(act->desktop->display, window_of(act), StructureNotifyMask | PropertyChangeMask);
    if (act->change->verb == WINDOW_FOCUS && !x11_time(act->desktop, act->deadline, err))
        return false;
    if (!tell(act, err) || !x11_manager_barrier(act->desktop, act->deadline, &managed, err))
        return false;
    soon = deadline_now() + AFTER_MANAGER_MS;
    if (managed && act->change->verb != WINDOW_CLOSE && soon < until)
        until = soon;
    if (!watch(act, until, err))
        return false;
    soon = deadline_now() + AFTER_MANAGER_MS;
    if (is_done(act) && has_tail(act) && !watch_tail(act, soon < last ? soon : last, err))
        return false;
    if (!act->gone)
        XSelectInput(act->desktop->display, window_of(act), NoEventMask);
    return true;
}

/* --- telling what was seen -------------------------------------------------------- */

static void note_sizes(const struct act *act, struct window_outcome *out)
{
    const struct rect *now = &act->now.frame, *to = &act->change->to;
    const char *why = act->now.state & (WINDOW_MAXIMIZED | WINDOW_FULLSCREEN)
                          ? "it is maximized or full screen. Restore it first"
                          : "the window manager or the application does not allow it";

    if (act->change->verb == WINDOW_MOVE)
        snprintf(out->note, sizeof out->note,
                 "the window is at %.0f, %.0f instead of %.0f, %.0f: %s", now->x, now->y, to->x,
                 to->y, why);
    else
        snprintf(out->note, sizeof out->note,
                 "the window is %.0f x %.0f at %.0f, %.0f instead of %.0f x %.0f: %s", now->width,
                 now->height, now->x, now->y, to->width, to->height, why);
}

/* A dialog of the window, or of its application, that came up. */
static void note_close(const struct act *act, struct window_outcome *out)
{
    struct window_query query = { .pid = act->before.ref.pid };
    struct window_list list = { 0 };

    snprintf(out->note, sizeof out->note,
             "the window is still open: its application did not close it and may hang");
    if (!query.pid || !x11_window_list(act->desktop, &query, &list, NULL))
        return;
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].kind == WINDOW_DIALOG && list.items[i].ref.id != act->before.ref.id) {
            snprintf(out->note, sizeof out->note,
                     "the window is still open: its application shows the dialog \"%.100s\" first",
                     list.items[i].title);
            break;
        }
    }
    window_list_free(&list);
}

static void note_focus(const struct act *act, struct window_outcome *out)
{
    struct x11_desktop *desktop = act->desktop;
    struct window_ref ref = { .id = x11_read_long(desktop, desktop->root, A(_NET_ACTIVE_WINDOW)) };
    struct window_info other;

    if (ref.id && x11_window_info(desktop, &ref, &other, NULL)) {
        snprintf(out->note, sizeof out->note,
                 "the window manager left the focus with \"%.100s\" (%s)", other.title, other.app);
        window_info_free(&other);
    } else {
        snprintf(out->note, sizeof out->note, "the window manager did not focus any window");
    }
}

static void make_note(const struct act *act, struct window_outcome *out)
{
    switch (act->change->verb) {
    case WINDOW_MOVE:
    case WINDOW_RESIZE:
    case WINDOW_PLACE:
        note_sizes(act, out);
        break;
    case WINDOW_CLOSE:
        note_close(act, out);
        break;
    case WINDOW_FOCUS:
        note_focus(act, out);
        break;
    default:
        snprintf(out->note, sizeof out->note,
                 "the window manager did not apply \"%s\" to this window and may not allow it",
                 window_verb_name(act->change->verb));
    }
}

bool x11_window_act(struct x11_desktop *desktop, struct deadline *deadline,
                    const struct window_ref *ref, const struct window_change *change,
                    struct window_outcome *out, struct error *err)
{
    struct act act = { .desktop = desktop, .deadline = deadline, .change = change };
    bool ok;

    if (!x11_window_info(desktop, ref, &act.before, err))
        return false;
    ok = perform(&act, err);
    out->before = act.before.frame;
    out->gone = act.gone;
    if (ok && !act.gone) {
        out->after = act.now.frame;
        out->state = act.now.state;
        out->focused = act.now.focused;
    }
    out->done = ok && is_done(&act);
    if (ok && act.gone && !out->done)
        ok = error_set(err, "window_not_found", "the window closed during the call");
    else if (ok && !out->done)
        make_note(&act, out);
    window_info_free(&act.before);
    window_info_free(&act.now);
    return ok;
}
