/* Asking the clipboard's owner, who may be slow, silent, or send 64 MB in pieces. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/x11/clipboard.h"

static bool no_answer(struct error *err)
{
    return error_set(err, "clipboard_no_answer",
                     "the application that owns the clipboard did not answer within %d s; it may "
                     "hang. Copying something else replaces it",
                     CLIP_SILENCE_MS / 1000);
}

/* Waits for a flag that an event sets. */
static bool await(struct x11_desktop *desktop, struct deadline *deadline, const bool *flag,
                  struct error *err)
{
    uint64_t until = deadline_now() + CLIP_SILENCE_MS;

    while (!*flag) {
        if (deadline_now() >= until)
            return no_answer(err);
        if (!x11_wait(desktop, deadline, until, err))
            return false;
    }
    return true;
}

/* Takes the property off our window and appends it. *type is INCR when it comes in pieces. */
static bool take_property(struct x11_desktop *desktop, size_t max, struct buf *out, size_t *got,
                          Atom *type, struct error *err)
{
    xcb_get_property_cookie_t cookie = xcb_get_property(
        desktop->xcb, 1, (xcb_window_t)desktop->probe, (xcb_atom_t)desktop->clipboard->property,
        XCB_GET_PROPERTY_TYPE_ANY, 0, (uint32_t)(max / 4 + 2));
    xcb_get_property_reply_t *reply = xcb_get_property_reply(desktop->xcb, cookie, NULL);
    size_t len = reply ? (size_t)xcb_get_property_value_length(reply) : 0;
    bool ok = reply && len <= max && !reply->bytes_after;

    *type = reply ? reply->type : None;
    *got = len;
    if (ok && *type != A(INCR))
        buf_add(out, xcb_get_property_value(reply), len);
    free(reply);
    if (ok)
        return true;
    if (!reply)
        return x11_lost(desktop, err);
    return error_set(err, "too_large", "the clipboard holds more than %zu bytes of this type", max);
}

/* Pieces until an empty one. */
static bool take_pieces(struct x11_desktop *desktop, struct deadline *deadline, size_t max,
                        struct buf *out, Atom *type, struct error *err)
{
    struct x11_clipboard *clipboard = desktop->clipboard;
    size_t start = out->len, got;

    for (;;) {
        if (!await(desktop, deadline, &clipboard->fresh, err))
            return false;
        clipboard->fresh = false;
        if (!take_property(desktop, max - (out->len - start), out, &got, type, err))
            return false;
        if (*type != None && got == 0)
            return true;
    }
}

/* What was given up comes to its end first: until then its owner may hear nobody. */
static bool finish_unwanted(struct x11_desktop *desktop, struct deadline *deadline,
                            struct error *err)
{
    uint64_t until = deadline_now() + CLIP_SILENCE_MS;

    for (size_t i = 0; i < CLIP_PROPERTIES; i++) {
        while (desktop->clipboard->unwanted[i] != None && deadline_now() < until) {
            if (!x11_wait(desktop, deadline, until, err))
                return false;
        }
        desktop->clipboard->unwanted[i] = None;
    }
    return true;
}

bool clipboard_convert(struct x11_desktop *desktop, struct deadline *deadline, enum selection which,
                       Atom target, size_t max, struct buf *out, Atom *type, struct error *err)
{
    struct x11_clipboard *clipboard = desktop->clipboard;
    size_t start = out->len, got;
    char name[32];
    bool ok, pieces;
    unsigned slot = clipboard->serial++ % CLIP_PROPERTIES;

    snprintf(name, sizeof name, "PERIGEE_CLIP_%u", slot);
    clipboard->property = XInternAtom(desktop->display, name, False);
    if (!finish_unwanted(desktop, deadline, err))
        return false;
    clipboard->notified = clipboard->refused = clipboard->fresh = false;
    XDeleteProperty(desktop->display, desktop->probe, clipboard->property);
    clipboard->selection = clipboard_atom(desktop, which);
    XConvertSelection(desktop->display, clipboard->selection, target, clipboard->property,
                      desktop->probe, desktop->time);
    if (!await(desktop, deadline, &clipboard->notified, err))
        return false;
    if (clipboard->refused)
        return error_set(err, "clipboard_refused",
                         "the clipboard's owner has nothing of this type");
    clipboard->fresh = false; /* pieces are told after the first was taken */
    ok = take_property(desktop, max, out, &got, type, err);
    pieces = *type == A(INCR);
    if (ok && pieces)
        ok = take_pieces(desktop, deadline, max, out, type, err);
    if (!ok) {
        out->len = start;
        clipboard->unwanted[slot] = pieces && !desktop->dead ? clipboard->property : None;
        XDeleteProperty(desktop->display, desktop->probe, clipboard->property);
    }
    return ok;
}
