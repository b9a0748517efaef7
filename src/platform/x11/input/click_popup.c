#include "platform/x11/input/click_popup.h"

#include <stdio.h>

#include "platform/x11/clipboard/receiver.h"
#include "platform/x11/input/input.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/popup.h"
#include "platform/x11/wire/connection.h"

enum { BUSY_MS = 100 }; /* an answer that takes longer is one of a busy application */

/* Notes the popup that was shown last, even if it went with the text's last key, as a list does
 * with Return. */
static void note_shown(struct x11_desktop *desktop, Window receiver, struct input_outcome *out)
{
    Window popup = desktop->input->effects.popup;

    if (!popup || x11_client_of(desktop, popup) != x11_client_of(desktop, receiver))
        return;
    x11_trap(desktop);
    if (!popup_is_bystander(desktop, popup))
        popup_name(desktop, popup, out->open);
}

/* Waits until a popup is there, or is no longer due. */
static bool await_popup(struct x11_desktop *desktop, struct deadline *deadline, uint64_t due,
                        Window receiver, struct input_outcome *out, struct error *err)
{
    struct x11_effects *effects = &desktop->input->effects;

    while (deadline_now() < due && !*out->open && !desktop->dead) {
        if (effects->current ? !x11_wait(desktop, deadline, due, err)
                             : !effects_end(desktop, deadline, effects, out, err))
            return false;
        note_shown(desktop, receiver, out);
    }
    return effects_end(desktop, deadline, effects, out, err);
}

/* Qt answers a ping while it reads events, before it hands on the events that it read with it: a
 * click and the text behind it, if it was busy. Their effect is there at the second answer. */
static bool prove_click(struct x11_desktop *desktop, struct deadline *deadline,
                        struct input_outcome *out, struct error *err)
{
    if (!x11_settle(desktop, deadline, CLICK_POPUP_MS, &out->settled, err) ||
        !effects_end(desktop, deadline, &desktop->input->effects, out, err))
        return false;
    desktop->input->click_unproven = !out->settled;
    return true;
}

/* An application that was busy may have begun with the click only now. */
static uint64_t popup_due(const struct x11_input *input, bool busy)
{
    return busy ? deadline_now() + CLICK_POPUP_MS : input->popup_due;
}

bool click_popup_look(struct x11_desktop *desktop, struct deadline *deadline,
                      struct input_outcome *out, struct error *err)
{
    bool busy = desktop->input->answer_ms > BUSY_MS;
    struct receiver receiver;
    uint64_t due;

    if (!desktop->input->click_unproven || !out->settled || *out->open)
        return true;
    if (!prove_click(desktop, deadline, out, err))
        return false;
    note_shown(desktop, desktop->input->pinged, out);
    due = popup_due(desktop->input, busy);
    if (!out->settled || *out->open || deadline_now() >= due)
        return true;
    x11_know_receiver(desktop, &receiver);
    if (!receiver.relays)
        return true;
    if (deadline_left(deadline) > 2ull * CLICK_POPUP_MS)
        return await_popup(desktop, deadline, due, receiver.window, out, err);
    snprintf(out->open, sizeof out->open, "a popup that the click may open");
    return true;
}
