/* Selections: answers programs that paste our content, and asks an owner for its data.
 *
 * Long data goes in pieces: the requestor deletes the property when it has taken one. Our answers
 * happen in events, so many transfers can be on their way at once. An owner that is asked may be
 * slow, silent, or send 64 MB in pieces. */
#include <X11/Xatom.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "platform/x11/clipboard/clipboard.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

void offer_free(struct offer *offer)
{
    if (!offer || --offer->refs > 0)
        return;
    clip_free(&offer->clip);
    free(offer);
}

/* --- names ------------------------------------------------------------------------ */

/* The targets by which programs ask for text. */
static const char *const text_names[] = { "UTF8_STRING", "text/plain;charset=utf-8", "text/plain",
                                          "STRING", "TEXT" };

static const struct clip_part *part_for(struct x11_desktop *desktop, const struct clip *clip,
                                        Atom target)
{
    char *name = XGetAtomName(desktop->display, target);
    const struct clip_part *part = name ? clip_part(clip, name) : NULL;

    for (size_t i = 0; name && !part && i < countof(text_names); i++) {
        if (strcasecmp(name, text_names[i]) == 0)
            part = clip_part(clip, "text/plain");
    }
    if (name)
        XFree(name);
    return part;
}

static void offer_targets(struct x11_desktop *desktop, const struct clip *clip, Window requestor,
                          Atom property)
{
    Atom atoms[64] = { A(TARGETS), A(TIMESTAMP), A(MULTIPLE) };
    int count = 3;

    for (size_t i = 0; i < clip->count && count < 48; i++) {
        if (strcmp(clip->parts[i].type, "text/plain") != 0)
            atoms[count++] = XInternAtom(desktop->display, clip->parts[i].type, False);
    }
    for (size_t i = 0; clip_part(clip, "text/plain") && i < countof(text_names); i++)
        atoms[count++] = XInternAtom(desktop->display, text_names[i], False);
    XChangeProperty(desktop->display, requestor, property, XA_ATOM, 32, PropModeReplace,
                    (unsigned char *)atoms, count);
}

/* --- pieces ----------------------------------------------------------------------- */

static void drop_transfer(struct transfer *transfer)
{
    list_remove(&transfer->link);
    offer_free(transfer->offer);
    free(transfer);
}

void clipboard_drop_transfers(struct x11_desktop *desktop)
{
    struct link *link;

    while ((link = list_pop(&desktop->clipboard->transfers)))
        drop_transfer(container_of(link, struct transfer, link));
}

bool clipboard_is_sending(struct x11_desktop *desktop, const struct offer *offer)
{
    list_each (link, &desktop->clipboard->transfers) {
        const struct transfer *transfer = container_of(link, struct transfer, link);

        if (transfer->offer == offer && !transfer->whole)
            return true;
    }
    return false;
}

static bool is_reader(struct x11_desktop *desktop, const struct offer *offer, Window requestor)
{
    uint32_t mask = xcb_get_setup(desktop->xcb)->resource_id_mask;

    return ((uint32_t)requestor & ~mask) == offer->reader;
}

static struct transfer *new_transfer(struct x11_desktop *desktop, struct offer *offer,
                                     Window requestor, Atom property, Atom type,
                                     const struct clip_part *part)
{
    struct transfer *transfer = mem_zero(sizeof *transfer);

    transfer->offer = offer;
    transfer->offer->refs++;
    transfer->requestor = requestor;
    transfer->property = property;
    transfer->type = type;
    transfer->data = part->data;
    transfer->len = part->len;
    transfer->touched = deadline_now();
    list_push(&desktop->clipboard->transfers, &transfer->link);
    if (requestor != desktop->probe)
        XSelectInput(desktop->display, requestor, PropertyChangeMask | StructureNotifyMask);
    return transfer;
}

static void start_pieces(struct x11_desktop *desktop, const struct transfer *transfer)
{
    long size = (long)transfer->len;

    XChangeProperty(desktop->display, transfer->requestor, transfer->property, A(INCR), 32,
                    PropModeReplace, (unsigned char *)&size, 1);
}

