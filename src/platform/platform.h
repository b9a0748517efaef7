/* The whole boundary between the engine and a desktop.
 *
 * A backend (x11, macos, fake) exports one const struct platform_ops: a table of operations
 * for each capability. backends.h chooses one. Everything above is the same on every system.
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

#include "base/buf.h"
#include "base/error.h"
#include "image/image.h"
#include "platform/chord.h"
#include "platform/clip.h"
#include "platform/deadline.h"
#include "platform/element.h"
#include "platform/geometry.h"

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

/* --- windows ---------------------------------------------------------------------- */

/* A window, pinned to its process: a number is used again after its owner ends, a pair of
 * process id and start time is not.
 *
 * On X11 a client may write any number into its window, so the server is asked (x11/wire/owner.h).
 * macOS and Wayland have no such number to believe: the window server, and a compositor at its
 * socket, learn the process from the kernel, and so does the bus of AT-SPI, which is asked for
 * the process of a connection. */
struct window_ref {
    int pid;          /* 0: not known. The window system's word, never the window's own */
    uint64_t started; /* identifies the start of the process, opaque, compared for equality; 0: do
                         not check */
    uint64_t id;
};

enum window_state {
    WINDOW_MINIMIZED = 1 << 0,
    WINDOW_MAXIMIZED = 1 << 1, /* both ways */
    WINDOW_FULLSCREEN = 1 << 2,
    WINDOW_HIDDEN = 1 << 3, /* on another desktop, or its application is hidden */
    WINDOW_MODAL = 1 << 4,
    WINDOW_ABOVE = 1 << 5,
    WINDOW_BELOW = 1 << 6,
    WINDOW_ATTENTION = 1 << 7,
    WINDOW_SHADED = 1 << 8,
    WINDOW_ELSEWHERE = 1 << 9, /* hidden, because it is in another Space (macOS) */
};

enum window_kind { WINDOW_NORMAL, WINDOW_DIALOG, WINDOW_UTILITY, WINDOW_PANEL, WINDOW_POPUP };

enum { WINDOW_TITLE_MAX = 1024 }; /* bytes kept of a title */

struct window_info {
    struct window_ref ref;
    enum window_kind kind;
    char *title;         /* never NULL */
    bool title_cut;      /* it was longer than WINDOW_TITLE_MAX */
    char *app;           /* its application's own name (WM_CLASS's class); never NULL */
    char *instance;      /* WM_CLASS's first part; never NULL */
    struct rect frame;   /* the part that the user sees, with title bar, without shadow */
    struct rect content; /* without title bar and borders */
    unsigned state;      /* enum window_state */
    int workspace;       /* from 0; -1: all, or unknown */
    int order;           /* 0 is the frontmost of the list */
    bool focused;        /* keys go here */
    bool on_screen;      /* mapped, and part of it within a display */
    uint64_t parent;     /* id of the window it is a dialog of; 0: none */
};

struct window_list {
    struct window_info *items; /* frontmost first */
    size_t count;
};

struct window_query {
    int pid;        /* 0: any */
    bool all_kinds; /* also panels, popups and unmanaged windows */
};

/* Changes of windows. All that reports them has them from window_news.h. */
enum window_event {
    WINDOW_OPENED,
    WINDOW_CLOSED,
    WINDOW_TITLED,  /* it has another title */
    WINDOW_MOVED,   /* or it has another size */
    WINDOW_CHANGED, /* its state or workspace: minimized, maximized, ... */
    WINDOW_FOCUSED, /* it has the keyboard now, and did not before; or none has it any more */
    WINDOW_SHIFTED, /* anything else: its place in the order, its kind, whether it is on the screen.
                       No event outside of the platform */
    WINDOW_EVENT_KINDS /* number of these */
};

/* "opened", "closed", ... */
const char *window_event_name(enum window_event what);

enum window_verb {
    WINDOW_FOCUS,  /* to the front, restored if minimized, keys go to it */
    WINDOW_MOVE,   /* frame's corner to to.x, to.y */
    WINDOW_RESIZE, /* frame's size to to.width, to.height */
    WINDOW_PLACE,  /* both */
    WINDOW_MINIMIZE,
    WINDOW_RESTORE, /* restores from minimized, else from maximized and fullscreen */
    WINDOW_MAXIMIZE,
    WINDOW_SET_FULLSCREEN,
    WINDOW_CLOSE, /* asks; the application may show a dialog instead */
};

