/* Opening an application and waiting for its window.
 *
 * A window is the application's when its process was started from ours (by descent, or by the
 * startup id it inherited), or when its class says so: programs that run once hand the request
 * to the instance there is, whose window then comes up or gets the focus. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "files/file.h"
#include "platform/freedesktop/chromium.h"
#include "platform/freedesktop/entries.h"
#include "platform/freedesktop/launch.h"
#include "platform/freedesktop/proc.h"
#include "platform/x11/apps.h"
#include "platform/x11/elements.h"
#include "platform/x11/input/input.h"
#include "platform/x11/windows/manager.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/client.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum { WINDOW_MS = 10000 };

struct opening {
    struct x11_desktop *desktop;
    struct deadline *deadline;
    const struct app_open *what;
    const struct desktop_entry *entry; /* NULL: a program by its path or name */
    const char *program;               /* its name without folder */
    char *program_copy;
    char startup_id[96];
    int pid; /* the process that was started */
    uint64_t started;
    uint64_t began; /* in the unit of proc_started(): a process that started earlier ran already */
    bool splash;    /* a splash screen was seen */
    struct window_list before;
    uint64_t ended_at; /* when the end of the process was seen; 0: it was not */
    Window asked;      /* an older window, whose application is to answer; None: none */
    bool answered;
    uint64_t quiet_since; /* the last sign of a window to come */
};

/* --- the meaning of a name -------------------------------------------------------- */

static bool not_found(const char *name, struct error *err)
{
    if (!strchr(name, '/'))
        return error_set(err, "app_not_found",
                         "no application is named \"%.100s\": it is neither the id or name of a "
                         "desktop entry nor a program on PATH",
                         name);
    if (access(name, F_OK) == 0)
        return error_set(err, "app_not_found",
                         "\"%.200s\" is not a program that can be started. To open it in an "
                         "application, name the application and pass this path as a file",
                         name);
    return error_set(err, "app_not_found", "there is no program \"%.200s\"", name);
}

static bool resolve(struct opening *opening, struct error *err)
{
    const char *name = opening->what->name;
    struct error why = { "", "" };
    const char *slash = strrchr(name, '/');

    opening->entry = entries_find(opening->desktop->entries, name, &why);
    if (!opening->entry && why.code[0]) {
        if (err)
            *err = why;
        return false;
    }
    if (opening->entry)
        opening->program_copy = entry_program(opening->entry);
    else if (*name && file_on_path(name))
        opening->program_copy = mem_strdup(slash ? slash + 1 : name);
    else
        return not_found(name, err);
    opening->program = opening->program_copy;
    return true;
}

/* --- starting --------------------------------------------------------------------- */

