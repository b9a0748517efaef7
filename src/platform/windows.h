/* The windows' part of platform.h, whose rules hold here, too. */
#ifndef PERIGEE_PLATFORM_WINDOWS_H
#define PERIGEE_PLATFORM_WINDOWS_H

#include "base/buf.h"
#include "base/error.h"
#include "platform/deadline.h"
#include "platform/geometry.h"

struct desktop;

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
    struct rect whole;   /* with the shadow that the application draws; X11 only */
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
    /* Appends, as packed tables (base/packed_tags.h), the managed windows that name a D-Bus
     * connection, with the paths of the objects that their program offers there, as its toolkit
     * writes them into properties of the window (GTK): the program's own word. Texts that are not
     * given are "". NULL: windows have no such names. */
    bool (*exports)(struct desktop *desktop, struct deadline *deadline, struct buf *out,
                    struct error *err);
};

void window_info_free(struct window_info *info);
void window_list_free(struct window_list *list);
/* The window of this number, borrowed from the list; NULL: it is not in it. */
struct window_info *window_list_find(const struct window_list *list, uint64_t id);
/* The window that keys go to, borrowed; NULL: none. */
struct window_info *window_list_focused(const struct window_list *list);

#endif
