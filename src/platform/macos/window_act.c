/* Acts on windows through AX, and looks for the effect.
 *
 * AX says that an application took the request, not that it acted: the effect is looked for until
 * it is there or the time for it is over. */
#include <stdio.h>

#include "platform/macos/front.h"
#include "platform/macos/system/cf.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/system/process.h"
#include "platform/macos/windows.h"
#include "platform/macos/zoom.h"

enum { EFFECT_MS = 2000, ACT_LOOK_MS = 20 };

struct act {
    struct error *err;
    bool ok; /* the application has taken it */
    struct macos_desktop *desktop;
    struct deadline *deadline;
    const struct window_ref *ref;
    const struct window_change *change;
    struct window_info before;
    AXUIElementRef element;
    struct rect target; /* frame for maximize, and for the way back */
    struct front front; /* for focus */
};

/* --- asking ------------------------------------------------------------------------ */

static bool set_window_flag(struct act *act, CFStringRef attribute, bool on, struct error *err)
{
    return ax_set(act->element, attribute, on ? kCFBooleanTrue : kCFBooleanFalse, err);
}

static bool focus_window(struct act *act, struct error *err)
{
    if ((act->before.state & WINDOW_MINIMIZED) &&
        !set_window_flag(act, kAXMinimizedAttribute, false, err))
        return false;
    if (!ax_perform(act->element, kAXRaiseAction, err))
        return false;
    ax_set(act->element, kAXMainAttribute, kCFBooleanTrue, NULL); /* not all have it */
    if (!process_started(act->ref->pid))
        return error_set(err, "window_not_found", "process %d has exited. List the windows again",
                         act->ref->pid);
    front_begin(&act->front, act->ref->pid);
    return true;
}

static bool place_window(struct act *act, const struct rect *to, struct error *err)
{
    CGSize size = CGSizeMake(to->width, to->height);

    /* Sets the size twice: a screen's edge may cut it before the move. */
    return ax_resize(act->element, size, err) &&
           ax_move(act->element, CGPointMake(to->x, to->y), err) &&
           ax_resize(act->element, size, err);
}

static bool maximize_window(struct act *act, struct error *err)
{
    if (act->before.state & WINDOW_MAXIMIZED)
        return true;
    zoom_remember(act->ref->id, &act->before.frame);
    act->target = rect_of_cg(zoom_area(&act->before.frame));
    return place_window(act, &act->target, err);
}

static bool restore_window(struct act *act, struct error *err)
{
    if (act->before.state & WINDOW_MINIMIZED)
        return set_window_flag(act, kAXMinimizedAttribute, false, err);
    if (act->before.state & WINDOW_FULLSCREEN)
        return set_window_flag(act, AX_FULL_SCREEN, false, err);
    if (!(act->before.state & WINDOW_MAXIMIZED))
        return true;
    return zoom_recall(act->ref->id, &act->target)
               ? place_window(act, &act->target, err)
               : error_set(err, "not_supported",
                           "the window fills its display but was not maximized by Perigee, so its "
                           "earlier size is unknown. Resize it instead");
}

static bool press_close(struct act *act, struct error *err)
{
    CFTypeRef button = ax_copy(act->element, kAXCloseButtonAttribute, err);
    bool ok = button && ax_perform((AXUIElementRef)button, kAXPressAction, err);

    cf_release(button);
    return ok;
}

static bool ask_for_change(struct act *act, struct error *err)
{
    const struct rect *to = &act->change->to;

    switch (act->change->verb) {
    case WINDOW_FOCUS:
        return focus_window(act, err);
    case WINDOW_MOVE:
        return ax_move(act->element, CGPointMake(to->x, to->y), err);
    case WINDOW_RESIZE:
        return ax_resize(act->element, CGSizeMake(to->width, to->height), err);
    case WINDOW_PLACE:
        return place_window(act, to, err);
    case WINDOW_MINIMIZE:
        return set_window_flag(act, kAXMinimizedAttribute, true, err);
    case WINDOW_RESTORE:
        return restore_window(act, err);
    case WINDOW_MAXIMIZE:
        return maximize_window(act, err);
    case WINDOW_SET_FULLSCREEN:
        return set_window_flag(act, AX_FULL_SCREEN, true, err);
    case WINDOW_CLOSE:
        return press_close(act, err);
    }
    return false;
}

static void find_and_ask(void *arg)
{
    struct act *act = arg;

    struct ax_windows windows;
    struct ax_window *found = NULL;

    if (ax_windows_read(act->ref->pid, &windows, act->err))
        found = ax_windows_match(&windows, &act->before, act->err);
    if (found) {
        macos_window_add(&act->before, found, true);
        act->element = found->element;
    }
    act->ok = found && ask_for_change(act, act->err);
    ax_windows_free(&windows);
}

