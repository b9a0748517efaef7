/* The facts and actions that only AppKit has, as C. appkit.m has the real thing.
 *
 * All of it may be called from any thread, but for appkit_turn(), which is for the main one. Facts
 * about the workspace and the screens are as fresh as its last turn. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_H

#include <CoreGraphics/CoreGraphics.h>

#include "base/error.h"

struct appkit_app {
    int pid;
    char *name;    /* localized; owned, never NULL */
    char *id;      /* bundle identifier, "" for none; owned */
    char *bundle;  /* path of the bundle, "" for none; owned */
    bool active;   /* owns the menu bar */
    bool hidden;   /* by Hide */
    bool regular;  /* has a Dock tile */
    bool finished; /* finishedLaunching */
};

struct appkit_apps {
    struct appkit_app *items;
    size_t count;
};

struct appkit_open {
    const char *bundle;           /* path of the application's bundle */
    const char *const *files;     /* paths or URLs; NULL-terminated, or NULL */
    const char *const *arguments; /* as files; the system ignores them for sandboxed applications */
    bool fresh;                   /* a new instance */
    bool background;              /* do not activate it */
};

/* Handles the events about applications and screens. On the main thread. */
void appkit_turn(void);

/* Calls work(arg) in an autorelease pool, which ends the objects that Apple's libraries leave to be
 * ended later. */
void appkit_around(void (*work)(void *arg), void *arg);

/* Lists applications with a Dock tile or a menu bar item; the caller ends it with
 * appkit_apps_free(). */
void appkit_list(struct appkit_apps *out);
void appkit_apps_free(struct appkit_apps *apps);
void appkit_app_free(struct appkit_app *app);

/* False: the process is not an application, or has ended. */
bool appkit_get(int pid, struct appkit_app *out);

/* The process that owns the menu bar; 0: none. */
int appkit_active(void);

/* Each of these asks, and returns whether the request was sent: the effect comes later, if at all.
 * Since macOS 14 the first is refused to a process that is not in front itself. */
bool appkit_activate(int pid);
/* For macOS 14 and later: asks in the name of this process. */
bool appkit_activate_from_here(int pid);
/* Acts as a click in the Dock: opens a running application, and does not wait. */
bool appkit_reopen(int pid);
bool appkit_hide(int pid, bool show);
bool appkit_quit(int pid, bool force);

/* Path of the bundle with this identifier; NULL: none. The caller frees. */
char *appkit_bundle_of(const char *identifier);

/* Starts or wakes an application, and returns its pid once the system has answered.
 * "launch_failed", "timeout". */
bool appkit_open(const struct appkit_open *what, uint64_t ms, int *pid, struct error *err);

/* A display's name and its visible frame (without menu bar and Dock), in points from the main
 * display's top left corner. False: AppKit does not know that display. The caller frees *name. */
bool appkit_screen(CGDirectDisplayID display, char **name, CGRect *visible);

/* Posts a key that the system handles itself (volume, mute), by its number in IOKit's ev_keymap.h.
 * False: no such event could be made. */
bool appkit_media_key(int key, bool down);

#endif
