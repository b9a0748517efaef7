/* A process of this program's own, `perigee --event-process`, whose main run loop runs: it writes a
 * line for each event that macOS reports only there. These are applications that come and go,
 * displays, the clipboard's count, hot keys. It waits for no application, and takes no processor
 * time between events, except for the values that have to be asked for, while they are wanted: the
 * clipboard's count, and the time when keyboard and pointer were used.
 *
 * The main thread of the engine has a loop of its own, which does not get AppKit's events.
 *
 * Lines to it:    key NUMBER MODIFIERS KEY POINT    a hot key (struct watch_hotkey)
 *                 want NUMBER KINDS                 these keys, and no others; enum watch_kind
 * Lines from it:  WORD NUMBER [CODE MESSAGE]        as struct event_process_news
 *
 * It ends when the lines to it do. */
#ifndef PERIGEE_PLATFORM_MACOS_EVENT_PROCESS_H
#define PERIGEE_PLATFORM_MACOS_EVENT_PROCESS_H

#include "platform/watch.h"

enum event_process_what {
    EVENT_PROCESS_APP,    /* number: the process of a running application */
    EVENT_PROCESS_ENDED,  /* number: the process that ended */
    EVENT_PROCESS_ACTIVE, /* number: the process of the application in front */
    EVENT_PROCESS_HIDDEN, /* number: the process; by Hide */
    EVENT_PROCESS_SHOWN,
    EVENT_PROCESS_SPACE,     /* another Space is shown */
    EVENT_PROCESS_DISPLAYS,  /* a display changed */
    EVENT_PROCESS_CLIPBOARD, /* number: count of changes of its content */
    EVENT_PROCESS_USED, /* the keyboard or the pointer was used, after a second or more of rest */
    EVENT_PROCESS_PRESSED, /* number: that of the hot key */
    EVENT_PROCESS_RELEASED,
    EVENT_PROCESS_REFUSED, /* number: that of the hot key; why */
    EVENT_PROCESS_BEGUN,   /* number: the request whose events come from now on */
    EVENT_PROCESS_WHATS,
};

struct event_process_news {
    enum event_process_what what;
    long number;
    struct error why; /* REFUSED */
};

struct event_process_told {
    void (*news)(void *arg, const struct event_process_news *news);
    void (*lost)(void *arg); /* the process has ended */
    void *arg;
};

struct event_process;

/* Starts the process. Its news come while the run loop of the calling thread runs, from the first
 * event_process_want() on: first the running applications, then the one in front. NULL:
 * "display_lost", it cannot be started. */
struct event_process *event_process_new(const struct event_process_told *told, struct error *err);
void event_process_free(struct event_process *process); /* NULL is fine */

/* False: "display_lost", it has ended. */
bool event_process_want(struct event_process *process, unsigned number,
                        const struct watch_wanted *wanted, struct error *err);

/* --- the lines, for both ends --------------------------------------------------------------- */

/* Adds a line, with its end. */
void event_process_line_add(struct buf *out, const struct event_process_news *news);
/* Reads a line, and writes in it. False: it is not such a line. */
bool event_process_line_read(char *line, struct event_process_news *news);

/* --- the process ----------------------------------------------------------------------------- */

struct event_process_child {
    int to, from; /* pipes to it and from it; -1: closed */
    long id;
};

/* Starts it; "display_lost". */
bool event_process_start(struct event_process_child *child, struct error *err);
/* Closes the pipes, and does not wait. */
void event_process_end(struct event_process_child *child);

/* The work of that process, until the lines on `in` end; returns an exit code. */
int event_process_serve(int in, int out);

#endif
