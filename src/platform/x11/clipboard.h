/* The inside of the clipboard: what we own, what we are sending, what we have seen. */
#ifndef PERIGEE_PLATFORM_X11_CLIPBOARD_H
#define PERIGEE_PLATFORM_X11_CLIPBOARD_H

#include "base/list.h"
#include "platform/x11/x11.h"

enum {
    CLIP_PROPERTIES = 8,
    CLIP_CHUNK = 256 << 10, /* bytes of a piece of an INCR transfer */
    CLIP_SILENCE_MS = 2000, /* an owner that says nothing for so long does not answer */
    CLIP_STALE_MS = 30000,  /* a requestor that stopped taking pieces */
};

/* What we put on the clipboard; transfers keep it after it was replaced. */
struct offer {
    struct clip clip;
    int refs;
};

/* A long answer on its way, piece by piece (INCR). */
struct transfer {
    struct link link; /* in clipboard->transfers */
    struct offer *offer;
    Window requestor;
    Atom property, type;
    const char *data;
    size_t len, done;
    uint64_t touched; /* ticket_now() of the last piece */
};

struct x11_clipboard {
    struct offer *offer; /* NULL: we own nothing */
    Time owned_at;
    struct link transfers;

    /* A read in progress. */
    unsigned serial; /* every conversion answers into another property */
    Atom property;
    bool notified, refused, fresh;  /* answered; without data; a new piece is there */
    Atom unwanted[CLIP_PROPERTIES]; /* transfers we gave up: their pieces are taken and dropped,
                                       because some owners serve nobody else before the end */

    struct clip_list history;
    size_t history_entries, history_bytes;
    bool history_due; /* somebody copied */
};

/* selection.c: the answering side */
void offer_free(struct offer *offer);
void clipboard_answer(struct desktop *desktop, const XSelectionRequestEvent *request);
void clipboard_go_on(struct desktop *desktop, const XPropertyEvent *event);
void clipboard_drop_transfers(struct desktop *desktop);

/* selection_read.c: the asking side */

/* Appends what the owner has as `target`. *type is what it came as. False: "clipboard_refused",
 * "clipboard_no_answer", "too_large". */
bool clipboard_convert(struct desktop *desktop, struct ticket *ticket, Atom target, size_t max,
                       struct buf *out, Atom *type, struct error *err);

#endif
