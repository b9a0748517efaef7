/* Acts on a window: asks the window manager, then watches the effect.
 *
 * Every event of the window causes another look; nothing sleeps. When the manager has handled the
 * message (x11_manager_barrier) and the window is not as asked, a short while is left for the
 * application, and then the difference is reported as it is. */
#include <math.h>
#include <stdio.h>

#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/manager.h"
#include "platform/x11/windows/window_facts.h"
#include "platform/x11/windows/window_settle.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"
#include "platform/x11/wire/property.h"

enum {
    WAIT_MS = 2000,
    AFTER_MANAGER_MS = 400, /* for the application, after the manager has handled the request */
};

/* Bits of _NET_MOVERESIZE_WINDOW. */
enum {
    MOVERESIZE_GRAVITY_NORTH_WEST = NorthWestGravity,
    MOVERESIZE_X = 1 << 8,
    MOVERESIZE_Y = 1 << 9,
    MOVERESIZE_WIDTH = 1 << 10,
    MOVERESIZE_HEIGHT = 1 << 11,
    MOVERESIZE_FROM_TOOL = 2 << 12
};

static Window window_of(const struct act *act)
{
    return (Window)act->before.ref.id;
}

/* --- telling ---------------------------------------------------------------------- */

static bool act_lacks(struct act *act, struct error *err)
{
    const char *name = window_verb_name(act->change->verb);

    if (x11_is_managed(act->desktop))
        return error_set(err, "not_supported",
                         "the window manager of this display does not support \"%s\". Move and "
                         "resize the window instead",
                         name);
    return error_set(err, "not_supported",
                     "\"%s\" needs a window manager, and none is running on this display. Start "
                     "one, for example openbox",
                     name);
}

/* False with "not_supported" when the window manager does not know this state. */
static bool tell_state(struct act *act, bool add, Atom first, Atom second, struct error *err)
{
    struct x11_desktop *desktop = act->desktop;
    const long data[5] = { add ? 1 : 0, (long)first, (long)second, 2, 0 };

    if (!x11_supports(desktop, first))
        return act_lacks(act, err);
    x11_tell_manager(desktop, window_of(act), A(_NET_WM_STATE), data);
    return true;
}

/* Raises the window and gives it the focus, which any window manager grants by the rules of X
 * itself, and the server without one. */
static void raise_and_focus(struct act *act)
{
    struct x11_desktop *desktop = act->desktop;

    if (act->before.state & WINDOW_MINIMIZED)
        XMapWindow(desktop->display, window_of(act));
    XRaiseWindow(desktop->display, window_of(act));
    XSetInputFocus(desktop->display, window_of(act), RevertToParent, desktop->time);
}

/* Shows the window's workspace first: of windows elsewhere some managers only say that they ask for
 * attention (openbox, metacity). */
static void tell_active(struct act *act)
{
    struct x11_desktop *desktop = act->desktop;
    const long data[5] = { 2, (long)desktop->time, 0, 0, 0 };
    const long workspace[5] = { act->now.workspace, (long)desktop->time, 0, 0, 0 };

    if ((act->now.state & WINDOW_HIDDEN) && x11_supports(desktop, A(_NET_CURRENT_DESKTOP)))
        x11_tell_manager(desktop, desktop->root, A(_NET_CURRENT_DESKTOP), workspace);
    if (x11_supports(desktop, A(_NET_ACTIVE_WINDOW)))
        x11_tell_manager(desktop, window_of(act), A(_NET_ACTIVE_WINDOW), data);
    else
        raise_and_focus(act);
}

static bool is_static(struct x11_desktop *desktop, Window window)
{
    XSizeHints hints = { 0 };
    long supplied;

    return XGetWMNormalHints(desktop->display, window, &hints, &supplied) &&
           (hints.flags & PWinGravity) && hints.win_gravity == StaticGravity;
}

/* The size of the window itself when its frame shall have this size, shadow included. */
static void own_size(const struct act *act, const uint32_t shadow[4], long *width, long *height)
{
    const struct rect *frame = &act->now.frame, *content = &act->now.content;

    *width =
        lround(act->want.width - (frame->width - content->width)) + (long)(shadow[0] + shadow[1]);
    *height = lround(act->want.height - (frame->height - content->height)) +
              (long)(shadow[2] + shadow[3]);
    *width = *width < 1 ? 1 : *width;
    *height = *height < 1 ? 1 : *height;
}

/* Asks for a place, which is the frame's corner. A manager without the message gets a request to
 * the server, which it handles itself (ICCCM 4.1.5). `by` corrects a manager that has understood it
 * in another way. */