/* The verb as a word: "focus", "move", ... */
const char *window_verb_name(enum window_verb verb);

struct window_change {
    enum window_verb verb;
    struct rect to;
    uint64_t wait_ms; /* for the effect; 0: 2000, and never longer than the deadline */
};

/* The observed result, not the request. */
struct window_outcome {
    struct rect before, after; /* frames; after is zero when the window is gone */
    unsigned state;            /* after; enum window_state */
    bool done;                 /* the asked effect was seen in full */
    bool silent;               /* not done: its application has not answered to it yet */
    bool focused;              /* after */
    bool gone;                 /* the window does not exist any more */
    char note[240];            /* when not done: what happened instead, for a person */
};

/* The window that a click at a point of another window reaches instead. */
struct window_over {
    bool found; /* false: none, a click there reaches the window */
    bool own;   /* a popup of its application: its menu, its tooltip */
    struct window_info info;
};

/* Permission: accessibility. Codes: "window_not_found" (even when the process behind the number is
 * another one now), "not_supported" (naming the feature that the window manager lacks). */
struct window_ops {
    bool (*list)(struct desktop *desktop, struct deadline *deadline,
                 const struct window_query *query, struct window_list *out, struct error *err);
    bool (*get)(struct desktop *desktop, struct deadline *deadline, const struct window_ref *ref,
                struct window_info *out, struct error *err);
    /* True even when the window manager did not do it: see done and note. */
    bool (*act)(struct desktop *desktop, struct deadline *deadline, const struct window_ref *ref,
                const struct window_change *change, struct window_outcome *out, struct error *err);
    /* Sleeps until one of these windows, or the set of windows, may have changed since the last
     * call for them, or until `until` of deadline_now(). For window_news_wait(). NULL: it cannot.
     */
    bool (*await)(struct desktop *desktop, struct deadline *deadline,
                  const struct window_list *known, uint64_t until, struct error *err);
    /* Finds the window over another one at a point; see window_over.h. NULL: only the frames are
     * known. */
    bool (*over)(struct desktop *desktop, struct deadline *deadline, const struct window_ref *ref,
                 struct point at, struct window_over *out, struct error *err);
};

void window_info_free(struct window_info *info);
void window_list_free(struct window_list *list);
/* The window of this number, borrowed from the list; NULL: it is not in it. */
struct window_info *window_list_find(const struct window_list *list, uint64_t id);
/* The window that keys go to, borrowed; NULL: none. */
struct window_info *window_list_focused(const struct window_list *list);

/* --- applications ----------------------------------------------------------------- */

struct app_info {
    int pid;
    uint64_t started; /* as in window_ref */
    char *name;       /* for people: "Text Editor"; never NULL */
    char *id;         /* stable: desktop entry id or bundle id; "" when unknown */
    char *path;       /* path of the executable; "" if unknown */
    char *icon;       /* a name of the icon theme or a path; "" when unknown */
    bool active;      /* owns the focused window */
    bool hidden;      /* every window is minimized or hidden */
    size_t windows;
};

struct app_list {
    struct app_info *items; /* the active one first, then by name */
    size_t count;
};

struct app_open {
    const char *name;             /* a name, a desktop id ("org.gnome.Calculator"), or a path */
    const char *const *files;     /* paths or URLs; NULL-terminated; NULL: none */
    const char *const *arguments; /* for its command line; as files */
    bool fresh;                   /* a new instance, even when one runs; else that one may answer */
    bool background;              /* do not give it the focus, if the system allows that */
    uint64_t wait_ms;             /* for a window; 0: 10 000, and never longer than the deadline */
};

struct app_opened {
    struct app_info app;      /* the process that owns the window; else the one that was started */
    struct window_ref window; /* id 0: none came */
    bool already;             /* it ran before, and no new process remained */
    bool ended;               /* the started program exited without showing a window */
    char note[240];           /* when no window came: what is known */
};

