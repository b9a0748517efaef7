/* The clipboard: reading, owning, clearing.
 *
 * X11 keeps no data: the owner must live and answer. The worker's clipboard queue keeps this
 * connection open and serves it in idle(). */
#include "platform/x11/clipboard/clipboard.h"

#include <X11/Xatom.h>
#include <X11/extensions/Xfixes.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/x11/clipboard/clip_text.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

const char clipboard_secret_type[] = "x-kde-passwordManagerHint";

bool clipboard_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err)
{
    if (!x11_begin(desktop, deadline, err))
        return false;
    if (!desktop->clipboard) {
        desktop->clipboard = mem_zero(sizeof *desktop->clipboard);
        list_init(&desktop->clipboard->transfers);
    }
    return x11_time(desktop, deadline, err);
}

Atom clipboard_atom(const struct x11_desktop *desktop, enum selection which)
{
    if (which == SELECTION_XDND)
        return A(XdndSelection);
    return which == SELECTION_PRIMARY ? XA_PRIMARY : A(CLIPBOARD);
}

static void forget_offer(struct x11_desktop *desktop, enum selection which)
{
    struct owned_selection *owned = &desktop->clipboard->owned[which];

    offer_free(owned->offer);
    owned->offer = NULL;
}

void x11_clipboard_free(struct x11_desktop *desktop)
{
    if (!desktop->clipboard)
        return;
    offer_free(desktop->clipboard->late.offer);
    clipboard_drop_transfers(desktop);
    for (enum selection which = 0; which < SELECTION_COUNT; which++)
        forget_offer(desktop, which);
    clip_list_free(&desktop->clipboard->history);
    free(desktop->clipboard);
    desktop->clipboard = NULL;
}

/* --- events ----------------------------------------------------------------------- */

static void on_notify(struct x11_desktop *desktop, const XSelectionEvent *event)
{
    struct x11_clipboard *clipboard = desktop->clipboard;

    if (event->requestor != desktop->probe || event->selection != clipboard->selection)
        return;
    if (event->property != None && event->property != clipboard->property)
        return; /* an answer to an earlier question that comes too late */
    clipboard->notified = true;
    clipboard->refused = event->property == None;
}

static void on_owner(struct x11_desktop *desktop, const XFixesSelectionNotifyEvent *event)
{
    struct x11_clipboard *clipboard = desktop->clipboard;

    if (event->selection != A(CLIPBOARD) || event->subtype != XFixesSetSelectionOwnerNotify ||
        event->owner == desktop->probe)
        return;
    clipboard_note_copy(desktop, event->owner);
    clipboard->history_due = event->owner != None && clipboard->history_entries > 0;
}

/* Takes a piece of a transfer we gave up, and drops it. True if it was the last, empty one. */
static bool drop_piece(struct x11_desktop *desktop, Atom property)
{
    xcb_get_property_reply_t *reply =
        xcb_get_property_reply(desktop->xcb, x11_ask(desktop, desktop->probe, property, 0), NULL);
    bool last = reply && reply->type != None && reply->bytes_after == 0;

    free(reply);
    XDeleteProperty(desktop->display, desktop->probe, property);
    return last;
}

/* Handles data that arrived on our own window. */
static void on_piece(struct x11_desktop *desktop, const XPropertyEvent *event)
{
    struct x11_clipboard *clipboard = desktop->clipboard;

    if (event->state != PropertyNewValue)
        return;
    for (size_t i = 0; i < CLIP_PROPERTIES; i++) {
        if (clipboard->unwanted[i] == event->atom) {
            if (drop_piece(desktop, event->atom))
                clipboard->unwanted[i] = None;
            return;
        }
    }
    clipboard->fresh = clipboard->fresh || event->atom == clipboard->property;
}

static void on_clear(struct x11_desktop *desktop, const XSelectionClearEvent *event)
{
    for (enum selection which = 0; which < SELECTION_COUNT; which++) {
        /* The event may be about an earlier ownership of ours, which was renewed meanwhile. */
        if (event->selection == clipboard_atom(desktop, which) &&
            XGetSelectionOwner(desktop->display, event->selection) != desktop->probe)
            forget_offer(desktop, which);
    }
}