static void tell_place(struct act *act, bool move, bool resize, struct point by)
{
    struct x11_desktop *desktop = act->desktop;
    const struct rect *frame = &act->now.frame, *content = &act->now.content;
    struct point at =
        x11_to_root(desktop, (struct point){ act->want.x + by.x, act->want.y + by.y });
    bool by_message = x11_supports(desktop, A(_NET_MOVERESIZE_WINDOW));
    uint32_t shadow[4];
    long x, y, width, height;

    window_answer_margins(desktop, x11_ask(desktop, window_of(act), A(_GTK_FRAME_EXTENTS), 4),
                          shadow);
    own_size(act, shadow, &width, &height);
    x = lround(at.x) - (long)shadow[0];
    y = lround(at.y) - (long)shadow[2];
    if (!by_message && is_static(desktop, window_of(act))) {
        x += lround(content->x - frame->x);
        y += lround(content->y - frame->y);
    }
    if (by_message) {
        const long data[5] = { MOVERESIZE_GRAVITY_NORTH_WEST | MOVERESIZE_FROM_TOOL |
                                   (move ? MOVERESIZE_X | MOVERESIZE_Y : 0) |
                                   (resize ? MOVERESIZE_WIDTH | MOVERESIZE_HEIGHT : 0),
                               x, y, width, height };

        x11_tell_manager(desktop, window_of(act), A(_NET_MOVERESIZE_WINDOW), data);
    } else {
        XWindowChanges changes = {
            .x = (int)x, .y = (int)y, .width = (int)width, .height = (int)height
        };

        XConfigureWindow(desktop->display, window_of(act),
                         (move ? CWX | CWY : 0u) | (resize ? CWWidth | CWHeight : 0u), &changes);
    }
}

static bool grows_what_it_moves(struct x11_desktop *desktop)
{
    return desktop->growing_manager && desktop->growing_manager == x11_manager(desktop);
}

/* Ends the states in which a window has no place or no size of its own, also in one direction. */
static bool tell_own_place(struct act *act, bool *told, struct error *err)
{
    struct x11_desktop *desktop = act->desktop;
    const Atom states[][2] = {
        { A(_NET_WM_STATE_FULLSCREEN), None },
        { A(_NET_WM_STATE_MAXIMIZED_VERT), A(_NET_WM_STATE_MAXIMIZED_HORZ) },
        { A(_NET_WM_STATE_SHADED), None },
    };

    for (size_t i = 0; i < countof(states); i++) {
        bool has = false;

        for (size_t k = 0; k < 2 && states[i][k]; k++)
            has = has || x11_has_atom(desktop, window_of(act), A(_NET_WM_STATE), states[i][k]);
        if (has && !tell_state(act, false, states[i][0], states[i][1], err))
            return false;
        *told = *told || has;
    }
    return true;
}

static bool tell_restore(struct act *act, struct error *err)
{
    struct x11_desktop *desktop = act->desktop;
    bool told = false;

    if (!(act->before.state & WINDOW_MINIMIZED))
        return tell_own_place(act, &told, err);
    if (x11_supports(desktop, A(_NET_ACTIVE_WINDOW)))
        tell_active(act);
    else
        XMapWindow(desktop->display, window_of(act));
    return true;
}

static bool act_tell(struct act *act, struct error *err)
{
    struct x11_desktop *desktop = act->desktop;
    enum window_verb verb = act->change->verb;

    switch (verb) {
    case WINDOW_FOCUS:
        tell_active(act);
        return true;
    case WINDOW_MOVE:
    case WINDOW_RESIZE:
    case WINDOW_PLACE:
        tell_place(act, verb != WINDOW_RESIZE, verb != WINDOW_MOVE || grows_what_it_moves(desktop),
                   (struct point){ 0, 0 });
        return true;
    case WINDOW_MINIMIZE:
        if (!x11_is_managed(desktop))
            return act_lacks(act, err);
        XIconifyWindow(desktop->display, window_of(act), desktop->screen);
        return true;
    case WINDOW_RESTORE:
        return tell_restore(act, err);
    case WINDOW_MAXIMIZE:
        return tell_state(act, true, A(_NET_WM_STATE_MAXIMIZED_VERT),
                          A(_NET_WM_STATE_MAXIMIZED_HORZ), err);
    case WINDOW_SET_FULLSCREEN:
        return tell_state(act, true, A(_NET_WM_STATE_FULLSCREEN), None, err);
    case WINDOW_CLOSE:
        act->deaf = !x11_ask_to_close(desktop, window_of(act));
        return true;
    }
    return true;
}