static size_t count_list(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

/* The arguments of a program by its path, with the files at the end. */
static char **plain_argv(const struct app_open *what)
{
    size_t arguments = count_list(what->arguments), files = count_list(what->files);
    char **argv = mem_zero(sizeof *argv * (arguments + files + 2));

    argv[0] = mem_strdup(what->name);
    for (size_t i = 0; i < arguments; i++)
        argv[1 + i] = mem_strdup(what->arguments[i]);
    for (size_t i = 0; i < files; i++)
        argv[1 + arguments + i] = file_argument(what->files[i]);
    return argv;
}

/* The command line that starts an entry, with the caller's arguments last: its first words may
 * start another program ("env A=B program"). */
static char **line_argv(const struct opening *opening, size_t *used, struct error *err)
{
    const struct app_open *what = opening->what;
    char **argv = entry_argv(opening->entry, what->files, used, err);
    size_t arguments = count_list(what->arguments), count = 0;

    while (argv && argv[count])
        count++;
    if (!argv || !arguments)
        return argv;
    argv = mem_resize(argv, sizeof *argv * (count + arguments + 1));
    for (size_t i = 0; i < arguments; i++)
        argv[count + i] = mem_strdup(what->arguments[i]);
    argv[count + arguments] = NULL;
    return argv;
}

static bool start_one(struct opening *opening, size_t *used, struct error *err)
{
    char **argv = opening->entry ? line_argv(opening, used, err) : plain_argv(opening->what);

    if (!argv)
        return false;
    argv = chromium_argv(argv);
    if (!opening->entry)
        *used = count_list(opening->what->files);
    opening->pid =
        launch(argv, opening->entry ? opening->entry->folder : NULL, opening->startup_id, err);
    opening->started = proc_started(opening->pid, NULL);
    if (!opening->began)
        opening->began = opening->started ? opening->started : proc_now();
    argv_free(argv);
    return opening->pid != 0;
}

/* Starts an application that takes one file at a time once for each file. */
static bool opening_start(struct opening *opening, struct error *err)
{
    static _Atomic unsigned serial;
    size_t files = count_list(opening->what->files), used = 0;

    if (!x11_time(opening->desktop, opening->deadline, err))
        return false;
    x11_elements_wake(opening->desktop, opening->deadline);
    snprintf(opening->startup_id, sizeof opening->startup_id, LAUNCH_ID "%d-%u_TIME%lu",
             (int)getpid(), atomic_fetch_add(&serial, 1), (unsigned long)opening->desktop->time);
    do {
        if (!start_one(opening, &used, err))
            return false;
    } while (used < files);
    return true;
}

/* --- the window of an application ------------------------------------------------- */

static bool is_class(const struct opening *opening, const struct window_info *window)
{
    if (opening->entry)
        return entry_owns(opening->entry, window);
    return strcasecmp(window->app, opening->program) == 0 ||
           strcasecmp(window->instance, opening->program) == 0;
}

static bool is_ours(const struct opening *opening, const struct window_info *window)
{
    return window->ref.pid && (proc_descends(window->ref.pid, opening->pid) ||
                               launched_with(window->ref.pid, opening->startup_id));
}

static bool alive(const struct opening *opening)
{
    return opening->started && proc_started(opening->pid, NULL) == opening->started;
}

/* True if the window is a picture that says that the application is starting. The application's own
 * windows come after it, at times from another process. */
static bool is_splash(const struct opening *opening, const struct window_info *window)
{
    struct x11_desktop *desktop = opening->desktop;

    return window->kind == WINDOW_UTILITY &&
           x11_has_atom(desktop, (Window)window->ref.id, A(_NET_WM_WINDOW_TYPE),
                        A(_NET_WM_WINDOW_TYPE_SPLASH));
}

/* True if the window has no frame and a fixed size, as a splash screen that does not say that it is
 * one. Some windows that are to stay look the same: they are taken when nothing else has come for a
 * while. */
static bool looks_like_splash(const struct opening *opening, const struct window_info *window)
{
    enum { DECORATIONS_FLAG = 1 << 1, FIXED = PMinSize | PMaxSize };
    struct x11_desktop *desktop = opening->desktop;
    XSizeHints *hints = XAllocSizeHints();
    size_t count;
    uint32_t *motif = x11_read_longs(desktop, (Window)window->ref.id, A(_MOTIF_WM_HINTS), &count);
    bool bare = motif && count > 2 && (motif[0] & DECORATIONS_FLAG) && !motif[2];
    long supplied;
    bool fixed = bare && hints &&
                 XGetWMNormalHints(desktop->display, (Window)window->ref.id, hints, &supplied) &&
                 (hints->flags & FIXED) == FIXED && hints->min_width == hints->max_width &&
                 hints->min_height == hints->max_height;

    free(motif);
    if (hints)
        XFree(hints);
    return fixed;
}

/* Rates how well a new window fits the one that was awaited: a window of our process comes before
 * one of the class, a main window before its dialogs. 0: it does not fit. */
static int fitness(struct opening *opening, const struct window_info *window)
{
    bool ours = is_ours(opening, window);

    if (!ours && !is_class(opening, window))
        return 0;
    if (is_splash(opening, window)) {
        opening->splash = true;
        return 0;
    }
    return (ours ? 3 : 0) +
           (window->kind == WINDOW_NORMAL && !looks_like_splash(opening, window) ? 2 : 1);
}

static bool awaits_older(const struct opening *opening)
{
    return opening->asked && !opening->answered;
}

/* The new window that fits best; if our process is gone, and no new one is to come, a focused older
 * window of the class. NULL: not yet. */
static const struct window_info *find_window(struct opening *opening,
                                             const struct window_list *windows)
{
    const struct window_info *found = NULL;
    int most = 0;

    for (size_t i = 0; i < windows->count; i++) {
        const struct window_info *window = &windows->items[i];
        int fits =
            window_list_find(&opening->before, window->ref.id) ? 0 : fitness(opening, window);

        if (fits > most) {
            found = window;
            most = fits;
        }
    }
    if (!opening->ended_at || awaits_older(opening))
        return found;
    for (size_t i = 0; i < windows->count && !found; i++) {
        const struct window_info *window = &windows->items[i];

        if (window->focused && is_class(opening, window))
            found = window;
    }
    return found;
}

/* False if the window has gone meanwhile. The facts read of such a window are void: they make a
 * splash screen look like any window. */
static bool is_there(const struct opening *opening, Window window)
{
    xcb_connection_t *xcb = opening->desktop->xcb;
    xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
        xcb, xcb_get_window_attributes(xcb, (xcb_window_t)window), NULL);

    free(reply);
    return reply != NULL;
}