void x11_clipboard_event(struct x11_desktop *desktop, XEvent *event)
{
    if (event->type == SelectionRequest) {
        clipboard_answer(desktop, &event->xselectionrequest);
    } else if (event->type == SelectionClear) {
        on_clear(desktop, &event->xselectionclear);
    } else if (event->type == DestroyNotify) {
        clipboard_requestor_gone(desktop, event->xdestroywindow.window);
    } else if (event->type == SelectionNotify) {
        on_notify(desktop, &event->xselection);
    } else if (event->type == PropertyNotify) {
        if (event->xproperty.window == desktop->probe)
            on_piece(desktop, &event->xproperty);
        else
            clipboard_go_on(desktop, &event->xproperty);
    } else if (desktop->fixes_event >= 0 &&
               event->type == desktop->fixes_event + XFixesSelectionNotify) {
        on_owner(desktop, (XFixesSelectionNotifyEvent *)event);
    }
}

/* --- reading ---------------------------------------------------------------------- */

static void add_type(struct clip *clip, const char *name)
{
    clip->types = mem_resize(clip->types, sizeof *clip->types * (clip->type_count + 1));
    clip->types[clip->type_count++] = mem_strdup(name);
}

static void copy_own(const struct clip *own, const char *const *types, struct clip *out)
{
    for (size_t i = 0; i < own->count; i++) {
        const struct clip_part *part = &own->parts[i];
        bool wanted = types == NULL && strcmp(part->type, clipboard_secret_type) != 0;

        for (size_t k = 0; types && types[k]; k++)
            wanted = wanted || strcmp(types[k], part->type) == 0;
        add_type(out, part->type);
        if (wanted)
            clip_add(out, part->type, part->data, part->len);
    }
    out->secret = clip_part(own, clipboard_secret_type) != NULL;
}

/* The types that an owner without TARGETS may still have. One of text is found by asking. */
static bool guess_types(struct x11_desktop *desktop, struct deadline *deadline,
                        enum selection which, struct clip *out, struct error *err)
{
    static const char *const guesses[] = { "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT" };
    struct buf data = { 0 };
    struct error why = { .code = "clipboard_refused" };
    Atom type;

    if (XGetSelectionOwner(desktop->display, clipboard_atom(desktop, which)) == None)
        return true;
    for (size_t i = 0; i < countof(guesses) && strcmp(why.code, "clipboard_refused") == 0; i++) {
        Atom target = XInternAtom(desktop->display, guesses[i], False);

        if (clipboard_convert(desktop, deadline, which, target, CLIP_BYTES_MAX, &data, &type,
                              &why)) {
            add_type(out, guesses[i]);
            break;
        }
    }
    buf_free(&data);
    if (out->type_count || strcmp(why.code, "clipboard_refused") == 0) {
        if (!out->type_count)
            add_type(out, "an unnamed type"); /* it is not empty */
        return true;
    }
    if (err)
        *err = why;
    return false;
}

/* Reads the owner's targets as names, and keeps those that are data. */
bool clipboard_read_types(struct x11_desktop *desktop, struct deadline *deadline,
                          enum selection which, struct clip *out, struct error *err)
{
    struct buf atoms = { 0 };
    struct error why;
    Atom type;

    if (!clipboard_convert(desktop, deadline, which, A(TARGETS), 16384, &atoms, &type, &why)) {
        if (strcmp(why.code, "clipboard_refused") == 0)
            return guess_types(desktop, deadline, which, out, err);
        if (err)
            *err = why;
        return false;
    }
    for (size_t i = 0; i + 4 <= atoms.len && out->type_count < 256; i += 4) {
        uint32_t atom;
        char *name;

        memcpy(&atom, atoms.data + i, 4);
        name = atom ? XGetAtomName(desktop->display, atom) : NULL;
        if (!name)
            continue;
        if (strcmp(name, clipboard_secret_type) == 0)
            out->secret = true;
        add_type(out, name);
        XFree(name);
    }
    buf_free(&atoms);
    return true;
}

