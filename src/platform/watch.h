/* Events of a desktop, reported as they occur: windows, applications, displays, the clipboard,
 * bound keys.
 *
 * Only changes after watch_ops.run() began are reported. Events come in the order in which the
 * system reported them. An event has the state at the time when it was asked for: a window that
 * moves a hundred times a second is reported less often, but its last place always is. */
#ifndef PERIGEE_PLATFORM_WATCH_H
#define PERIGEE_PLATFORM_WATCH_H

#include "platform/element.h"
#include "platform/platform.h"

enum watch_kind {
    WATCH_WINDOWS = 1 << 0,
    WATCH_APPS = 1 << 1,
    WATCH_DISPLAYS = 1 << 2,
    WATCH_CLIPBOARD = 1 << 3,
    WATCH_ACTIVE = 1 << 4,  /* keyboard or pointer are used, after a second or more of rest */
    WATCH_HOTKEYS = 1 << 5, /* those of struct watch_wanted */
    /* Events of elements in all applications; reported by watch_elements(), and never wanted of
     * watch_ops. */
    WATCH_ELEMENTS = 1 << 6,
    WATCH_INPUT = 1 << 7, /* all keys and buttons, of record() alone */
};

enum watch_what {
    WATCH_WINDOW_OPENED = WINDOW_OPENED,
    WATCH_WINDOW_CLOSED = WINDOW_CLOSED, /* window: as it was known last */
    WATCH_WINDOW_TITLED = WINDOW_TITLED,
    WATCH_WINDOW_MOVED = WINDOW_MOVED,
    WATCH_WINDOW_CHANGED = WINDOW_CHANGED,
    WATCH_WINDOW_FOCUSED = WINDOW_FOCUSED, /* no window: none has the keyboard */
    WATCH_APP_OPENED = WINDOW_EVENT_KINDS, /* app: a process that shows its first window */
    WATCH_APP_CLOSED,                      /* its process has ended */
    WATCH_APP_ACTIVATED,                   /* no app: none is active */
    WATCH_DISPLAYS_CHANGED,
    WATCH_CLIPBOARD_CHANGED, /* it has other content, or none */
    WATCH_HOTKEY_PRESSED,
    WATCH_HOTKEY_REPEATED, /* the key is held down (X11) */
    WATCH_HOTKEY_RELEASED,
    WATCH_ELEMENT_CHANGED,
    WATCH_ACTIVE_AGAIN,
    WATCH_INPUT_CAME, /* a key or button is pressed or released; one that is held, pressed again */
    WATCH_POINTER_RESTS, /* at begun(), or after it moved; input: only its place (X11) */
    WATCH_LOST,          /* the connection is lost; events until WATCH_FOUND are not reported */
    WATCH_FOUND,         /* it is back; changes meanwhile are reported after it */
};

/* The kind that reports it; 0 for WATCH_LOST and WATCH_FOUND, which every kind reports. */
unsigned watch_kind_of(enum watch_what what);

/* Its words for scripts: "windows" and "opened". */
const char *watch_about(enum watch_what what);
const char *watch_name(enum watch_what what);

/* A key or button as the system reports it; lua/lib/sys/events.lua names it. */
struct input_event {
    unsigned type, state;  /* X's type and state, or CGEventType and CGEventFlags */
    int code;              /* a key's or button's number; a Mac's wheel: lines up */
    char symbol[40];       /* X's name of the key without modifiers */
    uint32_t plain, typed; /* its character without modifiers and with them; 0: none */
    struct point at;       /* the pointer's place, in points */
};

struct watch_event {
    enum watch_what what;
    uint64_t at;                  /* uv_hrtime() when the system reported it */
    struct window_info window;    /* for WATCH_WINDOW_*; ref.id 0: none */
    struct rect before;           /* MOVED: its frame */
    struct app_info app;          /* for WATCH_APP_*; pid 0: none */
    unsigned hotkey;              /* for WATCH_HOTKEY_*: its number */
    struct element_event element; /* for WATCH_ELEMENT_CHANGED */
    struct input_event input;     /* for WATCH_INPUT_CAME, WATCH_POINTER_RESTS */
};

/* Frees the event's content, and not the event. */
void watch_event_clear(struct watch_event *event);

/* A deep copy; the caller ends it with window_info_free(). */
struct window_info window_info_copy(const struct window_info *info);
struct app_info app_info_copy(const struct app_info *info); /* app_info_free() */

struct watch_hotkey {
    unsigned number; /* chosen by the caller; the same for the same chord */
    struct chord chord;
};

struct watch_wanted {
    unsigned kinds; /* enum watch_kind */
    const struct watch_hotkey *hotkeys;
    size_t hotkey_count;
};

/* Calls of watch_ops.run(), on its thread. */
struct watch_told {
    /* From now on the wanted events are watched. */
    void (*begun)(void *arg);
    /* Reports a key that cannot be bound: "hotkey_taken", "unknown_key", "hotkey_failed". */
    void (*refused)(void *arg, unsigned hotkey, const struct error *why);
    /* Reports an event; takes its content, and not the event. */
    void (*event)(void *arg, struct watch_event *event);
    /* Reports the number of events that were dropped: more happened at once than is kept. */
    void (*missed)(void *arg, size_t count);
    void *arg;
};

struct watch_ops {
    /* Watches until wake_fd is readable (true), or the connection is lost (false and err, as for
     * all operations of platform.h). Called again for the same connection it continues from its
     * state: no change in between is lost. */
    bool (*run)(struct desktop *desktop, const struct watch_wanted *wanted, int wake_fd,
                const struct watch_told *told, struct error *err);
    /* The milliseconds for which keyboard and pointer have rested. Input from programs counts as
     * far as the system takes it for a user's. "not_supported" and NULL: the system does not report
     * it. */
    bool (*idle)(struct desktop *desktop, struct deadline *deadline, uint64_t *ms,
                 struct error *err);
    /* As run(), for WATCH_INPUT alone and once for a connection. It only listens, from begun() on.
     * "not_supported" and NULL: the system does not show the input that is for others. */
    bool (*record)(struct desktop *desktop, int wake_fd, const struct watch_told *told,
                   struct error *err);
};

#endif