/* --- handing over to the instance there is ---------------------------------------- */

/* Notes the end of the process. It may have handed the request over: the application of an older
 * window is asked for an answer, which comes after the windows that it has made by then. */
static void note_end(struct opening *opening, const struct window_list *windows)
{
    opening->ended_at = opening->quiet_since = deadline_now();
    for (size_t i = 0; i < windows->count && !opening->asked; i++) {
        const struct window_info *window = &windows->items[i];

        if (window_list_find(&opening->before, window->ref.id) && is_class(opening, window) &&
            x11_answers(opening->desktop, (Window)window->ref.id))
            opening->asked = (Window)window->ref.id;
    }
    if (opening->asked)
        x11_ping(opening->desktop, opening->asked);
}

/* Takes the answer, and lets the window manager handle the windows that came before it. */
static bool hear_older(struct opening *opening, struct error *err)
{
    bool handled;

    if (!awaits_older(opening) || !x11_ponged(opening->desktop))
        return true;
    if (!x11_manager_barrier(opening->desktop, opening->deadline, &handled, err))
        return false;
    opening->answered = true;
    opening->quiet_since = deadline_now();
    return true;
}

/* The application has the name that was asked for, unless its window says exactly that it is
 * another one (an office that was given a spreadsheet). */
static void describe_opened(const struct opening *opening, const struct window_info *window,
                            struct app_info *out)
{
    const struct desktop_entry *entry = opening->entry, *said;

    app_describe(opening->desktop, window, out);
    if (!entry || !is_ours(opening, window) || strcmp(out->id, entry->id) == 0)
        return;
    said = entries_of_window(opening->desktop->entries, window, "");
    if (said && entry_declares(said, window) && !entry_declares(entry, window))
        return;
    free(out->name);
    free(out->id);
    free(out->icon);
    out->name = mem_strdup(entry->name);
    out->id = mem_strdup(entry->id);
    out->icon = mem_strdup(entry->icon);
}

static void describe_started(const struct opening *opening, struct app_opened *out)
{
    const struct desktop_entry *entry = opening->entry;

    out->app = (struct app_info){ .pid = opening->pid,
                                  .started = opening->started,
                                  .name = mem_strdup(entry ? entry->name : opening->program),
                                  .id = mem_strdup(entry ? entry->id : ""),
                                  .path = proc_path(opening->pid),
                                  .icon = mem_strdup(entry ? entry->icon : "") };
}

