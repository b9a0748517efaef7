/* The pointer: moves, buttons, drags, wheels. */
#include <math.h>
#include <stdlib.h>

#include "platform/x11/input/input.h"
#include "platform/x11/input/judged.h"
#include "platform/x11/windows/popup.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

enum {
    STEP_MS = 8,     /* one step of a move that takes time */
    CLICK_MS = 20,   /* between two clicks: Chromium takes closer ones for one */
    DRAG_MS = 100,   /* a drag that names no duration: applications begin one after some moves */
    DROP_MS = 100,   /* before the release: the window below has said if it takes a drop */
    MOVED_MS = 500,  /* for an application to take the moves of a drag */
    ARRIVE_MS = 300, /* for the server to move the pointer: a window manager may hold events back */
    TOOLTIP_MS = 1000, /* for an application to end a tooltip: Qt takes 300 ms */
    MAYBE_MS = 200,    /* the same for GTK 4, at once, of what may be another popup */
    LOOK_MS = 5
};

static const unsigned button_of[] = { [BUTTON_LEFT] = 1,
                                      [BUTTON_MIDDLE] = 2,
                                      [BUTTON_RIGHT] = 3,
                                      [BUTTON_BACK] = 8,
                                      [BUTTON_FORWARD] = 9 };

static bool check_point(struct x11_desktop *desktop, struct point at, struct error *err)
{
    struct point root = x11_to_root(desktop, at);
    int width = DisplayWidth(desktop->display, desktop->screen);
    int height = DisplayHeight(desktop->display, desktop->screen);

    if (root.x >= 0 && root.y >= 0 && root.x < width && root.y < height)
        return true;
    return error_set(err, "bad_point",
                     "%.0f, %.0f is outside all displays. Use a point from %d, %d to %d, %d", at.x,
                     at.y, -desktop->origin_x, -desktop->origin_y, width - desktop->origin_x - 1,
                     height - desktop->origin_y - 1);
}

static void move(struct x11_desktop *desktop, struct point at)
{
    struct point root = x11_to_root(desktop, at);

    desktop->input->aim = (struct point){ floor(root.x), floor(root.y) };
    desktop->input->aimed = true;
    x11_motion(desktop, desktop->input->aim);
}

/* Moves in a straight line, in steps of STEP_MS. */
static bool glide(struct x11_desktop *desktop, struct deadline *deadline, struct point from,
                  struct point to, uint64_t ms, struct error *err)
{
    uint64_t started = deadline_now();
    int steps = (int)(ms / STEP_MS) + 1;

    for (int i = 1; i <= steps; i++) {
        double part = (double)i / steps;

        move(desktop,
             (struct point){ from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part });
        uint64_t due = started + (uint64_t)(part * (double)ms), now = deadline_now();
        if (due > now ? !x11_pause(desktop, deadline, due - now, err)
                      : !x11_step(desktop, deadline, err))
            return false;
    }
    return true;
}

static Window find_under_pointer(struct x11_desktop *desktop)
{
    xcb_query_pointer_reply_t *reply = xcb_query_pointer_reply(
        desktop->xcb, xcb_query_pointer(desktop->xcb, (xcb_window_t)desktop->root), NULL);
    Window under = reply ? reply->child : None;

    free(reply);
    return under;
}

/* Milliseconds that a tooltip under the pointer may take to end; 0: there is none. */
static uint64_t tooltip_time(struct x11_desktop *desktop)
{
    Window under = find_under_pointer(desktop);

    if (!under)
        return 0;
    if (popup_is_tooltip(desktop, under))
        return TOOLTIP_MS;
    return popup_says_menu(desktop, under) && !grab_answer(desktop, grab_ask(desktop)).pointer
               ? MAYBE_MS
               : 0;
}

/* Waits while a tooltip is under the pointer. It is one of what the pointer has left, and ends for
 * that, or by a click, which is lost. One that stays may be what is meant. */
static bool await_tooltip(struct x11_desktop *desktop, struct deadline *deadline, struct error *err)
{
    uint64_t began = deadline_now();

    while (deadline_now() - began < tooltip_time(desktop) && !desktop->dead) {
        if (!x11_wait(desktop, deadline, deadline_now() + LOOK_MS, err))
            return false;
    }
    return true;
}

/* Drags. The window manager's answer to a press may need the pointer to stay, so a drag waits for
 * the server (not for a time) between its parts. */
static bool drag_pointer(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct input *input, struct error *err)
{
    uint64_t ms = input->ms ? input->ms : DRAG_MS;
    double length = 0;
    bool settled;

    if (input->path_count < 2 || input->path_count > INPUT_PATH_MAX)
        return error_set(err, "bad_point", "a drag needs a path of 2 to %d points", INPUT_PATH_MAX);
    for (size_t i = 0; i < input->path_count; i++) {
        if (!check_point(desktop, input->path[i], err))
            return false;
        if (i)
            length += hypot(input->path[i].x - input->path[i - 1].x,
                            input->path[i].y - input->path[i - 1].y);
    }
    move(desktop, input->path[0]);
    if (!await_tooltip(desktop, deadline, err) || !judged_hold_button(desktop, input->judged, err))
        return false;
    x11_button(desktop, button_of[input->button], true);
    judged_let_go(desktop);
    XSync(desktop->display, False);
    for (size_t i = 1; i < input->path_count; i++) {
        struct point from = input->path[i - 1], to = input->path[i];
        double part = hypot(to.x - from.x, to.y - from.y);

        if (!glide(desktop, deadline, from, to,
                   length > 0 ? (uint64_t)((double)ms * part / length) : 0, err))
            return false;
    }
    if (!x11_settle(desktop, deadline, MOVED_MS, &settled, err) ||
        !x11_pause(desktop, deadline, DROP_MS, err))
        return false;
    XSync(desktop->display, False);
    x11_button(desktop, button_of[input->button], false);
    return true;
}