static const char *offered(const struct clip *clip, const char *type)
{
    static const char *const text[] = {
        "UTF8_STRING",  "text/plain;charset=utf-8",      "text/plain;charset=UTF-8",  "text/plain",
        "STRING",       "text/plain;charset=iso-8859-1", "text/plain;charset=utf-16", "TEXT",
        "COMPOUND_TEXT"
    };

    for (size_t i = 0; i < clip->type_count; i++) {
        if (strcmp(clip->types[i], type) == 0 && strcmp(type, "text/plain") != 0)
            return clip->types[i];
    }
    for (size_t k = 0; strcmp(type, "text/plain") == 0 && k < countof(text); k++) {
        for (size_t i = 0; i < clip->type_count; i++) {
            if (strcmp(clip->types[i], text[k]) == 0)
                return text[k];
        }
    }
    return NULL;
}

bool clipboard_read_part(struct x11_desktop *desktop, struct deadline *deadline,
                         enum selection which, const char *type, size_t max, struct clip *out,
                         struct error *err)
{
    const char *name = offered(out, type);
    struct buf data = { 0 };
    Atom came_as;
    bool ok;

    if (!name)
        return true;
    ok = clipboard_convert(desktop, deadline, which, XInternAtom(desktop->display, name, False),
                           max, &data, &came_as, err);
    if (ok && strncmp(type, "text/", 5) == 0)
        clip_text_add(desktop, out, type, came_as, buf_str(&data));
    else if (ok)
        clip_add(out, type, data.data, data.len);
    buf_free(&data);
    return ok;
}

static bool clip_read(struct desktop *handle, struct deadline *deadline, const char *const *types,
                      size_t max_bytes, struct clip *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    static const char *const usual[] = { "text/plain", "text/html", "text/uri-list", "image/png",
                                         NULL };
    size_t max = max_bytes ? max_bytes : CLIP_BYTES_MAX;
    bool ok;

    *out = (struct clip){ 0 };
    if (!clipboard_begin(desktop, deadline, err))
        return false;
    if (desktop->clipboard->owned[SELECTION_CLIPBOARD].offer) {
        copy_own(&desktop->clipboard->owned[SELECTION_CLIPBOARD].offer->clip, types, out);
        return true;
    }
    if (XGetSelectionOwner(desktop->display, A(CLIPBOARD)) == None)
        return desktop->dead ? x11_lost(desktop, err) : true;
    ok = clipboard_read_types(desktop, deadline, SELECTION_CLIPBOARD, out, err);
    for (const char *const *type = types ? types : usual; ok && *type; type++)
        ok = clipboard_read_part(desktop, deadline, SELECTION_CLIPBOARD, *type, max, out, err);
    if (!ok)
        clip_free(out);
    return ok;
}

/* --- owning ----------------------------------------------------------------------- */

static bool check_clip(const struct clip *clip, struct error *err)
{
    size_t size = 0;

    for (size_t i = 0; i < clip->count; i++) {
        const struct clip_part *part = &clip->parts[i];

        size += part->len;
        if (!part->type[0] || strlen(part->type) > 200)
            return error_set(err, "bad_type", "a clipboard type must have 1 to 200 bytes");
    }
    if (clip->count > 32 || size > CLIP_BYTES_MAX)
        return error_set(err, "too_large",
                         "%zu bytes in %zu types are too much for the clipboard. Write at most %d "
                         "MB in 32 types",
                         size, clip->count, CLIP_BYTES_MAX >> 20);
    return true;
}

/* Adds the type of their own in which file managers ask for files. */
static void add_file_type(struct clip *clip)
{
    const struct clip_part *files = clip_part(clip, "text/uri-list");
    struct buf list = { 0 };

    if (!files || clip_part(clip, "x-special/gnome-copied-files"))
        return;
    buf_adds(&list, "copy");
    for (size_t i = 0, start = 0; i <= files->len; i++) {
        if (i < files->len && files->data[i] != '\n' && files->data[i] != '\r')
            continue;
        if (i > start && files->data[start] != '#') {
            buf_addc(&list, '\n');
            buf_add(&list, files->data + start, i - start);
        }
        start = i + 1;
    }
    clip_add(clip, "x-special/gnome-copied-files", list.data, list.len);
    buf_free(&list);
}