/* Sends the next piece; an empty one says that it was the last. */
static bool send_piece(struct x11_desktop *desktop, struct transfer *transfer)
{
    size_t left = transfer->len - transfer->done;
    size_t size = left > CLIP_CHUNK ? CLIP_CHUNK : left;

    XChangeProperty(desktop->display, transfer->requestor, transfer->property, transfer->type, 8,
                    PropModeReplace, (const unsigned char *)transfer->data + transfer->done,
                    (int)size);
    transfer->done += size;
    transfer->touched = transfer->offer->touched = deadline_now();
    return size > 0;
}

/* Goes on after the requestor has deleted the property, having read it. False when there is nothing
 * more to do. */
static bool transfer_go_on(struct x11_desktop *desktop, struct transfer *transfer)
{
    if (!transfer->whole && send_piece(desktop, transfer))
        return true;
    transfer->offer->touched = deadline_now();
    if (is_reader(desktop, transfer->offer, transfer->requestor))
        transfer->offer->read = true;
    return false;
}

void clipboard_requestor_gone(struct x11_desktop *desktop, Window requestor)
{
    list_each (link, &desktop->clipboard->transfers) {
        struct transfer *transfer = container_of(link, struct transfer, link);

        if (transfer->requestor == requestor)
            drop_transfer(transfer);
    }
}

/* Goes on with the transfer whose property was deleted. A requestor's window could only be our
 * probe if we read our own content, which we do directly. */
void clipboard_go_on(struct x11_desktop *desktop, const XPropertyEvent *event)
{
    uint64_t now = deadline_now();

    if (event->state != PropertyDelete)
        return;
    list_each (link, &desktop->clipboard->transfers) {
        struct transfer *transfer = container_of(link, struct transfer, link);
        bool mine = transfer->requestor == event->window && transfer->property == event->atom;

        if (mine ? !transfer_go_on(desktop, transfer) : now > transfer->touched + CLIP_STALE_MS)
            drop_transfer(transfer);
    }
}

/* --- requests --------------------------------------------------------------------- */

static void note_question(struct x11_desktop *desktop, struct offer *offer, Window requestor,
                          const struct clip_part *part)
{
    uint32_t client = (uint32_t)requestor & ~xcb_get_setup(desktop->xcb)->resource_id_mask;
    bool reader = client == offer->reader, other = !reader && client != offer->bystander;
    bool content = part && strcmp(part->type, clipboard_secret_type) != 0;

    offer->questions += reader;
    offer->given = offer->given || (content && reader);
    if (content && other) {
        offer->given_other = true;
        offer->other = client;
    }
    offer->touched = deadline_now();
}

static bool answer_one(struct x11_desktop *desktop, const struct owned_selection *owned,
                       Window requestor, Atom target, Atom property)
{
    struct transfer *transfer = NULL;
    const struct clip_part *part;
    long time = (long)owned->at;
    Atom type = target == A(TEXT) ? A(UTF8_STRING) : target;

    part = part_for(desktop, &owned->offer->clip, target);
    note_question(desktop, owned->offer, requestor, part);
    if (target == A(TARGETS)) {
        offer_targets(desktop, &owned->offer->clip, requestor, property);
        return true;
    }
    if (target == A(TIMESTAMP)) {
        XChangeProperty(desktop->display, requestor, property, XA_INTEGER, 32, PropModeReplace,
                        (unsigned char *)&time, 1);
        return true;
    }
    if (!part)
        return false;
    if (part->len > CLIP_CHUNK ||
        (owned->offer->watched && strcmp(part->type, clipboard_secret_type) != 0)) {
        transfer = new_transfer(desktop, owned->offer, requestor, property, type, part);
        transfer->whole = part->len <= CLIP_CHUNK;
    }
    if (transfer && !transfer->whole)
        start_pieces(desktop, transfer);
    else
        XChangeProperty(desktop->display, requestor, property, type, 8, PropModeReplace,
                        (unsigned char *)part->data, (int)part->len);
    return true;
}

