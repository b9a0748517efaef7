/* Marks of copies: whether an application has copied something since, and which.
 *
 * The server reports each new owner, so the owner itself is asked nothing. Marks begin at the time
 * of the connection: one of an earlier connection proves nothing. */
#include "platform/x11/clipboard/clipboard.h"
#include "platform/x11/windows/focus.h"

void clipboard_note_copy(struct x11_desktop *desktop, Window owner)
{
    struct x11_clipboard *clipboard = desktop->clipboard;

    if (clipboard->copies)
        clipboard->copiers[++clipboard->copies % CLIP_COPIERS] = x11_client_of(desktop, owner);
}

/* True if one of the copies since then, of those that are kept, is the client's. */
static bool copied_by(const struct x11_clipboard *clipboard, uint64_t since, uint32_t client)
{
    uint64_t at = clipboard->copies;

    for (; at > since && clipboard->copies - at < CLIP_COPIERS; at--) {
        if (clipboard->copiers[at % CLIP_COPIERS] == client)
            return true;
    }
    return false;
}

bool clipboard_changes(struct desktop *handle, struct deadline *deadline,
                       struct clip_changes *changes, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct x11_clipboard *clipboard;
    uint32_t client;

    if (!clipboard_begin(desktop, deadline, err)) /* the events of earlier copies have come then */
        return false;
    if (desktop->fixes_event < 0)
        return error_set(err, "not_supported",
                         "this X server has no XFIXES extension, which reports copies");
    clipboard = desktop->clipboard;
    if (!clipboard->copies) {
        clipboard->copies = clipboard->first = deadline_now() << 8;
        clipboard_select_owners(desktop);
    }
    changes->next = clipboard->copies;
    changes->changed = changes->since >= clipboard->first && changes->since < clipboard->copies;
    client = x11_client_of(desktop, (Window)changes->window);
    if (changes->changed && changes->window)
        changes->by = copied_by(clipboard, changes->since, client) ? CLIP_BY_WINDOW : CLIP_BY_OTHER;
    return true;
}