/* Presses a button on the judged window, with modifiers that are pressed before it. With `release`
 * it is up again before another program is served: the server drops the press of a button that is
 * down, so that of two programs which click at the same time one would lose its click. */
static bool press_button(struct x11_desktop *desktop, const struct input *input, unsigned modifiers,
                         bool release, struct error *err)
{
    unsigned button = button_of[input->button];
    bool ok;

    if (!judged_hold_button(desktop, input->judged, err))
        return false;
    ok = x11_modifiers(desktop, modifiers, true, err);
    if (ok)
        x11_button(desktop, button, true);
    if (ok && release)
        x11_button(desktop, button, false);
    judged_let_go(desktop);
    return ok;
}

/* Pauses once the server has done what was sent: applications compare the times at which a busy
 * server comes to it. */
static bool pause_here(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms,
                       struct error *err)
{
    XSync(desktop->display, False);
    return x11_pause(desktop, deadline, ms, err);
}

static bool click(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
                  struct error *err)
{
    for (int i = 0; i < (input->count ? input->count : 1); i++) {
        if (i && !pause_here(desktop, deadline, CLICK_MS, err))
            return false;
        if (!press_button(desktop, input, i ? 0 : input->modifiers, !input->ms, err))
            return i ? judged_sent_in_part(err) : false;
        if (!input->ms)
            continue;
        if (!pause_here(desktop, deadline, input->ms, err))
            return false;
        x11_button(desktop, button_of[input->button], false);
    }
    return true;
}

static void turn_wheel(struct x11_desktop *desktop, double lines, unsigned back, unsigned forth)
{
    long count = lround(fabs(lines));

    for (long i = 0; i < count; i++) {
        x11_button(desktop, lines < 0 ? back : forth, true);
        x11_button(desktop, lines < 0 ? back : forth, false);
    }
}

static bool scroll(struct x11_desktop *desktop, const struct input *input, struct error *err)
{
    double line = input->pixels ? INPUT_LINE_PIXELS : 1;
    double x = input->lines.x / line, y = input->lines.y / line;

    if (!(fabs(x) <= 1000 && fabs(y) <= 1000))
        return error_set(err, "bad_count",
                         "%.0f, %.0f lines are out of range. Use -1000 to 1000 for each", x, y);
    if (!judged_hold_button(desktop, input->judged, err)) /* as for a click */
        return false;
    turn_wheel(desktop, y, 4, 5);
    turn_wheel(desktop, x, 6, 7);
    judged_let_go(desktop);
    return true;
}

static bool go_there(struct x11_desktop *desktop, struct deadline *deadline,
                     const struct input *input, struct error *err)
{
    if (input->here || input->kind == INPUT_DRAG)
        return true;
    if (!check_point(desktop, input->at, err))
        return false;
    if (input->kind == INPUT_MOVE && input->ms)
        return glide(desktop, deadline, x11_pointer_place(desktop), input->at, input->ms, err);
    move(desktop, input->at);
    return input->kind == INPUT_MOVE || await_tooltip(desktop, deadline, err);
}

static bool act_on_pointer(struct x11_desktop *desktop, struct deadline *deadline,
                           const struct input *input, struct input_outcome *out, struct error *err)
{
    switch (input->kind) {
    case INPUT_CLICK:
        return click(desktop, deadline, input, err);
    case INPUT_PRESS:
        return press_button(desktop, input, input->modifiers, false, err);
    case INPUT_RELEASE:
        x11_button(desktop, button_of[input->button], false);
        return true;
    case INPUT_DRAG:
        return drag_pointer(desktop, deadline, input, err);
    case INPUT_SCROLL:
        return scroll(desktop, input, err);
    case INPUT_DROP:
        return x11_drop(desktop, deadline, input, out, err);
    default:
        return true;
    }
}

bool x11_await_pointer(struct x11_desktop *desktop, struct deadline *deadline, struct point *out,
                       struct error *err)
{
    uint64_t until = deadline_now() + ARRIVE_MS;

    for (;;) {
        struct point root;

        *out = x11_pointer_place(desktop);
        root = x11_to_root(desktop, *out);
        if (!desktop->input->aimed || desktop->dead || deadline_now() >= until ||
            (floor(root.x) == desktop->input->aim.x && floor(root.y) == desktop->input->aim.y))
            return true;
        if (!x11_wait(desktop, deadline, deadline_now() + 1, err))
            return false;
    }
}

/* Flushes nothing: the question for the pointer that follows goes out with the input, so that the
 * server answers once. */
bool x11_pointer(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
                 struct input_outcome *out, struct error *err)
{
    bool with_button = input->kind == INPUT_CLICK || input->kind == INPUT_PRESS;

    return go_there(desktop, deadline, input, err) &&
           (with_button || x11_modifiers(desktop, input->modifiers, true, err)) &&
           act_on_pointer(desktop, deadline, input, out, err) &&
           x11_modifiers(desktop, input->modifiers, false, err);
}