static struct offer *offer_new(const struct clip *clip)
{
    struct offer *offer = mem_zero(sizeof *offer);

    offer->refs = 1;
    clip_add_all(&offer->clip, clip);
    if (clip->secret && !clip_part(&offer->clip, clipboard_secret_type))
        clip_add(&offer->clip, clipboard_secret_type, "secret", 6);
    add_file_type(&offer->clip);
    offer->clip.secret = clip_part(&offer->clip, clipboard_secret_type) != NULL;
    return offer;
}

/* False if another application has become the owner meanwhile. */
static bool still_owned(struct x11_desktop *desktop, enum selection which)
{
    if (XGetSelectionOwner(desktop->display, clipboard_atom(desktop, which)) == desktop->probe)
        return true;
    forget_offer(desktop, which);
    return false;
}

struct offer *clipboard_own(struct x11_desktop *desktop, struct deadline *deadline,
                            enum selection which, const struct clip *clip, struct error *err)
{
    struct owned_selection *owned;

    if (!check_clip(clip, err) || !clipboard_begin(desktop, deadline, err))
        return NULL;
    owned = &desktop->clipboard->owned[which];
    forget_offer(desktop, which);
    *owned = (struct owned_selection){ .offer = offer_new(clip), .at = desktop->time };
    XSetSelectionOwner(desktop->display, clipboard_atom(desktop, which), desktop->probe,
                       desktop->time);
    if (still_owned(desktop, which))
        return owned->offer;
    if (desktop->dead)
        x11_lost(desktop, err);
    else
        error_set(err, "clipboard_refused",
                  "another application took the clipboard at the same time. Try again");
    return NULL;
}

bool clipboard_change(struct x11_desktop *desktop, enum selection which, const struct clip *clip)
{
    struct owned_selection *owned = &desktop->clipboard->owned[which];

    if (!check_clip(clip, NULL))
        return false;
    forget_offer(desktop, which);
    owned->offer = offer_new(clip);
    owned->untold = true;
    return still_owned(desktop, which);
}

/* Claims the selection again at a time just after that of our ownership, which takes nothing from
 * an application that copied meanwhile. */
void clipboard_tell(struct x11_desktop *desktop, enum selection which)
{
    struct owned_selection *owned = &desktop->clipboard->owned[which];

    if (!owned->offer || !owned->untold)
        return;
    owned->untold = false;
    XSetSelectionOwner(desktop->display, clipboard_atom(desktop, which), desktop->probe,
                       ++owned->at);
    XFlush(desktop->display);
}

void clipboard_disown(struct x11_desktop *desktop, enum selection which)
{
    if (!desktop->clipboard->owned[which].offer)
        return;
    forget_offer(desktop, which);
    XSetSelectionOwner(desktop->display, clipboard_atom(desktop, which), None, desktop->time);
}

/* --- the history --------------------------------------------------------------------- */

/* A program that copies becomes the owner, and the server reports it; its copy is read then, while
 * the program lives. A copy that a password manager marked is not even read. */
static void history_add(struct x11_clipboard *clipboard, const struct clip *clip)
{
    clip_history_add(&clipboard->history, clipboard->history_entries, clipboard->history_bytes,
                     clip);
}

struct history_read {
    struct x11_desktop *desktop;
    struct deadline *deadline;
};

static bool read_part(void *arg, const char *type, struct clip *clip)
{
    struct history_read *read = arg;
    struct x11_desktop *desktop = read->desktop;

    return !desktop->dead && clipboard_read_part(desktop, read->deadline, SELECTION_CLIPBOARD, type,
                                                 desktop->clipboard->history_bytes, clip, NULL);
}