/* --- looking ------------------------------------------------------------------------ */

static bool is_placed_right(const struct act *act, const struct rect *is, const struct rect *to)
{
    enum window_verb verb = act->change->verb;

    return (verb == WINDOW_RESIZE || (near(is->x, to->x) && near(is->y, to->y))) &&
           (verb == WINDOW_MOVE || (near(is->width, to->width) && near(is->height, to->height)));
}

static bool has_reached_change(const struct act *act, const struct window_info *now)
{
    unsigned filled = WINDOW_MINIMIZED | WINDOW_FULLSCREEN | WINDOW_MAXIMIZED;

    switch (act->change->verb) {
    case WINDOW_FOCUS:
        return now->focused;
    case WINDOW_MOVE:
    case WINDOW_RESIZE:
    case WINDOW_PLACE:
        return is_placed_right(act, &now->frame, &act->change->to);
    case WINDOW_MINIMIZE:
        return now->state & WINDOW_MINIMIZED;
    case WINDOW_RESTORE: /* from the first of these states that it has */
        if (act->before.state & (WINDOW_MINIMIZED | WINDOW_FULLSCREEN))
            filled &= ~(unsigned)WINDOW_MAXIMIZED;
        return !(now->state & act->before.state & filled);
    case WINDOW_MAXIMIZE:
        return now->state & WINDOW_MAXIMIZED;
    case WINDOW_SET_FULLSCREEN:
        return now->state & WINDOW_FULLSCREEN;
    case WINDOW_CLOSE:
        return false;
    }
    return false;
}

static void take_outcome(const struct window_info *now, struct window_outcome *out)
{
    out->after = now->frame;
    out->state = now->state;
    out->focused = now->focused;
}

static void note_refusal(const struct act *act, struct window_outcome *out)
{
    const struct rect *is = &out->after;

    if (act->change->verb == WINDOW_CLOSE)
        snprintf(out->note, sizeof out->note,
                 "the window is still open; its application may be showing a dialog first");
    else if (act->change->verb == WINDOW_FOCUS)
        snprintf(out->note, sizeof out->note,
                 "the window was raised but does not have keyboard focus: macOS let the active "
                 "application keep it, or a dialog has it");
    else
        snprintf(out->note, sizeof out->note,
                 "the application did only part of it: the window is at %.0f, %.0f with %.0f x "
                 "%.0f points",
                 is->x, is->y, is->width, is->height);
}

/* Watches for the effect. False only for an error that ends the call; a window that is gone is an
 * outcome. */
static bool watch_effect(struct act *act, struct window_outcome *out, struct error *err)
{
    uint64_t until = deadline_now() + (act->change->wait_ms ? act->change->wait_ms : EFFECT_MS);
    struct error gone = { "", "" };

    for (;;) {
        struct window_info now;

        if (!macos_window_get(act->desktop, act->deadline, act->ref, &now, &gone)) {
            if (strcmp(gone.code, "window_not_found") != 0) {
                if (err)
                    *err = gone;
                return false;
            }
            out->gone = true;
            out->after = (struct rect){ 0 };
            out->done = act->change->verb == WINDOW_CLOSE;
            if (!out->done)
                snprintf(out->note, sizeof out->note, "the window closed during the call");
            return true;
        }
        take_outcome(&now, out);
        out->done = has_reached_change(act, &now);
        window_info_free(&now);
        if (out->done)
            return true;
        if (act->change->verb == WINDOW_FOCUS)
            front_insist(&act->front);
        if (deadline_now() >= until) {
            note_refusal(act, out);
            return true;
        }
        if (!deadline_wait(act->deadline, -1, deadline_now() + ACT_LOOK_MS, err))
            return false;
    }
}

bool macos_window_act(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, const struct window_change *change,
                      struct window_outcome *out, struct error *err)
{
    struct act act = {
        .err = err, .desktop = desktop, .deadline = deadline, .ref = ref, .change = change
    };
    bool ok;

    *out = (struct window_outcome){ 0 };
    if (!permission_granted(PERMISSION_ACCESSIBILITY, err) ||
        !macos_window_look(desktop, deadline, ref, &act.before, err))
        return false;
    out->before = act.before.frame;
    ax_do(find_and_ask, &act);
    ok = act.ok && watch_effect(&act, out, err);
    window_info_free(&act.before);
    return ok;
}
