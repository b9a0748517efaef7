/* The history of the clipboard: what was copied, by whomever.
 *
 * Whoever copies becomes the owner, and the server tells us; what there is is read then, while it
 * is there. What a password manager marked is not even read. */
#include <X11/extensions/Xfixes.h>

#include "platform/x11/clipboard.h"

void history_add(struct x11_clipboard *clipboard, const struct clip *clip)
{
    clip_history_add(&clipboard->history, clipboard->history_entries, clipboard->history_bytes,
                     clip);
}

struct reading {
    struct x11_desktop *desktop;
    struct deadline *deadline;
};

static bool read_part(void *arg, const char *type, struct clip *clip)
{
    struct reading *reading = arg;
    struct x11_desktop *desktop = reading->desktop;

    return !desktop->dead &&
           clipboard_read_part(desktop, reading->deadline, SELECTION_CLIPBOARD, type,
                               desktop->clipboard->history_bytes, clip, NULL);
}

/* Somebody copied: read it now, while it is there. */
void x11_clipboard_idle(struct x11_desktop *desktop)
{
    struct x11_clipboard *clipboard = desktop->clipboard;
    struct clip clip = { 0 };
    struct deadline deadline;

    while (clipboard->history_due && !desktop->dead) {
        clipboard->history_due = false;
        deadline = deadline_of(CLIP_SILENCE_MS);
        if (!clipboard_begin(desktop, &deadline, NULL) ||
            clipboard->owned[SELECTION_CLIPBOARD].offer ||
            !clipboard_read_types(desktop, &deadline, SELECTION_CLIPBOARD, &clip, NULL))
            continue;
        if (!clip.secret &&
            clip_history_read(&clip, read_part, &(struct reading){ desktop, &deadline }))
            history_add(clipboard, &clip);
        clip_free(&clip);
    }
}

bool history_keep(struct desktop *handle, struct deadline *deadline, size_t entries,
                  size_t entry_bytes, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct x11_clipboard *clipboard;

    if (!clipboard_begin(desktop, deadline, err))
        return false;
    if (desktop->fixes_event < 0)
        return error_set(err, "not_supported",
                         "this X server has no XFIXES extension, so nobody tells when something "
                         "was copied");
    clipboard = desktop->clipboard;
    clipboard->history_entries = entries > CLIP_HISTORY_MAX ? CLIP_HISTORY_MAX : entries;
    clipboard->history_bytes = entry_bytes;
    clip_history_trim(&clipboard->history, clipboard->history_entries);
    XFixesSelectSelectionInput(desktop->display, desktop->root, A(CLIPBOARD),
                               entries ? XFixesSetSelectionOwnerNotifyMask : 0);
    XSync(desktop->display, False);
    return true;
}

bool history_list(struct desktop *handle, struct deadline *deadline, struct clip_list *out,
                  struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    *out = (struct clip_list){ 0 };
    if (!clipboard_begin(desktop, deadline, err))
        return false;
    x11_clipboard_idle(desktop);
    clip_history_copy(&desktop->clipboard->history, out);
    return true;
}