/* --- watching --------------------------------------------------------------------- */

static bool same_place(const struct act *act)
{
    return act->now.frame.x == round(act->want.x) && act->now.frame.y == round(act->want.y);
}

static bool same_size(const struct act *act)
{
    return act->now.frame.width == round(act->want.width) &&
           act->now.frame.height == round(act->want.height);
}

static bool is_done(const struct act *act)
{
    switch (act->change->verb) {
    case WINDOW_FOCUS:
        return act->now.focused && !(act->now.state & (WINDOW_MINIMIZED | WINDOW_HIDDEN));
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
        return !(act->now.state & act->before.state &
                 (WINDOW_FULLSCREEN | WINDOW_MAXIMIZED | WINDOW_SHADED));
    case WINDOW_MAXIMIZE:
        return (act->now.state & WINDOW_MAXIMIZED) != 0;
    case WINDOW_SET_FULLSCREEN:
        return (act->now.state & WINDOW_FULLSCREEN) != 0;
    case WINDOW_CLOSE:
        return act->gone;
    }
    return false;
}

bool x11_act_look(struct act *act, struct error *err)
{
    struct window_info now, last = act->now;
    struct error why;

    if (!x11_window_info(act->desktop, &act->before.ref, &now, &why)) {
        act->gone = strcmp(why.code, "window_not_found") == 0;
        if (!act->gone && err)
            *err = why;
        return act->gone;
    }
    act->now = now;
    x11_act_see_shadow(act, &last);
    window_info_free(&last);
    return true;
}

/* True if the action has a tail: after minimizing or its opposite the keyboard comes, an animation
 * ends. */
static bool has_tail(const struct act *act)
{
    enum window_verb verb = act->change->verb;

    return verb == WINDOW_MINIMIZE || ((verb == WINDOW_RESTORE || verb == WINDOW_FOCUS) &&
                                       (act->before.state & WINDOW_MINIMIZED));
}

/* True if the tail is over. A tail that does not end is not a failure. */
static bool tail_is_over(const struct act *act)
{
    return (act->change->verb == WINDOW_MINIMIZE || act->now.focused) &&
           !x11_is_folded(act->desktop, &act->now);
}

/* Looks for the last time after the tail, so that the report stays true. */
static bool watch_tail(struct act *act, uint64_t until, struct error *err)
{
    while (!act->gone && !tail_is_over(act) && deadline_now() < until) {
        if (!x11_wait(act->desktop, act->deadline, until, err) || !x11_act_look(act, err))
            return false;
    }
    return act->gone || x11_act_look(act, err);
}

/* Waits for the effect until the time is up; "timeout" of the deadline itself is a result as
 * well. */
