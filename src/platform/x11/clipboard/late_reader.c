/* The late reader: a client that reads for a paste that is over, when the earlier content is on the
 * clipboard again.
 *
 * The owner answers each requestor, so the late one still gets the text. Chromium drops a paste if
 * it hears of a change of the clipboard before it has inserted what it read, which takes as long as
 * its renderer is busy: no client is told before the time of the late reader is over. */
#include "platform/x11/clipboard/clipboard.h"
#include "platform/x11/wire/connection.h"

bool clipboard_serve_late(struct x11_desktop *desktop, enum selection which,
                          const struct clip *clip, struct offer *offer, uint64_t ms,
                          uint64_t calm_ms)
{
    x11_clipboard_end_late(desktop);
    offer->refs++;
    desktop->clipboard->late = (struct late_reader){ offer, which, deadline_now() + ms, calm_ms };
    return clipboard_change(desktop, which, clip);
}

void x11_clipboard_end_late(struct x11_desktop *desktop)
{
    struct late_reader *late = desktop->clipboard ? &desktop->clipboard->late : NULL;
    const struct owned_selection *owned;

    if (!late || !late->offer)
        return;
    offer_free(late->offer);
    late->offer = NULL;
    owned = &desktop->clipboard->owned[late->which];
    if (!owned->offer || desktop->dead)
        return;
    if (owned->offer->clip.count)
        clipboard_tell(desktop, late->which);
    else
        clipboard_disown(desktop, late->which);
}

int x11_clipboard_late_ms(struct x11_desktop *desktop)
{
    const struct late_reader *late = &desktop->clipboard->late;
    uint64_t now = deadline_now();

    if (!late->offer)
        return -1;
    if (now < late->until)
        return (int)(late->until - now);
    x11_clipboard_end_late(desktop);
    return -1;
}

static uint64_t calm_at(const struct late_reader *late)
{
    uint64_t at = late->offer->touched + late->calm_ms;

    return at < late->until ? at : late->until;
}

bool x11_clipboard_await_calm(struct x11_desktop *desktop, struct deadline *deadline,
                              struct error *err)
{
    const struct late_reader *late = desktop->clipboard ? &desktop->clipboard->late : NULL;

    while (late && late->offer && deadline_now() < calm_at(late)) {
        if (!x11_wait(desktop, deadline, calm_at(late), err))
            return false;
    }
    return true;
}
