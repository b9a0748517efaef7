/* Editing a line on a terminal, by libedit, which sits in the module "libedit" and
 * is opened when the first prompt is shown. Main thread only. */
#ifndef PERIGEE_CLI_EDIT_H
#define PERIGEE_CLI_EDIT_H

#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"

struct edit;

struct edit_spec {
    FILE *in, *out;      /* the terminal; borrowed */
    const char *history; /* file, made for the user alone; NULL: none kept. Copied */

    /* Tab: adds what may stand at the cursor instead of the last `*replace` bytes of
     * `line`, each ended by NUL. */
    void (*complete)(void *arg, const char *line, size_t len, struct buf *out, size_t *replace);
    void *arg;
};

enum edit_event {
    EDIT_MORE, /* the line goes on */
    EDIT_LINE, /* it is complete: edit_ops.line */
    EDIT_END,  /* Ctrl-D on an empty line, or the terminal is gone */
};

/* What the module exports as `perigee_edit`. */
struct edit_ops {
    struct edit *(*open)(const struct edit_spec *spec, struct error *err);

    /* Writes the history and gives the terminal back. NULL is fine. */
    void (*close)(struct edit *edit);

    /* Shows the prompt (copied) and takes the terminal, until pause(). */
    void (*begin)(struct edit *edit, const char *prompt);

    /* Gives the terminal back, whatever was typed of the line is dropped. */
    void (*pause)(struct edit *edit);

    /* Takes in a key: when there is something to read. */
    enum edit_event (*read)(struct edit *edit);

    /* After EDIT_LINE: without its line end, ended by NUL. Borrowed until the next call. */
    struct str (*line)(const struct edit *edit);

    /* Adds a line to the history. */
    void (*remember)(struct edit *edit, const char *line);

    /* After SIGWINCH, and after SIGCONT. */
    void (*resized)(struct edit *edit);
    void (*continued)(struct edit *edit);
};

#endif