static bool act_watch(struct act *act, uint64_t until, struct error *err)
{
    for (;;) {
        if (!x11_act_look(act, err))
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

    if (left != UINT64_MAX && ms + 100 > left) /* leaves time to report the result */
        ms = left > 100 ? left - 100 : 0;
    return deadline_now() + ms;
}

/* --- all of it ------------------------------------------------------------------------ */

/* Waits for the manager, then for the effect. */
static bool act_follow(struct act *act, uint64_t until, struct error *err)
{
    uint64_t soon;
    bool handled;

    if (!x11_manager_barrier(act->desktop, act->deadline, &handled, err))
        return false;
    soon = deadline_now() + AFTER_MANAGER_MS;
    if (handled && act->change->verb != WINDOW_CLOSE && soon < until)
        until = soon;
    return act_watch(act, until, err);
}

/* Asks again if the manager put the window beside the place, by about a frame's width; asks for the
 * size as well if the manager changed that of a window it only was to move (fluxbox, by its title
 * bar). */
static bool correct(struct act *act, uint64_t until, struct error *err)
{
    enum { FRAME_MAX = 100 };
    const struct rect *now = &act->now.frame, *before = &act->before.frame;
    struct point by = { round(act->want.x) - now->x, round(act->want.y) - now->y };
    bool moves = act->change->verb == WINDOW_MOVE || act->change->verb == WINDOW_PLACE;
    bool grew = act->change->verb == WINDOW_MOVE && !same_size(act);

    if (act->gone || !moves || (same_place(act) && !grew) ||
        (now->x == before->x && now->y == before->y && !grew) || fabs(by.x) > FRAME_MAX ||
        fabs(by.y) > FRAME_MAX || (act->now.state & (WINDOW_MAXIMIZED | WINDOW_FULLSCREEN)))
        return true;
    if (grew)
        act->desktop->growing_manager = x11_manager(act->desktop);
    tell_place(act, true, grew || act->change->verb == WINDOW_PLACE, by);
    return act_follow(act, until, err);
}

/* Lets the server give the keyboard if the manager leaves it where it is. */
static bool insist(struct act *act, uint64_t until, struct error *err)
{
    if (act->gone || act->change->verb != WINDOW_FOCUS || is_done(act) || !act->now.on_screen)
        return true;
    raise_and_focus(act);
    return act_follow(act, until, err);
}

static bool is_placed(const struct act *act)
{
    enum window_verb verb = act->change->verb;

    return verb == WINDOW_MOVE || verb == WINDOW_RESIZE || verb == WINDOW_PLACE;
}

/* Gives a window that is to be moved a place of its own again. A minimized one stays minimized. */
static bool give_own_place(struct act *act, uint64_t until, struct error *err)
{
    static const struct window_change restore = { .verb = WINDOW_RESTORE };
    const struct window_change *change = act->change;
    bool told = false, ok;

    tell_own_place(act, &told, NULL); /* a manager that cannot end a state may still move it */
    if (!told)
        return true;
    act->change = &restore;
    act->before.state &= ~(unsigned)WINDOW_MINIMIZED;
    ok = act_follow(act, until, err) && x11_act_settle(act, until, err);
    act->change = change;
    if (change->verb == WINDOW_MOVE) {
        act->want.width = act->now.frame.width;
        act->want.height = act->now.frame.height;
    }
    return ok;
}

static bool act_perform(struct act *act, struct error *err)
{
    uint64_t until = wait_until(act), soon;

    x11_trap(act->desktop);
    XSelectInput(act->desktop->display, window_of(act), StructureNotifyMask | PropertyChangeMask);
    if (!x11_time(act->desktop, act->deadline, err) || !x11_act_look(act, err))
        return false;
    if (!act->gone && is_placed(act) && !give_own_place(act, until, err))
        return false;
    if (act->gone)
        return true;
    until = wait_until(act);
    if (!act_tell(act, err))
        return false;
    if (!act_follow(act, act->deaf ? deadline_now() : until, err) || !correct(act, until, err) ||
        !insist(act, until, err))
        return false;
    soon = deadline_now() + AFTER_MANAGER_MS;
    if (is_done(act) && has_tail(act) && !watch_tail(act, soon < until ? soon : until, err))
        return false;
    if (!x11_act_settle(act, until, err))
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

/* Names a dialog of the window, or of its application, that came up. */
static void note_close(const struct act *act, struct window_outcome *out)
{
    struct window_query query = { .pid = act->before.ref.pid };
    struct window_list list = { 0 };

    snprintf(out->note, sizeof out->note,
             act->deaf
                 ? "the window cannot be closed by request: its application does not take part "
                   "in it (WM_DELETE_WINDOW). To end the application, quit it by force"
                 : "the window is still open: its application did not close it and may hang");
    if (act->deaf)
        return;
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
    struct window_ref ref = { .id = x11_receiver(act->desktop) };
    struct window_info other;

    if (ref.id && x11_window_info(act->desktop, &ref, &other, NULL)) {
        snprintf(out->note, sizeof out->note,
                 "the window manager left the focus with \"%.100s\" (%.60s)", other.title,
                 other.app);
        window_info_free(&other);
    } else {
        snprintf(out->note, sizeof out->note, "the window manager did not focus any window");
    }
}

static void note_silence(const struct act *act, struct window_outcome *out)
{
    const struct rect *now = &act->now.frame;

    snprintf(out->note, sizeof out->note,
             "its application %s, so its size is not final: it is %.0f x %.0f now",
             act->busy ? "is still at work" : "does not respond", now->width, now->height);
}

static void make_note(const struct act *act, struct window_outcome *out)
{
    if (act->silent) {
        note_silence(act, out);
        return;
    }
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
    act.want = change->to;
    if (change->verb == WINDOW_MOVE) {
        act.want.width = act.before.frame.width;
        act.want.height = act.before.frame.height;
    }
    ok = act_perform(&act, err);
    out->before = act.before.frame;
    out->gone = act.gone;
    if (ok && !act.gone) {
        out->after = act.now.frame;
        out->state = act.now.state;
        out->focused = act.now.focused;
    }
    out->silent = act.silent;
    out->done = ok && is_done(&act) && !act.silent;
    if (ok && act.gone && !out->done)
        ok = error_set(err, "window_not_found", "the window closed during the call");
    else if (ok && !out->done)
        make_note(&act, out);
    window_info_free(&act.before);
    window_info_free(&act.now);
    return ok;
}