struct app_outcome {
    /* quit: the process is gone; activate: one of its windows has the focus; hide: none of its
     * windows is on the screen, or (show) one is */
    bool done;
    bool forced;              /* SIGTERM, or SIGKILL, was needed */
    struct window_ref window; /* activate: the window with the focus; quit: the one that keeps it (a
                                 dialog); id 0: none */
    char note[240];
};

/* Permission: automation. Codes: "app_not_found", "app_ambiguous" (with the candidates),
 * "launch_failed". */
struct app_ops {
    bool (*list)(struct desktop *desktop, struct deadline *deadline, struct app_list *out,
                 struct error *err);
    /* Lists applications that could be opened; pid 0. */
    bool (*installed)(struct desktop *desktop, struct deadline *deadline, struct app_list *out,
                      struct error *err);
    /* Describes one process, even when it shows no window; started 0: not checked. */
    bool (*get)(struct desktop *desktop, struct deadline *deadline, int pid, uint64_t started,
                struct app_info *out, struct error *err);
    bool (*open)(struct desktop *desktop, struct deadline *deadline, const struct app_open *what,
                 struct app_opened *out, struct error *err);
    bool (*activate)(struct desktop *desktop, struct deadline *deadline, int pid, uint64_t started,
                     struct app_outcome *out, struct error *err);
    /* Takes the application's windows off the screen, or (show) brings them back; the keyboard goes
     * elsewhere. */
    bool (*hide)(struct desktop *desktop, struct deadline *deadline, int pid, uint64_t started,
                 bool show, struct app_outcome *out, struct error *err);
    /* Closes the application's windows and waits until it has ended and they are gone; `force` ends
     * it when that was not enough. "app_not_found" before anything is done if it is to be forced
     * and nothing but a window's own word says that the process is an application here. */
    bool (*quit)(struct desktop *desktop, struct deadline *deadline, int pid, uint64_t started,
                 bool force, struct app_outcome *out, struct error *err);
};

void app_info_free(struct app_info *info);
void app_list_free(struct app_list *list);
void app_list_sort(struct app_list *list); /* the active one first, then by name */
void app_opened_free(struct app_opened *opened);

/* --- displays --------------------------------------------------------------------- */

struct display_info {
    uint64_t id;
    char *name;         /* "HDMI-1"; never NULL */
    struct rect bounds; /* points */
    struct rect work;   /* without panels and docks */
    double scale;       /* pixels a point */
    double rotation;    /* degrees clockwise by which the picture is turned */
    bool main;          /* its corner is 0, 0 */
};

struct display_list {
    struct display_info *items; /* the main one first */
    size_t count;
};

/* Permission: none. */
struct display_ops {
    bool (*list)(struct desktop *desktop, struct deadline *deadline, struct display_list *out,
                 struct error *err);
    bool (*cursor)(struct desktop *desktop, struct deadline *deadline, struct point *out,
                   struct error *err);
};

void display_list_free(struct display_list *list);

/* --- input ------------------------------------------------------------------------ */

enum input_kind {
    INPUT_MOVE,    /* pointer to at, over ms */
    INPUT_CLICK,   /* button, count times, at `at` unless here */
    INPUT_PRESS,   /* button down, until RELEASE or release_all() */
    INPUT_RELEASE, /* button up */
    INPUT_DRAG,   /* button down at path[0], along the path over ms (0: a usual time), up at its end
                   */
    INPUT_SCROLL, /* lines.x right, lines.y down, at `at` unless here */
    INPUT_KEYS,   /* chord, count times; held for ms */
    INPUT_KEY_DOWN, /* chord's keys stay down until KEY_UP or release_all() */
    INPUT_KEY_UP,
    INPUT_TEXT,  /* types text, character by character, in any layout */
    INPUT_PASTE, /* inserts text by way of the clipboard, in one piece; the earlier content comes
                    back */
    INPUT_DROP,  /* drops text, a text/uri-list, at `at`, as a file manager does. Only X11 can:
                    a Mac starts a drag of files from a window of the dragging program alone */
};

/* The action that a drop suggests; the target may do another. ASK: it asks the user. */
enum drop_action { DROP_COPY, DROP_LINK, DROP_ASK };

/* The selection that a receiver of INPUT_PASTE takes text from. */
enum paste_from { PASTE_USUAL, PASTE_CLIPBOARD, PASTE_PRIMARY };

