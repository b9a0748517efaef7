/* The applications' part of platform.h, whose rules hold here, too. */
#ifndef PERIGEE_PLATFORM_APPS_H
#define PERIGEE_PLATFORM_APPS_H

#include "platform/windows.h"

struct desktop;

struct app_info {
    int pid;
    uint64_t started; /* as in window_ref */
    char *name;       /* for people: "Text Editor"; never NULL */
    char *id;         /* stable: desktop entry id or bundle id; "" when unknown */
    char *path;       /* path of the executable; "" if unknown */
    char *icon;       /* a name of the icon theme or a path; "" when unknown */
    char *text;       /* entries() only: the lines of its desktop entry; otherwise NULL */
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
    /* Lists as installed() the applications with desktop entries, those that menus do not show as
     * well. `path` is that of the entry, `text` has no texts in languages other than the user's.
     * NULL: the system has no such entries. */
    bool (*entries)(struct desktop *desktop, struct deadline *deadline, struct app_list *out,
                    struct error *err);
};

void app_info_free(struct app_info *info);
void app_list_free(struct app_list *list);
void app_list_sort(struct app_list *list); /* the active one first, then by name */
void app_opened_free(struct app_opened *opened);

#endif
