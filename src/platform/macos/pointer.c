/* Clicks, drags and scrolling. */
#include <math.h>

#include "platform/macos/input.h"

enum {
    STEP_MS = 8,      /* between two moves */
    SCROLL_MOST = 10, /* lines an event */
    ARRIVE_MS = 200,  /* for a move to take effect */
    ARRIVE_LOOK_MS = 2,
};

static bool is_on_display(struct point at)
{
    CGDirectDisplayID id;
    uint32_t count = 0;

    return isfinite(at.x) && isfinite(at.y) &&
           CGGetDisplaysWithPoint(CGPointMake(at.x, at.y), 1, &id, &count) == kCGErrorSuccess &&
           count > 0;
}

static bool check_point(struct point at, struct error *err)
{
    return is_on_display(at) ||
           error_set(err, "bad_point",
                     "%.0f, %.0f is outside all displays. Call list_displays to "
                     "get their bounds",
                     at.x, at.y);
}

static bool pause_pointer(struct deadline *deadline, uint64_t ms, struct error *err)
{
    return ms ? deadline_wait(deadline, -1, deadline_now() + ms, err) : deadline_ok(deadline, err);
}

/* Moves in steps of STEP_MS over ms; at least `least` of them. */
static bool glide_pointer(struct macos_input *input, struct deadline *deadline, struct point to,
                          uint64_t ms, int least, struct error *err)
{
    CGPoint from = input->pointer;
    int steps = (int)(ms / STEP_MS) > least ? (int)(ms / STEP_MS) : least;

    for (int i = 1; i <= steps; i++) {
        double part = (double)i / steps;

        input_pointer(
            input, CGPointMake(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part));
        if (!pause_pointer(deadline, ms / (uint64_t)steps, err))
            return false;
    }
    return true;
}

static bool go_to_place(struct macos_input *input, struct deadline *deadline,
                        const struct input *what, struct error *err)
{
    if (what->here)
        return true;
    return check_point(what->at, err) &&
           glide_pointer(input, deadline, what->at, what->kind == INPUT_MOVE ? what->ms : 0, 1,
                         err);
}

static bool click_button(struct macos_input *input, struct deadline *deadline,
                         const struct input *what, struct error *err)
{
    int count = what->count ? what->count : 1;

    for (int i = 1; i <= count; i++) {
        input_button(input, what->button, true, i);
        if (!pause_pointer(deadline, what->ms, err))
            return false;
        input_button(input, what->button, false, i);
        if (!deadline_ok(deadline, err))
            return false;
    }
    return true;
}

/* Drags. Applications begin a drag only after they have seen moves, so each leg has several. */
static bool drag_pointer(struct macos_input *input, struct deadline *deadline,
                         const struct input *what, struct error *err)
{
    enum { LEAST = 4 };
    uint64_t leg;

    if (what->path_count < 2 || what->path_count > INPUT_PATH_MAX)
        return error_set(err, "bad_point", "a drag needs a path of 2 to %d points", INPUT_PATH_MAX);
    for (size_t i = 0; i < what->path_count; i++) {
        if (!check_point(what->path[i], err))
            return false;
    }
    leg = what->ms / (what->path_count - 1);
    if (!glide_pointer(input, deadline, what->path[0], 0, 1, err))
        return false;
    input_button(input, what->button, true, 1);
    for (size_t i = 1; i < what->path_count; i++) {
        if (!glide_pointer(input, deadline, what->path[i], leg, LEAST, err))
            return false;
    }
    input_button(input, what->button, false, 1);
    return true;
}

/* Waits for the pointer: a move that was posted takes effect a little later. */
static bool await_pointer(struct macos_input *input, struct deadline *deadline, struct error *err)
{
    uint64_t until = deadline_now() + ARRIVE_MS;

    while (deadline_now() < until) {
        CGPoint now = input_pointer_now();

        if (near(now.x, input->pointer.x) && near(now.y, input->pointer.y))
            return true;
        if (!pause_pointer(deadline, ARRIVE_LOOK_MS, err))
            return false;
    }
    return true;
}

/* Scrolls. Up and left are positive here; an event has a few lines, as a wheel's does. It has a
 * place of its own: that of the pointer when it was made, which may not be there yet. */
static bool scroll_wheel(struct macos_input *input, struct deadline *deadline,
                         const struct input *what, struct error *err)
{
    CGScrollEventUnit unit = what->pixels ? kCGScrollEventUnitPixel : kCGScrollEventUnitLine;
    double most = what->pixels ? SCROLL_MOST * INPUT_LINE_PIXELS : SCROLL_MOST;
    double down = what->lines.y, right = what->lines.x;

    while (fabs(down) >= 0.5 || fabs(right) >= 0.5) {
        double y = fmax(-most, fmin(most, down));
        double x = fmax(-most, fmin(most, right));
        CGEventRef event = CGEventCreateScrollWheelEvent2(
            input->source, unit, 2, (int32_t)-lround(y), (int32_t)-lround(x), 0);

        if (event) {
            CGEventSetLocation(event, input->pointer);
            CGEventSetFlags(event, input->flags);
        }
        input_post(input, event);
        down -= y;
        right -= x;
        if (!deadline_ok(deadline, err))
            return false;
    }
    return true;
}

static bool act_with_pointer(struct macos_input *input, struct deadline *deadline,
                             const struct input *what, struct error *err)
{
    if (what->kind == INPUT_DRAG)
        return drag_pointer(input, deadline, what, err);
    if (!go_to_place(input, deadline, what, err))
        return false;
    switch (what->kind) {
    case INPUT_CLICK:
        return click_button(input, deadline, what, err);
    case INPUT_PRESS:
    case INPUT_RELEASE:
        input_button(input, what->button, what->kind == INPUT_PRESS, 1);
        return true;
    case INPUT_SCROLL:
        return (what->here || await_pointer(input, deadline, err)) &&
               scroll_wheel(input, deadline, what, err);
    default:
        return true;
    }
}

bool macos_pointer(struct macos_desktop *desktop, struct deadline *deadline,
                   const struct input *what, struct error *err)
{
    struct macos_input *input = desktop->input;
    bool ok;

    input_modifiers(input, what->modifiers, true);
    ok = act_with_pointer(input, deadline, what, err);
    input_modifiers(input, what->modifiers, false);
    return ok;
}