enum input_button { BUTTON_LEFT, BUTTON_MIDDLE, BUTTON_RIGHT, BUTTON_BACK, BUTTON_FORWARD };

enum { INPUT_TEXT_MAX = 1 << 20, INPUT_PATH_MAX = 4096, INPUT_COUNT_MAX = 100 };
enum { INPUT_LONG = 2000 };      /* bytes of text that is better pasted than typed */
enum { INPUT_LINE_PIXELS = 53 }; /* browsers scroll so far for a notch of the wheel */

/* Conditions for sending: if one does not hold, nothing is sent ("changed"). Both questions are on
 * their way while there is other work to do (process/bus.h). All is borrowed. */
struct input_still {
    uint64_t window;                  /* the window that keys must go to */
    const char *bus;                  /* NULL: there is no question */
    const struct bus_prepared *calls; /* asked before the first key; */
    struct str answers;               /* the required answers, as bus_calls() writes them */
    const struct bus_prepared *then;  /* asked after the last one; NULL: no question */
    struct buf *told;                 /* its answers; empty: none */
};

struct input {
    enum input_kind kind;
    enum input_button button;
    int count;          /* clicks or key presses; 0: 1 */
    bool here;          /* at the pointer's place: `at` is not used */
    unsigned modifiers; /* enum modifier, held during pointer actions */
    struct point at;
    struct point lines;
    bool pixels; /* `lines` counts pixels; a wheel that only knows lines turns one for
                    INPUT_LINE_PIXELS */
    const struct point *path;
    size_t path_count;
    enum drop_action action;
    struct chord chord;   /* PASTE: the key combination that pastes; zero: the usual one of the
                             application in front */
    enum paste_from from; /* PASTE; used with a chord only */
    struct str text;      /* UTF-8; typed, \n is Return and \t is Tab */
    bool typed;           /* PASTE: in place of typing, so \n and \t are keys where they can be */
    bool may_paste;       /* TEXT: "paste_instead" is fine even if typing is only worse */
    uint64_t ms;          /* duration; 0: at once */

    /* The id of the window that it was judged for (docs/policy-rules.md); 0: any. If another one
     * gets it, nothing is sent, and the code is "moved". X11 */
    uint64_t judged;

    const struct input_still *still; /* TEXT and PASTE, X11; NULL: it may be sent in any case */
};

/* The fate of the clipboard's content after a paste. */
enum clip_fate { CLIP_UNTOUCHED, CLIP_WAS_EMPTY, CLIP_RESTORED, CLIP_PARTLY_RESTORED, CLIP_LOST };

enum { INPUT_EFFECTS_MAX = 8, INPUT_EFFECT_MS = 150 };

/* A change of a window while or after input was sent. */
struct input_effect {
    enum window_event what; /* OPENED, CLOSED, TITLED, FOCUSED, also of popups */
    struct window_ref ref;  /* id 0: no window has the keyboard */
    enum window_kind kind;
    char title[160]; /* its beginning; the present one, or the last one */
    char app[64];
};

struct input_effects {
    struct input_effect items[INPUT_EFFECTS_MAX];
    size_t count;
    bool more; /* there were more than there is room for */
};

struct input_outcome {
    struct point pointer; /* its place afterwards */
    size_t sent;          /* events that reached the display server */
    size_t characters;    /* length of a text, typed or pasted; also filled on failure */
    bool settled;  /* the receiving application has taken it: it answered a question that was sent
                      after it */
    bool released; /* the program that held the pointer or the keyboard before let go of it */
    char holder[100]; /* the program that holds one of them now, so that it gets the next input: "a
                         menu of Mousepad"; "": none does, or the system does not report it */
    char got_it[100]; /* keys and text: the popup or program that held the keyboard, in place of the
                         focused window */
    char open[100];   /* TEXT and PASTE: the popup or program that may have taken it, so that
                         `settled` is false: a menu or popup of the application in front, or another
                         holder of the keyboard or the pointer, before or after; "": none, or the
                         system does not report it */
    bool still_open;  /* `open` is still true */
    char method[64];  /* text in place of typing, and single characters: the input method that turns
                         keys into other text; "": none is active */
    enum clip_fate clipboard;
    char route[48]; /* the way: "xtest", "xtest, 2 keymaps", "paste ctrl+v", ... */

