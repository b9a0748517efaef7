/* The input's part of platform.h, whose rules hold here, too. */
#ifndef PERIGEE_PLATFORM_INPUT_H
#define PERIGEE_PLATFORM_INPUT_H

#include "base/buf.h"
#include "platform/chord.h"
#include "platform/windows.h"

struct desktop;

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

/* Observations around input. Only X11 reports them. */
struct input_seen {
    bool released;    /* the program that held the pointer or the keyboard before let go of it */
    char holder[100]; /* the program that holds one of them now, so that it gets the next input: "a
                         menu of Mousepad"; "": none does */
    char got_it[100]; /* keys and text: the popup or program that held the keyboard, in place of the
                         focused window */
    char method[64];  /* text in place of typing, and single characters: the input method that turns
                         keys into other text; "": none is active */

    /* Changes that had begun when it was sent, and were seen within INPUT_EFFECT_MS. None may mean
     * that none had begun yet. */
    struct input_effects effects;

    /* Changes after the last input's effects were reported and before this one was sent, whatever
     * caused them. None after the first input of a connection. */
    struct input_effects late;
};

struct input_outcome {
    struct point pointer; /* its place afterwards */
    size_t sent;          /* events that reached the display server */
    size_t characters;    /* length of a text, typed or pasted; also filled on failure */
    bool settled;    /* the receiving application has taken it: it answered a question that was sent
                        after it */
    char open[100];  /* TEXT and PASTE: the popup or program that may have taken it, so that
                        `settled` is false: a menu or popup of the application in front, or another
                        holder of the keyboard or the pointer, before or after; "": none, or the
                        system does not report it */
    bool still_open; /* `open` is still true */
    enum clip_fate clipboard;
    char route[48]; /* the way: "xtest", "xtest, 2 keymaps", "paste ctrl+v", ... */
    struct input_seen seen;
};

/* Permission: accessibility. Codes: "bad_point" (outside of every display), "unknown_key",
 * "bad_text" (not UTF-8, control characters), "paste_instead" (TEXT that cannot be typed exactly;
 * nothing of it was sent), "paste_not_taken" (the application has processed the key and did not
 * read the text), "paste_unknown" (it has not read the text, and does not respond or answers no
 * questions, or the time limit passed after the key: it may yet), "no_focus" (text, and no window
 * has the keyboard), "focus_lost" (TEXT, X11: another window has it before the last key),
 * "interrupted" (TEXT, while the user holds Ctrl or the like), "stopped". After a failure nothing
 * is held down that the failed call pressed. */
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

/* True if INPUT_TEXT accepts the text; "bad_text" says where it does not. */
bool input_text_ok(struct str text, struct error *err);

#endif