static void tell_none(const struct opening *opening, struct app_opened *out)
{
    describe_started(opening, out);
    out->ended = !alive(opening);
    if (out->ended && awaits_older(opening))
        snprintf(out->note, sizeof out->note,
                 "%s exited, and the instance that runs already does not respond",
                 opening->program);
    else if (out->ended)
        snprintf(out->note, sizeof out->note, "%s exited without showing a window",
                 opening->program);
    else if (opening->splash)
        snprintf(out->note, sizeof out->note,
                 "%s is still starting (process %d): it has shown only a splash screen",
                 opening->program, opening->pid);
    else
        snprintf(out->note, sizeof out->note,
                 "%s is running (process %d) but has not shown a window yet", opening->program,
                 opening->pid);
}

static uint64_t wait_until(const struct opening *opening)
{
    uint64_t ms = opening->what->wait_ms ? opening->what->wait_ms : WINDOW_MS;
    uint64_t left = deadline_left(opening->deadline);

    if (left != UINT64_MAX && ms + 200 > left)
        ms = left > 200 ? left - 200 : 0;
    return deadline_now() + ms;
}

/* False while the class of an office's window is still the program's name: the office sets another
 * once it knows what the window shows. */
static bool is_named(const struct opening *opening, const struct window_info *window)
{
    if (opening->entry)
        return !*opening->entry->wm_class || entry_declares(opening->entry, window);
    return strcasecmp(window->app, opening->program) != 0 ||
           entries_of_window(opening->desktop->entries, window, opening->program);
}

/* True if the window manager has put the window where the user sees it, with the focus if it is to
 * have it, or has hidden it; before, its place and size are not settled. A dialog may come before
 * its window. */
static bool is_settled(const struct opening *opening, const struct window_info *window)
{
    if (window->kind != WINDOW_NORMAL || !is_named(opening, window))
        return false;
    return (window->on_screen && (window->focused || opening->what->background)) ||
           (window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN));
}

/* The window that fits best now, and the time since when. */
struct best_window {
    uint64_t window, since; /* 0: none yet */
};

/* True if the window is busy and has not said yet what it is called: an office that starts names
 * its window before it answers. Only the window with the keyboard can be asked. */
static bool is_busy_unnamed(const struct opening *opening, const struct window_info *window)
{
    enum { LAUNCH_ANSWER_MS = 100 };
    bool answered = true;
    struct error err;

    return window->kind == WINDOW_NORMAL && !is_named(opening, window) && window->focused &&
           x11_answers(opening->desktop, (Window)window->ref.id) &&
           x11_input_ops.settle((struct desktop *)opening->desktop, opening->deadline,
                                LAUNCH_ANSWER_MS, &answered, &err) &&
           !answered;
}

/* True while a window of this age (ms) may still become another. */
static bool may_change(const struct opening *opening, const struct window_info *window,
                       uint64_t age)
{
    enum { LAUNCH_SETTLE_MS = 1000, LAUNCH_LONG_MS = 3000 };

    if (looks_like_splash(opening, window))
        return age < LAUNCH_LONG_MS;
    if (is_settled(opening, window))
        return false;
    return age < LAUNCH_SETTLE_MS || (age < LAUNCH_LONG_MS && is_busy_unnamed(opening, window));
}

/* True when the window is there: settled, or known for a while (it is outside of every display, or
 * the window manager gives new windows no focus), or found when the time is up. */
static bool take_window(struct opening *opening, const struct window_list *windows,
                        struct app_opened *out, uint64_t until, struct best_window *best)
{
    uint64_t now = deadline_now();
    const struct window_info *found = find_window(opening, windows);

    if (!found)
        return false;
    opening->quiet_since = now;
    if (found->ref.id != best->window)
        *best = (struct best_window){ found->ref.id, now };
    if (now < until && may_change(opening, found, now - best->since))
        return false;
    if (!is_there(opening, (Window)found->ref.id))
        return false;
    out->window = found->ref;
    out->already = found->ref.started && found->ref.started < opening->began;
    describe_opened(opening, found, &out->app);
    app_count_windows(windows, &out->app);
    return true;
}

