/* The inside of the clipboard: what we own, what we are sending, what we have seen. */
#ifndef PERIGEE_PLATFORM_X11_CLIPBOARD_CLIPBOARD_H
#define PERIGEE_PLATFORM_X11_CLIPBOARD_CLIPBOARD_H

#include "base/list.h"
#include "platform/x11/wire/x11.h"

enum {
    CLIP_PROPERTIES = 8,
    CLIP_CHUNK = 256 << 10, /* bytes of a piece of an INCR transfer */
    CLIP_SILENCE_MS = 2000, /* an owner that says nothing for so long does not answer */
    CLIP_STALE_MS = 30000,  /* a requestor that stopped taking pieces */
};

/* The selections we may own. PRIMARY only to paste into programs that know no other. */
enum selection { SELECTION_CLIPBOARD, SELECTION_PRIMARY, SELECTION_COUNT };

/* What we put on the clipboard; transfers keep it after it was replaced. */
struct offer {
    struct clip clip;
    int refs;
    bool watched;       /* it is pasted, and who reads it is of interest: */
    uint32_t reader;    /* the client (the base of its ids) it is meant for */
    unsigned questions; /* that the reader has asked, of any kind */
    bool given, read;   /* it was sent the text; it took it off the property, which not all do */
    bool given_other;   /* another client was sent it: */
    uint32_t other;     /* this one */
    uint32_t bystander; /* reads all that is copied (a clipboard manager), and does not count */
    uint64_t touched;   /* deadline_now() of the last question or piece */
};

/* An answer on its way: piece by piece (INCR), or one that is watched until it was taken off. */
struct transfer {
    struct link link; /* in clipboard->transfers */
    struct offer *offer;
    Window requestor;
    Atom property, type;
    const char *data;
    size_t len, done;
    bool whole;       /* all of it is in the property */
    uint64_t touched; /* deadline_now() of the last piece */
};

struct x11_clipboard {
    struct owned_selection {
        struct offer *offer; /* NULL: we own nothing */
        Time at;
        bool untold; /* its content was changed, and nobody has been told of that yet */
    } owned[SELECTION_COUNT];
    struct link transfers;
    struct late_reader {     /* of a paste that is over */
        struct offer *offer; /* NULL: none. What offer->reader gets in place of what we own */
        enum selection which;
        uint64_t until, calm_ms; /* without a question: it has inserted what it read */
    } late;

    /* A read in progress. */
    Atom selection;
    unsigned serial; /* every conversion answers into another property */
    Atom property;
    bool notified, refused, fresh;  /* answered; without data; a new piece is there */
    Atom unwanted[CLIP_PROPERTIES]; /* transfers we gave up: their pieces are taken and dropped,
                                       because some owners serve nobody else before the end */

    struct clip_list history;
    size_t history_entries, history_bytes;
    bool history_due; /* somebody copied */
};

extern const char clipboard_secret_type[]; /* what password managers mark their copies with */

void x11_clipboard_event(struct x11_desktop *desktop, XEvent *event);
/* What is due between operations; returns the milliseconds until something is again, or -1. */
int x11_clipboard_idle(struct x11_desktop *desktop);
void x11_clipboard_free(struct x11_desktop *desktop);

/* late_reader.c */

/* The milliseconds that it may still read, or -1: then it is over. */
int x11_clipboard_late_ms(struct x11_desktop *desktop);
/* Nobody reads for a paste that is over any more: tells what is on the clipboard now. */
void x11_clipboard_end_late(struct x11_desktop *desktop);
/* Waits until the late reader has been calm for its time. */
bool x11_clipboard_await_calm(struct x11_desktop *desktop, struct deadline *deadline,
                              struct error *err);
/* What we own becomes a copy of `clip` for all but the reader of `offer`, which that is still meant
 * for; for `ms`, or until x11_clipboard_end_late(). Then what is empty is given up. */
bool clipboard_serve_late(struct x11_desktop *desktop, enum selection which,
                          const struct clip *clip, struct offer *offer, uint64_t ms,
                          uint64_t calm_ms);

/* keeper.c. What it owns of the clipboard is served by a process of its own from now on, until
 * somebody else copies something; this connection is dead then. */
void x11_leave_clipboard(struct x11_desktop *desktop);

/* clipboard.c */

/* Every operation's first line. */
bool clipboard_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);
Atom clipboard_atom(const struct x11_desktop *desktop, enum selection which);
/* The targets its owner has, as names, into out->types. */
bool clipboard_read_types(struct x11_desktop *desktop, struct deadline *deadline,
                          enum selection which, struct clip *out, struct error *err);
/* Adds the part, if it is among out->types. */
bool clipboard_read_part(struct x11_desktop *desktop, struct deadline *deadline,
                         enum selection which, const char *type, size_t max, struct clip *out,
                         struct error *err);
/* Becomes the owner, with a copy, which lives as long as it owns it. */
struct offer *clipboard_own(struct x11_desktop *desktop, struct deadline *deadline,
                            enum selection which, const struct clip *clip, struct error *err);
/* What we own becomes a copy of `clip`, without a word to anybody before clipboard_tell(). False:
 * it was taken. */
bool clipboard_change(struct x11_desktop *desktop, enum selection which, const struct clip *clip);
void clipboard_tell(struct x11_desktop *desktop, enum selection which);
/* Gives the selection up, if it is ours. */
void clipboard_disown(struct x11_desktop *desktop, enum selection which);

/* selection.c */
void offer_free(struct offer *offer);
void clipboard_answer(struct x11_desktop *desktop, const XSelectionRequestEvent *request);
void clipboard_go_on(struct x11_desktop *desktop, const XPropertyEvent *event);
void clipboard_requestor_gone(struct x11_desktop *desktop, Window requestor);
void clipboard_drop_transfers(struct x11_desktop *desktop);
/* Whether pieces of it are still to be taken. */
bool clipboard_is_sending(struct x11_desktop *desktop, const struct offer *offer);

/* Appends what the owner has as `target`. *type is what it came as. False: "clipboard_refused",
 * "clipboard_no_answer", "too_large". */
bool clipboard_convert(struct x11_desktop *desktop, struct deadline *deadline, enum selection which,
                       Atom target, size_t max, struct buf *out, Atom *type, struct error *err);

#endif
