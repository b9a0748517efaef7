/* The general pasteboard, by the Pasteboard Manager: clipboard.c and paste.c share it.
 *
 * The Pasteboard Manager is not thread-safe (HIServices/Pasteboard.h says so of each function), and
 * two queues use it: all functions are called between pasteboard_enter() and pasteboard_leave().
 * Types are uniform type identifiers. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_PASTEBOARD_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_PASTEBOARD_H

#include "platform/macos/system/cf.h"

/* Waits for its turn: another call may be waiting for an application that does not give its
 * promised content. "clipboard_no_answer". */
bool pasteboard_enter(struct deadline *deadline, struct error *err);
/* Enters without waiting. False: another call is inside. */
bool pasteboard_try(void);
void pasteboard_leave(void);

/* Opens the board; owned; NULL and "clipboard_failed". */
PasteboardRef pasteboard_open(struct error *err) GIVES_REF;

bool pasteboard_fail(OSStatus status, const char *what, struct error *err);

/* Counts the items from 1; pasteboard_item() returns NULL for an item that does not exist. */
size_t pasteboard_count(PasteboardRef board);
PasteboardItemID pasteboard_item(PasteboardRef board, size_t at);

/* Reads a type of an item; owned; NULL if the item has no such type, or its owner does not give
 * it. */
CFDataRef pasteboard_copy(PasteboardRef board, PasteboardItemID item, const char *uti) GIVES_REF;
/* Adds a line to a list of URLs, from a public.file-url. */
void pasteboard_add_url(struct buf *lines, CFDataRef data);
OSStatus pasteboard_put(PasteboardRef board, uintptr_t item, const char *uti, const char *data,
                        size_t len);

/* True for the types with which password managers mark their copies (nspasteboard.org). */
bool pasteboard_is_mark(const char *uti);
OSStatus pasteboard_mark(PasteboardRef board);

/* All content of the board, to be put back. */
struct pasteboard_copy {
    struct pasteboard_flavor {
        uintptr_t item;
        char *uti;
        CFDataRef data;
    } * flavors;
    size_t count, bytes;
    bool whole; /* all content came, and fits into CLIP_BYTES_MAX */
};

void pasteboard_save(PasteboardRef board, struct pasteboard_copy *out);
/* Puts the copy in place of the present content. */
OSStatus pasteboard_restore(PasteboardRef board, const struct pasteboard_copy *copy);
void pasteboard_copy_free(struct pasteboard_copy *copy);

#endif
