#include "platform/x11/input/target.h"

#include <stdio.h>
#include <string.h>

#include "platform/x11/input/input.h"
#include "platform/x11/windows/effects.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"

enum { NAME_MAX_BYTES = 128 };

static void write_name(char *out, const struct window_info *info)
{
    snprintf(out, NAME_MAX_BYTES, "\"%.60s\" (%.40s)", info->title, info->app);
}

/* Names a window that may be gone, as it was listed before the first key. */
static void name_before(const struct x11_desktop *desktop, Window window, char *out)
{
    const struct window_info *info = effects_known(&desktop->input->effects, window);

    snprintf(out, NAME_MAX_BYTES, "the window that the text was for");
    if (info)
        write_name(out, info);
}

static void name_now(struct x11_desktop *desktop, Window window, char *out)
{
    struct window_ref ref = { .id = window };
    struct window_info info;
    struct error ignored;

    snprintf(out, NAME_MAX_BYTES, "another window");
    if (!window || !x11_window_info(desktop, &ref, &info, &ignored))
        return;
    write_name(out, &info);
    window_info_free(&info);
}

static bool is_lost(struct x11_desktop *desktop, const struct target *target, Window receiver,
                    struct error *err)
{
    char before[NAME_MAX_BYTES], now[NAME_MAX_BYTES];

    name_before(desktop, target->window, before);
    if (!receiver)
        return error_set(err, "focus_lost",
                         "%s lost the keyboard focus while the text was typed, and no window has "
                         "it now. The rest was not typed, and the last characters may be lost: "
                         "look at what arrived before you type the rest",
                         before);
    name_now(desktop, receiver, now);
    return error_set(err, "focus_lost",
                     "%s lost the keyboard focus to %s while the text was typed. The rest was not "
                     "typed, and the last characters may be in the other window: look at both "
                     "before you type the rest",
                     before, now);
}

bool target_look(struct x11_desktop *desktop, struct deadline *deadline, struct target *target,
                 struct error *err)
{
    Window focus = x11_server_focus(desktop), receiver;

    if (!x11_step(desktop, deadline, err))
        return false;
    if (!target->window || focus == target->focus)
        return true;
    receiver = x11_receiver(desktop);
    if (!receiver) {
        target->doubtful = true;
        if (!x11_await_receiver(desktop, deadline, &receiver, err))
            return strcmp(err->code, "no_focus") == 0 ? is_lost(desktop, target, None, err) : false;
    }
    if (receiver != target->window)
        return is_lost(desktop, target, receiver, err);
    target->focus = focus;
    return true;
}

bool target_is_same(struct x11_desktop *desktop, const struct target *target)
{
    return !target->window || x11_server_focus(desktop) == target->focus;
}

bool target_is_replaced(struct x11_desktop *desktop, const struct target *target, Window receiver)
{
    return target->window && receiver &&
           x11_client_of(desktop, receiver) != x11_client_of(desktop, target->window);
}
