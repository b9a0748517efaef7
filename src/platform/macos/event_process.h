/* A process of this program's own, `perigee --herald`, whose main run loop runs: it writes a line
 * for each event that macOS reports only there. These are applications that come and go, displays,
 * the clipboard's count, hot keys. It waits for no application, and takes no processor time between
 * events, except for the values that have to be asked for, while they are wanted: the clipboard's
 * count, and the time when keyboard and pointer were used.
 *
 * The main thread of the engine has a loop of its own, which does not get AppKit's events.
 *
 * Lines to it:    key NUMBER MODIFIERS KEY POINT    a hot key (struct watch_hotkey)
 *                 want NUMBER KINDS                 these keys, and no others; enum watch_kind
 * Lines from it:  WORD NUMBER [CODE MESSAGE]        as struct herald_news
 *
 * It ends when the lines to it do. */
#ifndef PERIGEE_PLATFORM_MACOS_EVENT_PROCESS_H
#define PERIGEE_PLATFORM_MACOS_EVENT_PROCESS_H

#include "platform/watch.h"

enum herald_what {
    HERALD_APP,    /* number: the process of a running application */
    HERALD_ENDED,  /* number: the process that ended */
    HERALD_ACTIVE, /* number: the process of the application in front */
    HERALD_HIDDEN, /* number: the process; by Hide */
    HERALD_SHOWN,
    HERALD_SPACE,     /* another Space is shown */
    HERALD_DISPLAYS,  /* a display changed */
    HERALD_CLIPBOARD, /* number: count of changes of its content */
    HERALD_USED,      /* the keyboard or the pointer was used, after a second or more of rest */
    HERALD_PRESSED,   /* number: that of the hot key */
    HERALD_RELEASED,
    HERALD_REFUSED, /* number: that of the hot key; why */
    HERALD_BEGUN,   /* number: the request whose events come from now on */
    HERALD_WHATS,
};

struct herald_news {
    enum herald_what what;
    long number;
    struct error why; /* REFUSED */
};

struct herald_told {
    void (*news)(void *arg, const struct herald_news *news);
    void (*lost)(void *arg); /* the process has ended */
    void *arg;
};

struct herald;

/* Starts the process. Its news come while the run loop of the calling thread runs, from the first
 * herald_want() on: first the running applications, then the one in front. NULL: "display_lost", it
 * cannot be started. */
struct herald *herald_new(const struct herald_told *told, struct error *err);
void herald_free(struct herald *herald); /* NULL is fine */

/* False: "display_lost", it has ended. */
bool herald_want(struct herald *herald, unsigned number, const struct watch_wanted *wanted,
                 struct error *err);

/* --- the lines, for both ends --------------------------------------------------------------- */

/* Adds a line, with its end. */
void herald_line_add(struct buf *out, const struct herald_news *news);
/* Reads a line, and writes in it. False: it is not such a line. */
bool herald_line_read(char *line, struct herald_news *news);

/* --- the process ----------------------------------------------------------------------------- */

struct herald_process {
    int to, from; /* pipes to it and from it; -1: closed */
    long id;
};

/* Starts it; "display_lost". */
bool herald_process_start(struct herald_process *process, struct error *err);
/* Closes the pipes, and does not wait. */
void herald_process_end(struct herald_process *process);

/* The work of that process, until the lines on `in` end; returns an exit code. */
int herald_serve(int in, int out);

#endif
