/* The inside of the world of a desktop in memory. Everything is guarded by fake->lock. */
#ifndef PERIGEE_PLATFORM_FAKE_WORLD_H
#define PERIGEE_PLATFORM_FAKE_WORLD_H

#include <pthread.h>

#include "base/list.h"
#include "platform/element_log.h"
#include "platform/fake/fake.h"

struct fake_element;
struct fake_mirror;
struct fake_watch;

struct fake_app {
    struct link link;
    int pid; /* 0: installed only */
    uint64_t started;
    char *name, *id, *title;
    char *path, *icon;   /* NULL: made up */
    bool read;           /* the elements of its windows were copied, if it reports any */
    bool started_here;   /* in a copy: started by the dry run, so that it has no elements */
    struct error untold; /* the error in place of its elements; no code: it has elements */
};

struct fake_window {
    struct link link; /* in fake->windows, frontmost first */
    struct window_ref ref;
    char *title, *app;
    char *instance; /* NULL: the same as app */
    enum window_kind kind;
    int workspace;
    bool copied;    /* the other desktop has it, at `place` */
    bool unmanaged; /* listed only if windows of all kinds are asked for */
    struct rect place;
    struct rect inset;         /* width of the frame: left, top, left and right, top and bottom */
    struct rect frame, normal; /* normal: before it was maximized */
    double min_width, min_height;
    unsigned state;
    uint64_t parent;
    uint64_t menu_of; /* the window whose open menu this is; 0: it is not a menu */
    char *stays;      /* title of the dialog it shows when it has to close */
    bool selected;    /* all of its text is selected */
    struct buf text;
    struct fake_element *top;  /* owned; NULL: not made yet. elements.h */
    struct fake_element *keys; /* the element that gets its keys; or NULL */
};

struct fake_display {
    struct link link;
    uint64_t id;
    char *name;
    struct rect bounds, work;
    double scale, rotation;
};

struct fake {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct link apps, windows, displays, desktops;
    uint64_t next_id, focus; /* focus: a window's id, or 0 */
    struct point pointer;
    unsigned held_modifiers, held_buttons;
    struct clip clip;
    uint64_t clips;     /* number of copies so far */
    uint64_t own_clips; /* those of clipboard_ops.write() */
    uint64_t used;      /* deadline_now() of the last input */
    struct clip_list history;
    size_t history_entries, history_bytes;
    struct buf log;
    bool hang, absent, mute;
    uint64_t last_element; /* the last id that was given */
    struct element_log events;
    struct fake_mirror *mirror; /* owned; NULL: the fake is not a copy. mirror.h */
};

struct fake_desktop {
    struct link link; /* in fake->desktops */
    struct fake *fake;
    bool dead;
    void (*panic)(void *arg);
    void *panic_arg;
    struct fake_watch *watch; /* owned; NULL: the connection does not watch. watch.c */
    int stirred[2];           /* a wake_pipe.h, woken when others did something; 0: none */
};

/* The connection behind the handle that an operation is given. */
static inline struct fake_desktop *fake_of(struct desktop *handle)
{
    return (struct fake_desktop *)handle;
}

enum {
    FAKE_TITLE_BAR = 20, /* points, on top of every window */
    FAKE_MENU_WIDTH = 160,
    FAKE_MENU_HEIGHT = 120,
};

/* Begins an operation; each calls it first: locks, and waits while the desktop hangs. False: it is
 * unlocked, and err says why. */
bool fake_enter(struct fake_desktop *desktop, struct deadline *deadline, struct error *err);
void fake_leave(struct fake_desktop *desktop);

/* All of these are called with the lock held. */

/* Makes the watchers look again, except for one that has looked just now (or NULL). */
void fake_wake_watchers(struct fake *fake, const struct fake_desktop *except);
/* Makes all that wait look whether their connection still lives. */
void fake_wake_all(struct fake *fake);
/* As window_ops.await(). */
bool fake_await(struct desktop *handle, struct deadline *deadline, const struct window_list *known,
                uint64_t until, struct error *err);
/* True if a watcher has bound these keys, and gets them in place of the window. */
bool fake_press_hotkey(struct fake *fake, const struct chord *chord);
void fake_note(struct fake *fake, const char *fmt, ...) PRINTF_LIKE(2, 3);
struct fake_app *fake_find_app(struct fake *fake, int pid, uint64_t started);
struct fake_window *fake_find_window(struct fake *fake, const struct window_ref *ref,
                                     struct error *err);
void fake_raise(struct fake *fake, struct fake_window *window);
/* Opens the one menu that may be open, that of the focused window. */
void fake_open_menu(struct fake *fake, struct point at);
bool fake_close_menu(struct fake *fake); /* true: a menu was open */
/* False: the window stays, and shows its dialog (once). */
bool fake_close_window(struct fake *fake, struct fake_window *window);
struct fake_window *fake_new_window(struct fake *fake, struct fake_app *app, const char *title,
                                    struct rect frame);
struct fake_app *fake_new_app(struct fake *fake, const char *name, const char *id, bool runs);
void fake_drop_app(struct fake *fake, struct fake_app *app);
struct fake_display *fake_main_display(struct fake *fake);

/* Called without the lock. NULL is fine. */
void fake_watch_free(struct fake_watch *watch);

#endif
