/* The inside of the clipboard: our offers, the transfers on their way, the history. */
#ifndef PERIGEE_PLATFORM_X11_CLIPBOARD_CLIPBOARD_H
#define PERIGEE_PLATFORM_X11_CLIPBOARD_CLIPBOARD_H

#include "base/list.h"
#include "platform/x11/wire/x11.h"

enum {
    CLIP_PROPERTIES = 8,
    CLIP_COPIERS = 8,       /* copies of which the client is kept */
    CLIP_CHUNK = 256 << 10, /* bytes of a piece of an INCR transfer */
    CLIP_SILENCE_MS = 2000, /* an owner that is silent for so long does not answer */
    CLIP_STALE_MS = 30000,  /* a requestor that takes no piece for so long has stopped */
};

/* The selections we may own. PRIMARY serves only to paste into programs that know no other, XDND
 * for files that are dropped. */
enum selection { SELECTION_CLIPBOARD, SELECTION_PRIMARY, SELECTION_XDND, SELECTION_COUNT };

/* Our content of the clipboard; transfers keep it after it was replaced. */
struct offer {
    struct clip clip;
    int refs;
    bool watched;       /* it is being pasted, and its readers are of interest */
    uint32_t reader;    /* the client (the base of its ids) that it is meant for */
    unsigned questions; /* questions of any kind from the reader */
    bool given, read; /* the reader was sent the text; it took the text off the property, which not
                         all do */
    bool given_other; /* another client was sent the text */
    uint32_t other;   /* that client */
    uint32_t bystander; /* a client that reads all copies (a clipboard manager), and is ignored */
    uint64_t touched;   /* deadline_now() of the last question or piece */
};

/* An answer on its way: sent piece by piece (INCR), or watched until it was taken off. */
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
        bool untold; /* the content was changed, and no client has been told yet */
    } owned[SELECTION_COUNT];
    struct link transfers;
    struct late_reader {     /* a client that may still read for a paste that is over */
        struct offer *offer; /* NULL: none. offer->reader gets it instead of owned[].offer */
        enum selection which;
        uint64_t until, calm_ms; /* calm_ms without a question: the reader has inserted the text */
    } late;

    /* A read in progress. */
    Atom selection;
    unsigned serial; /* every conversion answers into another property */
    Atom property;
    bool notified, refused, fresh;  /* answered; without data; a new piece is there */
    Atom unwanted[CLIP_PROPERTIES]; /* transfers we gave up: their pieces are taken and dropped,
                                       because some owners serve no other request before the end */

    struct clip_list history;
    size_t history_entries, history_bytes;
    bool history_due;       /* an application copied */
    uint64_t copies, first; /* marks: of the newest copy of another application (0: none is counted
                               yet), and of the beginning */
    uint32_t copiers[CLIP_COPIERS]; /* the clients of the newest copies, by their marks */
};

extern const char clipboard_secret_type[]; /* password managers mark copies by it */

void x11_clipboard_event(struct x11_desktop *desktop, XEvent *event);
/* Does the work that is due between operations; returns the milliseconds until more is due, or
 * -1. */
int x11_clipboard_idle(struct x11_desktop *desktop);
void x11_clipboard_free(struct x11_desktop *desktop);

/* late_reader.c */

/* The milliseconds that the late reader may still read, or -1: its time is over. */
int x11_clipboard_late_ms(struct x11_desktop *desktop);
/* Ends the late reader's time: tells all clients of the present content. */
void x11_clipboard_end_late(struct x11_desktop *desktop);
/* Waits until the late reader has been calm for long enough. */
bool x11_clipboard_await_calm(struct x11_desktop *desktop, struct deadline *deadline,
                              struct error *err);
/* Makes our content a copy of `clip` for all but the reader of `offer`, which still gets `offer`;
 * for `ms`, or until x11_clipboard_end_late(), when an empty clipboard is given up. */
bool clipboard_serve_late(struct x11_desktop *desktop, enum selection which,
                          const struct clip *clip, struct offer *offer, uint64_t ms,
                          uint64_t calm_ms);

/* keeper.c. Hands our content of the clipboard to a process of its own, which serves it until
 * another application copies something; this connection is dead then. */
void x11_leave_clipboard(struct x11_desktop *desktop);

/* copies.c */

/* Counts a copy of another application, once clipboard_changes() was asked. */
void clipboard_note_copy(struct x11_desktop *desktop, Window owner);
bool clipboard_changes(struct desktop *handle, struct deadline *deadline,
                       struct clip_changes *changes, struct error *err);

/* clipboard.c */

/* Asks the server to report new owners, if the history or copies.c needs it. */
void clipboard_select_owners(struct x11_desktop *desktop);
/* Begins an operation; each calls it first. */
bool clipboard_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);
Atom clipboard_atom(const struct x11_desktop *desktop, enum selection which);
/* Reads the owner's targets, as names, into out->types. */
bool clipboard_read_types(struct x11_desktop *desktop, struct deadline *deadline,
                          enum selection which, struct clip *out, struct error *err);
/* Adds the part if its type is among out->types. */
bool clipboard_read_part(struct x11_desktop *desktop, struct deadline *deadline,
                         enum selection which, const char *type, size_t max, struct clip *out,
                         struct error *err);
/* Becomes the owner with a copy of `clip`. The offer lives as long as we own the selection. */
struct offer *clipboard_own(struct x11_desktop *desktop, struct deadline *deadline,
                            enum selection which, const struct clip *clip, struct error *err);
/* Makes our content a copy of `clip`, and tells no client before clipboard_tell(). False: another
 * application has become the owner. */
bool clipboard_change(struct x11_desktop *desktop, enum selection which, const struct clip *clip);
void clipboard_tell(struct x11_desktop *desktop, enum selection which);
/* Gives the selection up if it is ours. */
void clipboard_disown(struct x11_desktop *desktop, enum selection which);

/* selection.c */
void offer_free(struct offer *offer);
void clipboard_answer(struct x11_desktop *desktop, const XSelectionRequestEvent *request);
void clipboard_go_on(struct x11_desktop *desktop, const XPropertyEvent *event);
void clipboard_requestor_gone(struct x11_desktop *desktop, Window requestor);
void clipboard_drop_transfers(struct x11_desktop *desktop);
/* True if a transfer of the offer is still on its way. */
bool clipboard_is_sending(struct x11_desktop *desktop, const struct offer *offer);

/* Appends the owner's data of the type `target`. *type is the type it came as. False:
 * "clipboard_refused", "clipboard_no_answer", "too_large". */
bool clipboard_convert(struct x11_desktop *desktop, struct deadline *deadline, enum selection which,
                       Atom target, size_t max, struct buf *out, Atom *type, struct error *err);

#endif
