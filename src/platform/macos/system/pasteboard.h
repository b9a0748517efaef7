/* The general pasteboard, by the Pasteboard Manager: what clipboard.c and paste.c share.
 *
 * The Pasteboard Manager is not thread-safe (HIServices/Pasteboard.h says so of each function), and
 * two queues have a use for it: all of these are for between pasteboard_enter() and
 * pasteboard_leave(). Types are uniform type identifiers. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_PASTEBOARD_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_PASTEBOARD_H

#include "platform/macos/system/cf.h"

/* Waits for its turn: another call may stand in front of an application that does not give what it
 * has copied. "clipboard_no_answer". */
bool pasteboard_enter(struct deadline *deadline, struct error *err);
/* False: somebody else is there. */
bool pasteboard_try(void);
void pasteboard_leave(void);

/* Owned; NULL and "clipboard_failed". */
PasteboardRef pasteboard_open(struct error *err) GIVES_REF;

bool pasteboard_fail(OSStatus status, const char *what, struct error *err);

/* Items count from 1; NULL: there is no such item. */
size_t pasteboard_count(PasteboardRef board);
PasteboardItemID pasteboard_item(PasteboardRef board, size_t at);

/* Owned; NULL when the item has no such type, or its owner does not give it. */
CFDataRef pasteboard_copy(PasteboardRef board, PasteboardItemID item, const char *uti) GIVES_REF;
/* A line of a list of URLs, out of a public.file-url. */
void pasteboard_add_url(struct buf *lines, CFDataRef data);
OSStatus pasteboard_put(PasteboardRef board, uintptr_t item, const char *uti, const char *data,
                        size_t len);

/* What password managers mark (nspasteboard.org). */
bool pasteboard_is_mark(const char *uti);
OSStatus pasteboard_mark(PasteboardRef board);

/* All that is on it, to be put back. */
struct pasteboard_copy {
    struct pasteboard_flavor {
        uintptr_t item;
        char *uti;
        CFDataRef data;
    } * flavors;
    size_t count, bytes;
    bool whole; /* everything came, and fits into CLIP_BYTES_MAX */
};

void pasteboard_save(PasteboardRef board, struct pasteboard_copy *out);
/* In place of what is there. */
OSStatus pasteboard_restore(PasteboardRef board, const struct pasteboard_copy *copy);
void pasteboard_copy_free(struct pasteboard_copy *copy);

#endif
