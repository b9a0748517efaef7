/* The lines of JSON between `perigee --notify` and its engine (serve.c).
 *
 * The first line from it is {"what":"ready"}, or {"what":"no_bundle"}, and then it ends. Lines to
 * it are requests:
 *
 *     {"request":1,"do":"show","id":"a","category":"c","title":"T","text":"","buttons":["Yes"],
 *      "reply":"","urgency":"normal","image":"/a.png","timeout":5,"held":false,"replaces":false}
 *     {"request":2,"do":"remove","id":"a"}
 *
 * Each is answered, {"request":1,"image":true,"urgent":false} (which wishes were granted) or
 * {"request":1,"code":"denied","why":"..."}: "denied" and "unanswered" by the user, "timeout",
 * "failed", "closed" (there is no such notification), "busy". Lines from it also report the user's
 * actions:
 *
 *     {"id":"a","what":"button","index":1}   {"id":"a","what":"reply","text":"..."}
 *     {"id":"a","what":"clicked"}            {"id":"a","what":"closed","reason":"dismissed"}
 *
 * "closed" is the last line of each notification: "dismissed", "expired", or "unknown". */
#ifndef PERIGEE_PLATFORM_MACOS_NOTIFY_LINES_H
#define PERIGEE_PLATFORM_MACOS_NOTIFY_LINES_H

#include <stdint.h>

#include "json/document.h"
#include "platform/macos/system/notes.h"

enum { NOTIFY_BUTTONS_MOST = 8 };

/* A request. Its strings belong to the document, except the image's path. */
struct notify_request {
    struct json_doc *doc;
    int64_t number;
    const char *id; /* NULL: it is not a valid request, or has no id */
    bool shows;     /* true: it shows; false: it removes */
    struct note note;
    const char *buttons[NOTIFY_BUTTONS_MOST];
    char *image;    /* a copy of the file; NULL: none, or macOS does not show it */
    double timeout; /* seconds; 0: none */
    bool held;      /* it is removed when the engine ends */
    bool replaces;  /* it replaces a shown notification; it is not shown if that was closed */
};

/* Reads a request; owned. NULL: the line is not JSON. */
struct notify_request *notify_request_read(const char *line);
void notify_request_free(struct notify_request *request); /* NULL is fine */

/* Each of these writes a line to stdout. It is lost if the engine is gone. */
void notify_say_what(const char *what);
void notify_say_event(const char *id, const char *what, const char *name, const char *text);
void notify_say_button(const char *id, int index);
void notify_say_shown(const struct notify_request *request, bool urgent);
void notify_say_removed(const struct notify_request *request);
void notify_say_failed(const struct notify_request *request, const char *code, const char *why);

#endif
