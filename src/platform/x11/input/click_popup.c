#include "platform/x11/input/click_popup.h"

#include <stdio.h>

#include "platform/x11/clipboard/receiver.h"
#include "platform/x11/input/input.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/popup.h"
#include "platform/x11/wire/connection.h"

/* It may have gone with the text's last key, as a list does with Return. */
static void note_shown(struct x11_desktop *desktop, Window receiver, struct input_outcome *out)
{
    Window popup = desktop->input->effects.popup;

    if (!popup || x11_client_of(desktop, popup) != x11_client_of(desktop, receiver))
        return;
    x11_trap(desktop);
    if (!popup_is_bystander(desktop, popup))
        popup_name(desktop, popup, out->open);
}

/* Until one is there, or none comes any more. */
static bool await_popup(struct x11_desktop *desktop, struct deadline *deadline, Window receiver,
                        struct input_outcome *out, struct error *err)
{
    struct x11_effects *effects = &desktop->input->effects;
    uint64_t due = desktop->input->popup_due;

    while (deadline_now() < due && !*out->open && !desktop->dead) {
        if (effects->current ? !x11_wait(desktop, deadline, due, err)
                             : !effects_end(desktop, deadline, effects, out, err))
            return false;
        note_shown(desktop, receiver, out);
    }
    return effects_end(desktop, deadline, effects, out, err);
}

bool click_popup_look(struct x11_desktop *desktop, struct deadline *deadline,
                      struct input_outcome *out, struct error *err)
{
    struct receiver receiver;

    if (!desktop->input->popup_due || !out->settled || *out->open)
        return true;
    note_shown(desktop, desktop->input->pinged, out);
    if (*out->open || deadline_now() >= desktop->input->popup_due)
        return true;
    x11_know_receiver(desktop, &receiver);
    if (!receiver.relays)
        return true;
    if (deadline_left(deadline) > 2ull * CLICK_POPUP_MS)
        return await_popup(desktop, deadline, receiver.window, out, err);
    snprintf(out->open, sizeof out->open, "a popup that the click may open");
    return true;
}
