/* A desktop in memory, on which tests and dry runs act without a screen.
 *
 * It keeps to platform.h as the real ones do: windows have stacking and states, focus moves, stale
 * references are refused, text goes to the focused window, pictures show colored windows. Every
 * request is written down. All functions are thread-safe. */
#ifndef PERIGEE_PLATFORM_FAKE_FAKE_H
#define PERIGEE_PLATFORM_FAKE_FAKE_H

#include "platform/platform.h"

struct fake;

extern const struct platform_ops perigee_fake; /* its connections share a struct fake */

/* Makes a desktop with one display of 1920 x 1080 named "fake-1", without applications. */
struct fake *fake_new(void);
void fake_free(struct fake *fake); /* called when no connection is open any more; NULL is fine */

/* The desktop of PERIGEE_DESKTOP=fake, the same each time.
 *
 *   displays   "fake-1" 1920 x 1080 at 0,0 (main); "fake-2" 1280 x 1024 at 1920,0, 2 pixels a point
 *   runs       "Text Editor" (org.perigee.TextEditor): "draft.txt", focused, at 2000,100, at least
 *              320 x 240, and asked to close it shows "Save changes?"; "notes.txt" at 200,120;
 *              "Files" (org.perigee.Files): "Home" at 80,60, 800 x 600
 *   menus      a right click opens one of 160 x 120 in the window there, a popup; any other click,
 *              Escape and any action on a window close it; text meanwhile is lost in it. Without
 *              such a menu Escape closes the open menu of a menu bar, or the focused window if it
 *              is a dialog
 *   installed  "Calculator" (org.perigee.Calculator), which opens a window;
 *              "Daemon" (org.perigee.Daemon), which opens none;
 *              "Settings" (org.perigee.Settings), a window with an element of each kind
 *   elements   those of all applications but Calculator, which has none; element_scenes.c */
struct fake *fake_world(void);

/* A copy of another desktop, for dry runs (mirror.h). The fake owns its connection to it, and has
 * operations of its own. Nothing is read yet: the first connection does that. */
struct fake *fake_mirror_new(const struct platform_ops *real);
const struct platform_ops *fake_mirror_ops(struct fake *fake); /* borrowed */

/* Adds a running application. Returns its process id. installed() knows it by `id`; open() starts
 * it again. */
int fake_add_app(struct fake *fake, const char *name, const char *id);
/* Adds an application that is installed and does not run; opening it makes a window with this title
 * (NULL: none). */
void fake_add_installed(struct fake *fake, const char *name, const char *id, const char *title);

/* Adds a window in front of all others, with the focus. Returns its id. */
uint64_t fake_add_window(struct fake *fake, int pid, const char *title, struct rect frame);
void fake_add_display(struct fake *fake, const char *name, struct rect bounds, double scale);

/* When the window is asked to close, it shows a dialog with this title instead. */
void fake_set_stays(struct fake *fake, uint64_t id, const char *dialog);

/* While this is true, operations hang until their connection is interrupted. */
void fake_hang(struct fake *fake, bool hang);
/* While this is false, connections die, and cannot be opened. */
void fake_set_present(struct fake *fake, bool present);
/* Acts as a user who asks for a stop. */
void fake_panic(struct fake *fake);
/* While this is true, the clipboard's owner does not answer. */
void fake_mute_clipboard(struct fake *fake, bool mute);
/* Acts as another program that copies. */
void fake_copy(struct fake *fake, const struct clip *clip);

/* The text that was typed into a window. The caller frees. */
char *fake_text(struct fake *fake, uint64_t id);
/* The number of keys and buttons that are down. */
int fake_held(struct fake *fake);
/* Returns the log, and empties it: one line for each request, oldest first: "window.focus 7",
 * "click left 1 at 10,20", "type \"hello\"". The caller frees. */
char *fake_take_log(struct fake *fake); /* the last 32 to 64 kB of it */

#endif
