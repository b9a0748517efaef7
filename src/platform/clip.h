/* The clipboard's part of platform.h, whose rules hold here, too. */
#ifndef PERIGEE_PLATFORM_CLIP_H
#define PERIGEE_PLATFORM_CLIP_H

#include "base/buf.h"
#include "base/error.h"
#include "platform/deadline.h"

struct desktop;

enum {
    CLIP_BYTES_MAX = 64 << 20,
    CLIP_HISTORY_MAX = 100,        /* entries */
    CLIP_HISTORY_BYTES = 16 << 20, /* all entries together */
};

/* One representation. Types are media types: "text/plain" (UTF-8), "text/html",
 * "image/png", "text/uri-list", or whatever an application offers. */
struct clip_part {
    char *type;
    char *data;
    size_t len;
};

struct clip {
    struct clip_part *parts;
    size_t count;
    char **types; /* all that the owner offers, even those that were not read */
    size_t type_count;
    bool secret;   /* a password manager marked it */
    uint64_t when; /* milliseconds since 1970; in the history only */
};

struct clip_list {
    struct clip *items; /* newest first */
    size_t count;
};

/* A question whether an application has copied something since. */
struct clip_changes {
    uint64_t since;  /* an earlier answer's `next`, below 2^53; 0: none, nothing has changed */
    uint64_t window; /* a window of the application that may have done it; 0: any */
    uint64_t next;   /* out: the mark of now */
    bool changed;    /* out: an application has copied something, or cleared the clipboard */
    enum { CLIP_BY_UNKNOWN, CLIP_BY_WINDOW, CLIP_BY_OTHER } by; /* out: the system may not say */
};

/* The state that is lost with a connection. */
struct clip_state {
    struct clip clip; /* its own clipboard content; no parts: none */
    struct clip_list history;
    size_t entries, entry_bytes; /* as given to keep_history() */
};

/* Permission: none. Codes: "too_large", "clipboard_no_answer" (its owner hangs),
 * "clipboard_refused" (its owner has no such type). */
struct clipboard_ops {
    /* Reads the types (NULL-terminated; NULL: text/plain, text/html, text/uri-list and image/png,
     * those there are). An empty clipboard is a clip without parts. max_bytes 0: CLIP_BYTES_MAX. */
    bool (*read)(struct desktop *desktop, struct deadline *deadline, const char *const *types,
                 size_t max_bytes, struct clip *out, struct error *err);
    /* Copies the parts and owns the clipboard, until another application does. The content at the
     * end of the connection outlives it: close() sees to that. */
    bool (*write)(struct desktop *desktop, struct deadline *deadline, const struct clip *clip,
                  struct error *err);
    bool (*clear)(struct desktop *desktop, struct deadline *deadline, struct error *err);
    /* Keeps copies from now on, as clip_history_add() does: at most `entries` (up to
     * CLIP_HISTORY_MAX) and entry_bytes each. 0 entries: stop and forget. */
    bool (*keep_history)(struct desktop *desktop, struct deadline *deadline, size_t entries,
                         size_t entry_bytes, struct error *err);
    bool (*history)(struct desktop *desktop, struct deadline *deadline, struct clip_list *out,
                    struct error *err);

    /* Counts copies of other applications from the first call on. Asks no owner for anything.
     * "not_supported". */
    bool (*changes)(struct desktop *desktop, struct deadline *deadline,
                    struct clip_changes *changes, struct error *err);

    /* For a caller that opens another connection after this one died; NULL if nothing is lost with
     * a connection. retire() moves the state of the old one out (zeroed: none); adopt() moves it
     * in, the content only if no other application has the clipboard by then. */
    void (*retire)(struct desktop *desktop, struct clip_state *out);
    void (*adopt)(struct desktop *desktop, struct clip_state *state);
};

void clip_state_free(struct clip_state *state);
void clip_free(struct clip *clip);
void clip_list_free(struct clip_list *list);
/* Adds a copy. */
void clip_add(struct clip *clip, const char *type, const char *data, size_t len);
/* Adds copies of all its parts. */
void clip_add_all(struct clip *clip, const struct clip *from);
/* NULL: no such part. */
const struct clip_part *clip_part(const struct clip *clip, const char *type);
/* True if it is among the offered types. */
bool clip_has_type(const struct clip *clip, const char *type);

/* --- the history  ------------------------------------------------------ */

/* Keeps the text, HTML and files of a clip, and its picture if there is no text. read() is called
 * for each part: it adds the part if there is one, and is false if the part cannot be had. False if
 * that is the text: the other parts only stand for it, so there shall be no entry. */
bool clip_history_read(struct clip *clip,
                       bool (*read)(void *arg, const char *type, struct clip *clip), void *arg);
/* Puts a copy of what is kept in front of the history. A part that would make the entry longer than
 * entry_bytes is left out; when that is its text, there is no entry. There is none either when the
 * clip is secret, or the same as the newest one. The oldest entries are dropped until at most
 * `entries` are left, with at most CLIP_HISTORY_BYTES. */
void clip_history_add(struct clip_list *history, size_t entries, size_t entry_bytes,
                      const struct clip *clip);
void clip_history_trim(struct clip_list *history, size_t entries);
/* out: clip_list_free() */
void clip_history_copy(const struct clip_list *from, struct clip_list *out);

#endif