/* An application has copied: reads the copy now, while the application lives. */
int x11_clipboard_idle(struct x11_desktop *desktop)
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
            clip_history_read(&clip, read_part, &(struct history_read){ desktop, &deadline }))
            history_add(clipboard, &clip);
        clip_free(&clip);
    }
    return x11_clipboard_late_ms(desktop);
}

void clipboard_select_owners(struct x11_desktop *desktop)
{
    bool wanted = desktop->clipboard->history_entries || desktop->clipboard->copies;

    XFixesSelectSelectionInput(desktop->display, desktop->root, A(CLIPBOARD),
                               wanted ? XFixesSetSelectionOwnerNotifyMask : 0);
    XSync(desktop->display, False);
}

static bool clip_keep_history(struct desktop *handle, struct deadline *deadline, size_t entries,
                              size_t entry_bytes, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct x11_clipboard *clipboard;

    if (!clipboard_begin(desktop, deadline, err))
        return false;
    if (desktop->fixes_event < 0)
        return error_set(
            err, "not_supported",
            "this X server has no XFIXES extension, which the clipboard history needs");
    clipboard = desktop->clipboard;
    clipboard->history_entries = entries > CLIP_HISTORY_MAX ? CLIP_HISTORY_MAX : entries;
    clipboard->history_bytes = entry_bytes;
    clip_history_trim(&clipboard->history, clipboard->history_entries);
    clipboard_select_owners(desktop);
    return true;
}

static bool clip_history(struct desktop *handle, struct deadline *deadline, struct clip_list *out,
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

/* --- writing -------------------------------------------------------------------------- */

static bool clip_write(struct desktop *handle, struct deadline *deadline, const struct clip *clip,
                       struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct offer *offer = clipboard_own(desktop, deadline, SELECTION_CLIPBOARD, clip, err);

    if (offer)
        history_add(desktop->clipboard, &offer->clip);
    return offer != NULL;
}

static bool clip_clear(struct desktop *handle, struct deadline *deadline, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    if (!clipboard_begin(desktop, deadline, err))
        return false;
    forget_offer(desktop, SELECTION_CLIPBOARD);
    XSetSelectionOwner(desktop->display, A(CLIPBOARD), None, desktop->time);
    XSync(desktop->display, False);
    return desktop->dead ? x11_lost(desktop, err) : true;
}

/* --- from one connection to the next ------------------------------------------------ */

static void clip_retire(struct desktop *handle, struct clip_state *out)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct x11_clipboard *clipboard = desktop->clipboard;
    struct offer *offer;

    *out = (struct clip_state){ 0 };
    if (!clipboard)
        return;
    offer = clipboard->owned[SELECTION_CLIPBOARD].offer;
    if (offer) {
        out->clip = offer->clip;
        offer->clip = (struct clip){ 0 };
        clipboard_drop_transfers(desktop);
        forget_offer(desktop, SELECTION_CLIPBOARD);
    }
    out->history = clipboard->history;
    out->entries = clipboard->history_entries;
    out->entry_bytes = clipboard->history_bytes;
    clipboard->history = (struct clip_list){ 0 };
}

static void clip_adopt(struct desktop *handle, struct clip_state *state)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct deadline deadline = deadline_of(CLIP_SILENCE_MS);

    if (state->entries &&
        clip_keep_history(handle, &deadline, state->entries, state->entry_bytes, NULL)) {
        desktop->clipboard->history = state->history;
        state->history = (struct clip_list){ 0 };
    }
    if (state->clip.count && XGetSelectionOwner(desktop->display, A(CLIPBOARD)) == None)
        clipboard_own(desktop, &deadline, SELECTION_CLIPBOARD, &state->clip, NULL);
    clip_state_free(state);
}

const struct clipboard_ops x11_clipboard_ops = {
    .read = clip_read,
    .write = clip_write,
    .clear = clip_clear,
    .keep_history = clip_keep_history,
    .history = clip_history,
    .changes = clipboard_changes,
    .retire = clip_retire,
    .adopt = clip_adopt,
};