/* Sees the end of the process, and that of the window that was asked. */
static void look_for_ends(struct opening *opening, const struct window_list *windows)
{
    if (!opening->ended_at && !alive(opening))
        note_end(opening, windows);
    if (awaits_older(opening) && !is_there(opening, opening->asked))
        opening->answered = true;
}

/* True if the process has ended, and no window has come for a while, nor is to come. */
static bool is_over(const struct opening *opening, uint64_t now)
{
    enum { LAUNCH_DEAD_MS = 1000 };

    return opening->ended_at && !awaits_older(opening) &&
           now >= opening->quiet_since + LAUNCH_DEAD_MS;
}

/* Neither the end of a process nor the last change of a new window makes an event here, so the list
 * is read again at times. */
static bool wait_window(struct opening *opening, struct app_opened *out, struct error *err)
{
    enum { LAUNCH_LOOK_MS = 250, LAUNCH_LOOK_SOON_MS = 20 };
    uint64_t until = wait_until(opening);
    struct best_window best = { 0 };

    for (;;) {
        struct window_list windows = { 0 };
        uint64_t now = deadline_now();
        bool there;

        if (!hear_older(opening, err) || !x11_window_list(opening->desktop, NULL, &windows, err))
            return false;
        look_for_ends(opening, &windows);
        there = take_window(opening, &windows, out, until, &best);
        window_list_free(&windows);
        if (there)
            return true;
        if (now >= until || is_over(opening, now)) {
            tell_none(opening, out);
            return true;
        }
        now += best.since ? LAUNCH_LOOK_SOON_MS : LAUNCH_LOOK_MS;
        if (!x11_wait(opening->desktop, opening->deadline, now < until ? now : until, err))
            return false;
    }
}

/* --- applications that run already ------------------------------------------------ */

/* False for a window of another entry of the same program. */
static bool is_running(const struct opening *opening, const struct window_info *window)
{
    const struct desktop_entry *said;

    if (!is_class(opening, window))
        return false;
    said = opening->entry ? entries_of_window(opening->desktop->entries, window, "") : NULL;
    return !said || said == opening->entry || entry_declares(opening->entry, window);
}

/* Without files and without the wish for a new instance, brings the running one to the front. */
static bool use_running(struct opening *opening, struct app_opened *out, bool *used,
                        struct error *err)
{
    struct window_change change = { .verb = WINDOW_FOCUS };
    struct window_outcome seen;

    *used = false;
    if (opening->what->fresh || count_list(opening->what->files) ||
        count_list(opening->what->arguments))
        return true;
    for (size_t i = 0; i < opening->before.count && !*used; i++) {
        const struct window_info *window = &opening->before.items[i];

        if (!is_running(opening, window))
            continue;
        if (!opening->what->background &&
            !x11_window_act(opening->desktop, opening->deadline, &window->ref, &change, &seen, err))
            return false;
        out->window = window->ref;
        out->already = *used = true;
        app_describe(opening->desktop, window, &out->app);
        app_count_windows(&opening->before, &out->app);
        if (!opening->what->background && !seen.done)
            snprintf(out->note, sizeof out->note, "%s", seen.note);
    }
    return true;
}

bool x11_app_open(struct desktop *handle, struct deadline *deadline, const struct app_open *what,
                  struct app_opened *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct opening opening = { .desktop = desktop, .deadline = deadline, .what = what };
    bool used = false, ok;

    *out = (struct app_opened){ 0 };
    entries_fresh(desktop->entries);
    desktop->entries->pinned = true; /* opening.entry points into it */
    ok = x11_begin(desktop, deadline, err) && resolve(&opening, err) &&
         x11_window_list(desktop, NULL, &opening.before, err) &&
         use_running(&opening, out, &used, err);
    if (ok && !used)
        ok = opening_start(&opening, err) && wait_window(&opening, out, err);
    desktop->entries->pinned = false;
    window_list_free(&opening.before);
    free(opening.program_copy);
    if (!ok)
        app_opened_free(out);
    return ok;
}
