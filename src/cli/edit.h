/* Editing a text of one or several lines on a terminal, by libedit, which sits in the module
 * "libedit" and is opened when the first prompt is shown. Main thread only. */
#ifndef PERIGEE_CLI_EDIT_H
#define PERIGEE_CLI_EDIT_H

#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"

struct edit;

struct edit_spec {
    FILE *in, *out;      /* the terminal; borrowed */
    const char *history; /* file, made for the user alone; NULL: none kept. Copied */

    /* Enter: does this text go on with another line? */
    bool (*unfinished)(void *arg, const char *text, size_t len);
    void *arg;
};

enum edit_event {
    EDIT_MORE, /* the text goes on */
    EDIT_TAB,  /* it is to be completed: edit_ops.before, edit_ops.offer */
    EDIT_LINE, /* it is complete: edit_ops.line */
    EDIT_END,  /* Ctrl-D on an empty line, or the terminal is gone */
};

/* The operations that the module exports as `perigee_edit`. */
struct edit_ops {
    struct edit *(*open)(const struct edit_spec *spec, struct error *err);

    /* Writes the history and gives the terminal back. NULL is fine. */
    void (*close)(struct edit *edit);

    /* Shows the prompt (copied) and takes the terminal, until pause(). */
    void (*begin)(struct edit *edit, const char *prompt);

    /* Gives the terminal back; drop() in the middle of a text, which is dropped: the cursor goes
     * below its last row, unless it is there. */
    void (*pause)(struct edit *edit);
    void (*drop)(struct edit *edit);

    /* Takes in a key: when there is something to read. */
    enum edit_event (*read)(struct edit *edit);

    /* After EDIT_LINE: without its line end, ended by NUL. Borrowed until the next call. */
    struct str (*line)(const struct edit *edit);

    /* After EDIT_TAB: what stands before the cursor. Borrowed until the next call. */
    struct str (*before)(const struct edit *edit);

    /* Then: gives the words that may replace its last `replace` bytes, each ended by NUL. If there
     * are several, their common beginning is typed, or all are shown. `hint` is shown if there is
     * none; NULL: nothing. */
    void (*offer)(struct edit *edit, const struct buf *found, size_t replace, const char *hint);

    /* Adds a line to the history. */
    void (*remember)(struct edit *edit, const char *line);

    /* After SIGWINCH, and after SIGCONT. */
    void (*resized)(struct edit *edit);
    void (*continued)(struct edit *edit);
};

#endif