/* Answers pairs of target and property; those we cannot answer are marked None. */
static void answer_many(struct x11_desktop *desktop, const struct owned_selection *owned,
                        const XSelectionRequestEvent *request)
{
    size_t count;
    uint32_t *pairs = x11_read_longs(desktop, request->requestor, request->property, &count);
    long *out = mem_alloc(sizeof *out * (count + 1));

    for (size_t i = 0; i + 1 < count; i += 2) {
        out[i] = (long)pairs[i];
        out[i + 1] = answer_one(desktop, owned, request->requestor, pairs[i], pairs[i + 1])
                         ? (long)pairs[i + 1]
                         : None;
    }
    XChangeProperty(desktop->display, request->requestor, request->property, A(ATOM_PAIR), 32,
                    PropModeReplace, (unsigned char *)out, (int)(count & ~(size_t)1));
    free(out);
    free(pairs);
}

/* The selection as this requestor gets it; *late is room for the result. NULL: we do not own it. */
static const struct owned_selection *owned_as(struct x11_desktop *desktop, Atom selection,
                                              Window requestor, struct owned_selection *late)
{
    struct x11_clipboard *clipboard = desktop->clipboard;

    for (enum selection which = 0; which < SELECTION_COUNT; which++) {
        if (selection != clipboard_atom(desktop, which) || !clipboard->owned[which].offer)
            continue;
        if (!clipboard->late.offer || clipboard->late.which != which ||
            !is_reader(desktop, clipboard->late.offer, requestor) ||
            deadline_now() >= clipboard->late.until)
            return &clipboard->owned[which];
        *late = clipboard->owned[which];
        late->offer = clipboard->late.offer;
        return late;
    }
    return NULL;
}

void clipboard_answer(struct x11_desktop *desktop, const XSelectionRequestEvent *request)
{
    Atom property = request->property != None ? request->property : request->target;
    struct owned_selection late;
    const struct owned_selection *owned =
        owned_as(desktop, request->selection, request->requestor, &late);
    XEvent reply = { .xselection = { .type = SelectionNotify,
                                     .requestor = request->requestor,
                                     .selection = request->selection,
                                     .target = request->target,
                                     .property = property,
                                     .time = request->time } };

    if (!owned)
        reply.xselection.property = None;
    else if (request->target == A(MULTIPLE) && request->property != None)
        answer_many(desktop, owned, request);
    else if (!answer_one(desktop, owned, request->requestor, request->target, property))
        reply.xselection.property = None;
    XSendEvent(desktop->display, request->requestor, False, NoEventMask, &reply);
    XFlush(desktop->display);
}

/* --- asking ------------------------------------------------------------------------ */

static bool no_answer(struct error *err)
{
    return error_set(err, "clipboard_no_answer",
                     "the application that owns the clipboard did not respond within %d s. Copy "
                     "something else to replace its content",
                     CLIP_SILENCE_MS / 1000);
}

/* Waits until an event sets the flag. */
static bool await_flag(struct x11_desktop *desktop, struct deadline *deadline, const bool *flag,
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

/* Takes pieces until an empty one. */
static bool take_pieces(struct x11_desktop *desktop, struct deadline *deadline, size_t max,
                        struct buf *out, Atom *type, struct error *err)
{
    struct x11_clipboard *clipboard = desktop->clipboard;
    size_t start = out->len, got;

    for (;;) {
        if (!await_flag(desktop, deadline, &clipboard->fresh, err))
            return false;
        clipboard->fresh = false;
        if (!take_property(desktop, max - (out->len - start), out, &got, type, err))
            return false;
        if (*type != None && got == 0)
            return true;
    }
}

/* Waits for the end of the transfers we gave up, because their owner may answer no other request
 * before. */
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
    if (!await_flag(desktop, deadline, &clipboard->notified, err))
        return false;
    if (clipboard->refused)
        return error_set(err, "clipboard_refused",
                         "the clipboard's owner has nothing of this type");
    clipboard->fresh = false; /* the pieces are reported after this property was taken */
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
