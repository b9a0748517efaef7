/* The whole boundary between the engine and a desktop.
 *
 * A backend (x11, macos, fake) exports one const struct platform_ops: a table of operations
 * for each capability, which has a header of its own. backends.h chooses one. Everything above is
 * the same on every system.
 *
 * Units.     Points, as doubles. The origin is the top left corner of the main display; other
 *            displays may lie at negative coordinates. Pictures are in pixels and say their
 *            origin and how many pixels a point has.
 * Threads.   A struct desktop is one connection and belongs to one thread at a time; only
 *            interrupt() may be called from another. worker/worker.h runs operations on
 *            threads of their own, which is how the engine uses them.
 * Time.      Every operation takes a deadline and ends by it. Operations that act wait for
 *            the effect and report it.
 * Ownership. The result in an out parameter belongs to the caller, who ends it with its
 *            x_free(); out parameters are zeroed by the operation first. Arguments
 *            are borrowed for the call.
 * Errors.    false and a struct error. Codes every operation can give: "no_display",
 *            "display_lost", "timeout", "cancelled", "stopped", "permission_denied_screen",
 *            "permission_denied_access" (naming who lacks it, and the settings' pane),
 *            "not_supported". The others are named at the operation.
 * Text.      Always valid UTF-8; text of an application is cleaned and cut. */
#ifndef PERIGEE_PLATFORM_PLATFORM_H
#define PERIGEE_PLATFORM_PLATFORM_H

#include "platform/apps.h"
#include "platform/capture.h"
#include "platform/clip.h"
#include "platform/displays.h"
#include "platform/element.h"
#include "platform/input.h"
#include "platform/windows.h"

/* A connection. It is never defined: each backend has a struct of its own behind it, which its
 * operations get by a cast. */
struct desktop;

/* Permissions that the user of the machine must have given. X11 needs none of them. */
enum permission {
    PERMISSION_NONE,
    PERMISSION_ACCESSIBILITY, /* macOS: Accessibility */
    PERMISSION_SCREEN,        /* macOS: Screen Recording */
    PERMISSION_AUTOMATION,    /* macOS: Automation (Apple events) */
};

struct watch_ops;

struct platform_ops {
    const char *name; /* "x11", "macos", "fake" */

    /* State that connections share besides the display server: the fake's world. share_new() makes
     * it; share_free() ends it after the last connection. NULL: none is needed. */
    void *(*share_new)(void);
    void (*share_free)(void *shared);

    /* Opens a connection for the calling thread. NULL and "no_display". */
    struct desktop *(*open)(void *shared, struct error *err);
    void (*close)(struct desktop *desktop); /* NULL is fine */
    bool (*alive)(struct desktop *desktop); /* false: close it and open another */

    /* From any thread: makes a call that hangs in this connection fail soon. The connection is
     * dead afterwards. */
    void (*interrupt)(struct desktop *desktop);

    /* Serves the desktop (clipboard requests, events) until wake_fd is readable, or the
     * connection is dead: then false. */
    bool (*idle)(struct desktop *desktop, int wake_fd);

    /* Handles the events that the system reports to a main thread only. Called on the loop's
     * thread, before a job is queued and again and again while one is under way. NULL: nothing is
     * needed. */
    void (*turn)(void);

    /* Runs work of a thread of ours inside of a frame that this system needs (an autorelease pool).
     * NULL: no frame is needed. */
    void (*around)(void (*work)(void *arg), void *arg);

    /* True if the user has granted it; err says how to. */
    bool (*permitted)(struct desktop *desktop, enum permission permission, struct error *err);

    /* PERMISSION_AUTOMATION is for one application, by its bundle identifier: as permitted(), and
     * "app_not_running". Takes as long as the system likes. NULL: no permission is needed. */
    bool (*may_automate)(struct desktop *desktop, const char *application, struct error *err);
    /* Makes the system ask the user for a permission, which may show a dialog and wait for its
     * answer; `application` as above, else NULL. Returns whether it is granted now. NULL: there is
     * no permission to ask for. */
    bool (*ask)(struct desktop *desktop, enum permission permission, const char *application,
                struct error *err);

    const struct app_ops *apps;
    const struct window_ops *windows;
    const struct display_ops *displays;
    const struct input_ops *input;
    const struct clipboard_ops *clipboard;
    const struct capture_ops *capture;
    const struct element_ops *elements; /* NULL: none */
    const struct watch_ops *watch;      /* watch.h; NULL: none */
};

#endif
