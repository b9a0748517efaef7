/* The history of the clipboard: texts that were copied, by whomever.
 *
 * Whoever copies becomes the owner, and the server tells us; what there is is read then, while it
 * is there. What a password manager marked is not even read. */
#include <X11/extensions/Xfixes.h>
#include <time.h>

#include "platform/x11/clipboard.h"

/* What is pasted leaves the clipboard as it was: its owner is a new one, its text is not. */
static bool is_newest(const struct clip_list *history, const struct clip_part *text)
{
    const struct clip_part *newest = history->count ? &history->items[0].parts[0] : NULL;

    return newest && newest->len == text->len && memcmp(newest->data, text->data, text->len) == 0;
}

void history_add(struct x11_clipboard *clipboard, const struct clip *clip)
{
    const struct clip_part *text = clip_part(clip, "text/plain");
    struct clip_list *history = &clipboard->history;
    struct timespec now;

    if (!clipboard->history_entries || !text || clip->secret || !text->len ||
        text->len > clipboard->history_bytes || is_newest(history, text))
        return;
    if (history->count == clipboard->history_entries)
        clip_free(&history->items[--history->count]);
    history->items = mem_resize(history->items, sizeof *history->items * (history->count + 1));
    memmove(history->items + 1, history->items, sizeof *history->items * history->count);
    history->count++;
    history->items[0] = (struct clip){ 0 };
    clip_add(&history->items[0], "text/plain", text->data, text->len);
    clock_gettime(CLOCK_REALTIME, &now);
    history->items[0].when = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Somebody copied: read it now, while it is there. */
void x11_clipboard_idle(struct desktop *desktop)
{
    struct x11_clipboard *clipboard = desktop->clipboard;
    struct clip clip = { 0 };
    struct ticket ticket;

    while (clipboard->history_due && !desktop->dead) {
        clipboard->history_due = false;
        ticket = ticket_of(CLIP_SILENCE_MS);
        if (!clipboard_begin(desktop, &ticket, NULL) ||
            clipboard->owned[SELECTION_CLIPBOARD].offer ||
            !clipboard_read_types(desktop, &ticket, SELECTION_CLIPBOARD, &clip, NULL))
            continue;
        if (!clip.secret && clipboard_read_part(desktop, &ticket, SELECTION_CLIPBOARD, "text/plain",
                                                clipboard->history_bytes, &clip, NULL))
            history_add(clipboard, &clip);
        clip_free(&clip);
    }
}

bool history_keep(struct desktop *desktop, struct ticket *ticket, size_t entries,
                  size_t entry_bytes, struct error *err)
{
    struct x11_clipboard *clipboard;

    if (!clipboard_begin(desktop, ticket, err))
        return false;
    if (desktop->fixes_event < 0)
        return error_set(err, "not_supported",
                         "this X server has no XFIXES extension, so nobody tells when something "
                         "was copied");
    clipboard = desktop->clipboard;
    clipboard->history_entries = entries > CLIP_HISTORY_MAX ? CLIP_HISTORY_MAX : entries;
    clipboard->history_bytes = entry_bytes;
    while (clipboard->history.count > clipboard->history_entries)
        clip_free(&clipboard->history.items[--clipboard->history.count]);
    XFixesSelectSelectionInput(desktop->display, desktop->root, A(CLIPBOARD),
                               entries ? XFixesSetSelectionOwnerNotifyMask : 0);
    XSync(desktop->display, False);
    return true;
}

bool history_list(struct desktop *desktop, struct ticket *ticket, struct clip_list *out,
                  struct error *err)
{
    struct clip_list *history;

    *out = (struct clip_list){ 0 };
    if (!clipboard_begin(desktop, ticket, err))
        return false;
    x11_clipboard_idle(desktop);
    history = &desktop->clipboard->history;
    out->items = mem_zero(sizeof *out->items * (history->count + 1));
    for (; out->count < history->count; out->count++) {
        const struct clip *from = &history->items[out->count];

        out->items[out->count].when = from->when;
        clip_add(&out->items[out->count], from->parts[0].type, from->parts[0].data,
                 from->parts[0].len);
    }
    return true;
}