    /* Changes that had begun when it was sent, and were seen within INPUT_EFFECT_MS. None may mean
     * that none had begun yet, or that the backend does not report them. */
    struct input_effects effects;

    /* Changes after the last input's effects were reported and before this one was sent, whatever
     * caused them. None after the first input of a connection, or if the backend does not report
     * them. */
    struct input_effects late;
};

/* Permission: accessibility. Codes: "bad_point" (outside of every display), "unknown_key",
 * "bad_text" (not UTF-8, control characters), "paste_instead" (TEXT that cannot be typed exactly;
 * nothing of it was sent), "paste_not_taken" (the application has processed the key and did not
 * read the text), "paste_unknown" (it has not read the text, and does not respond or answers no
 * questions, or the time limit passed after the key: it may yet), "no_focus" (text, and no window
 * has the keyboard), "focus_lost" (TEXT, X11: another window has it before the last key),
 * "interrupted" (TEXT, while the user holds Ctrl or the like), "changed" (the condition `still`
 * does not hold), "stopped". After a failure nothing is held down that the failed call pressed. */
struct input_ops {
    bool (*send)(struct desktop *desktop, struct deadline *deadline, const struct input *input,
                 struct input_outcome *out, struct error *err);
    /* Lets go of every key and button this connection holds. */
    void (*release_all)(struct desktop *desktop);
    /* Does the same for all connections of this process, from a handler of fatal signals. */
    void (*release_in_signal)(void);
    /* Calls hit(arg), on the desktop's thread, when the user asks for a stop (Ctrl+Alt+Esc). */
    void (*on_panic)(struct desktop *desktop, void (*hit)(void *arg), void *arg);
    /* Waits up to `ms` for the frontmost application to take all input so far; *settled: it has
     * confirmed that. NULL: it cannot report that. */
    bool (*settle)(struct desktop *desktop, struct deadline *deadline, uint64_t ms, bool *settled,
                   struct error *err);
};

/* --- capture ---------------------------------------------------------------------- */

enum capture_kind { CAPTURE_DISPLAY, CAPTURE_ALL, CAPTURE_REGION, CAPTURE_WINDOW };

struct capture {
    enum capture_kind kind;
    uint64_t display;         /* display_info.id; 0: the main one */
    struct rect region;       /* cut to the displays */
    bool part;                /* only this region of the window is needed: picture_cut() */
    struct window_ref window; /* it may be covered */
    bool content_only;        /* the window without its title bar */
    bool popups;              /* the window with its menus and other popups (X11); larger then */
    bool cursor;              /* with the pointer drawn in */
    bool lend;                /* the pixels may be lent: they are valid until the next operation */
};

struct picture {
    struct image image;
    struct point origin; /* place of the picture's top left pixel */
    double scale;        /* pixels a point: point = origin + pixel / scale */
    char route[24];      /* "shm", "image", "composite", ... */
};

/* Permission: screen. Codes: "display_not_found", "window_not_found", "window_minimized",
 * "outside", "capture_failed". */
struct capture_ops {
    bool (*take)(struct desktop *desktop, struct deadline *deadline, const struct capture *what,
                 struct picture *out, struct error *err);
    /* Waits until something is drawn there, or until `until` of deadline_now(). *drawn says whether
     * it was; the pixels may be the same. Drawing in a covered window may not be reported.
     * "not_supported" and NULL: the backend cannot report drawing. */
    bool (*await_drawing)(struct desktop *desktop, struct deadline *deadline,
                          const struct capture *what, uint64_t until, bool *drawn,
                          struct error *err);
};

void picture_free(struct picture *picture);

/* Scales the picture so that its longest side is at most `longest` pixels (0: as it is). */
void picture_fit(struct picture *picture, int longest);

/* Keeps the region, in points, of a window's picture. "outside" when it has no part of that. */
bool picture_cut(struct picture *picture, struct rect region, struct error *err);

/* The place of a picture's pixel on the desktop. */
struct point picture_point(const struct picture *picture, double x, double y);

/* --- the table -------------------------------------------------------------------- */

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

/* True if INPUT_TEXT accepts the text; "bad_text" says where it does not. */
bool input_text_ok(struct str text, struct error *err);

#endif
