/* Applications: processes that own windows, or are the program of a desktop entry. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/freedesktop/entries.h"
#include "platform/freedesktop/launch.h"
#include "platform/freedesktop/proc.h"
#include "platform/freedesktop/running.h"
#include "platform/x11/apps.h"
#include "platform/x11/windows/manager.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/client.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/owner.h"
#include "process/other_process.h"

/* --- listing ---------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

void app_describe(struct x11_desktop *desktop, const struct window_info *window,
                  struct app_info *out)
{
    const struct desktop_entry *entry;

    *out = (struct app_info){ .pid = window->ref.pid, .started = window->ref.started };
    out->path = proc_path(window->ref.pid);
    entry = entries_of_window(desktop->entries, window, file_name(out->path));
    if (entry) {
        out->name = mem_strdup(entry->name);
        out->id = mem_strdup(entry->id);
        out->icon = mem_strdup(entry->icon);
    } else {
        out->name = mem_strdup(*window->app ? window->app : file_name(out->path));
        out->id = mem_strdup("");
        out->icon = mem_strdup("");
    }
}

/* Renames an application whose first window no entry knows (a splash screen), if an entry knows
 * this one. */
static void rename_by(struct x11_desktop *desktop, const struct window_info *window,
                      struct app_info *app)
{
    struct app_info better;

    app_describe(desktop, window, &better);
    if (*better.id) {
        struct app_info named = *app;

        named.name = better.name, better.name = app->name;
        named.id = better.id, better.id = app->id;
        named.icon = better.icon, better.icon = app->icon;
        *app = named;
    }
    app_info_free(&better);
}

static void count_window(const struct window_info *window, struct app_info *app)
{
    app->windows++;
    app->active = app->active || window->focused;
    app->hidden = app->hidden && (window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN));
}

void app_count_windows(const struct window_list *windows, struct app_info *app)
{
    app->windows = 0;
    app->active = false;
    app->hidden = true;
    for (size_t i = 0; i < windows->count; i++)
        if (windows->items[i].ref.pid == app->pid)
            count_window(&windows->items[i], app);
    app->hidden = app->hidden && app->windows;
}

static void add_window(struct x11_desktop *desktop, const struct window_info *window,
                       struct app_list *out)
{
    struct app_info *app = NULL;

    if (!window->ref.pid)
        return;
    for (size_t i = 0; i < out->count && !app; i++)
        app = out->items[i].pid == window->ref.pid ? &out->items[i] : NULL;
    if (!app) {
        out->items = mem_resize(out->items, sizeof *out->items * (out->count + 1));
        app = &out->items[out->count++];
        app_describe(desktop, window, app);
        app->hidden = true;
    } else if (!*app->id) {
        rename_by(desktop, window, app);
    }
    count_window(window, app);
}

/* Lists the applications that have a window. */
static bool list_windowed(struct x11_desktop *desktop, struct deadline *deadline,
                          struct app_list *out, struct error *err)
{
    struct window_list windows = { 0 };

    *out = (struct app_list){ 0 };
    if (!x11_begin(desktop, deadline, err) || !x11_window_list(desktop, NULL, &windows, err))
        return false;
    for (size_t i = 0; i < windows.count; i++)
        add_window(desktop, &windows.items[i], out);
    window_list_free(&windows);
    return true;
}

static bool apps_list(struct desktop *handle, struct deadline *deadline, struct app_list *out,
                      struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    if (!list_windowed(desktop, deadline, out, err))
        return false;
    running_add(desktop->entries, DisplayString(desktop->display), out);
    app_list_sort(out);
    return true;
}

/* Lists what menus show, or every application with the text of its entry. */
static bool list_entries(struct desktop *handle, struct deadline *deadline, bool texts,
                         struct app_list *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    const struct entries *entries;

    *out = (struct app_list){ 0 };
    if (!x11_begin(desktop, deadline, err))
        return false;
    entries = entries_fresh(desktop->entries);
    out->items = mem_zero(sizeof *out->items * (entries->count + 1));
    for (size_t i = 0; i < entries->count; i++) {
        const struct desktop_entry *entry = &entries->items[i];

        if (!entry->exec[0] || (entry->hidden && !texts))
            continue;
        out->items[out->count++] =
            (struct app_info){ .name = mem_strdup(entry->name),
                               .id = mem_strdup(entry->id),
                               .path = texts ? mem_strdup(entry->file) : entry_program(entry),
                               .icon = mem_strdup(entry->icon),
                               .text = texts ? entry_text(entry) : NULL };
    }
    app_list_sort(out);
    return true;
}

static bool apps_installed(struct desktop *desktop, struct deadline *deadline, struct app_list *out,
                           struct error *err)
{
    return list_entries(desktop, deadline, false, out, err);
}

static bool apps_entries(struct desktop *desktop, struct deadline *deadline, struct app_list *out,
                         struct error *err)
{
    return list_entries(desktop, deadline, true, out, err);
}

/* --- a single application --------------------------------------------------------- */

static bool no_app(int pid, struct error *err)
{
    return error_set(err, "app_not_found",
                     "process %d has exited or is another program now. List the applications again",
                     pid);
}

static bool check_app(int pid, uint64_t started, struct error *err)
{
    uint64_t now = proc_started(pid, NULL);

    return (now && (!started || now == started)) || no_app(pid, err);
}

static bool take_app(struct app_list *list, int pid, struct app_info *out)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].pid != pid)
            continue;
        *out = list->items[i];
        list->items[i] = (struct app_info){ 0 };
        return true;
    }
    return false;
}

/* True if the process belongs to a desktop by its environment: it may tell of its elements without
 * a window, or have its windows elsewhere. */
static bool has_session(int pid)
{
    static const char *const names[] = { "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS" };
    struct buf vars = { 0 };
    bool found = false;

    other_process_read("/proc", pid, "environ", &vars);
    for (size_t i = 0; i < countof(names); i++)
        found = found || other_process_variable(&vars, names[i]);
    buf_free(&vars);
    return found;
}

/* True if the process is at least known here: a number alone, of which no start is known, may be
 * any process of the system. */
static bool is_known(struct x11_desktop *desktop, int pid, uint64_t started)
{
    return started || x11_is_client(desktop, pid) || launched_here(pid) || has_session(pid);
}

static bool no_app_at_all(int pid, struct error *err)
{
    return error_set(err, "not_an_app",
                     "process %d runs and is not an application: it is not connected to this "
                     "display, has no desktop entry and no session, and was not opened from here",
                     pid);
}

/* Searches all processes only for an application without a window: that takes longer than reading
 * the elements of a small application. */
static bool apps_get(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                     struct app_info *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    char nothing[] = "";
    struct window_info none = { .ref.pid = pid, .app = nothing, .instance = nothing };
    struct app_list list;
    bool found;

    *out = (struct app_info){ 0 };
    if (!check_app(pid, started, err) || !list_windowed(desktop, deadline, &list, err))
        return false;
    found = take_app(&list, pid, out);
    if (!found) {
        running_add(desktop->entries, DisplayString(desktop->display), &list);
        found = take_app(&list, pid, out);
    }
    app_list_free(&list);
    if (!found && !is_known(desktop, pid, started))
        return no_app_at_all(pid, err);
    none.ref.started = proc_started(pid, NULL);
    if (!found)
        app_describe(desktop, &none, out);
    return true;
}

static bool apps_activate(struct desktop *handle, struct deadline *deadline, int pid,
                          uint64_t started, struct app_outcome *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct window_change change = { .verb = WINDOW_FOCUS };
    struct window_query query = { .pid = pid };
    struct window_list windows;
    struct window_outcome seen;
    bool ok = true;

    *out = (struct app_outcome){ 0 };
    windows = (struct window_list){ 0 };
    if (!x11_begin(desktop, deadline, err) || !check_app(pid, started, err) ||
        !x11_window_list(desktop, &query, &windows, err))
        return false;
    if (windows.count == 0) {
        snprintf(out->note, sizeof out->note, "process %d shows no window", pid);
        window_list_free(&windows); /* the list is empty, but has memory */
        return true;
    }
    out->window = windows.items[0].ref;
    ok = x11_window_act(desktop, deadline, &out->window, &change, &seen, err);
    out->done = ok && seen.done;
    if (ok && !seen.done)
        snprintf(out->note, sizeof out->note, "%s", seen.note);
    window_list_free(&windows);
    return ok;
}

/* Hides or shows each window for itself, which is all that a window manager can do. */
static bool apps_hide(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                      bool show, struct app_outcome *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct window_change change = { .verb = show ? WINDOW_RESTORE : WINDOW_MINIMIZE };
    struct window_query query = { .pid = pid };
    struct window_list windows = { 0 };
    struct window_outcome seen;
    bool ok = true;

    *out = (struct app_outcome){ .done = true };
    if (!x11_begin(desktop, deadline, err) || !check_app(pid, started, err) ||
        !x11_window_list(desktop, &query, &windows, err))
        return false;
    for (size_t i = 0; ok && i < windows.count; i++) {
        bool minimized = windows.items[i].state & WINDOW_MINIMIZED;

        if (minimized != show)
            continue;
        ok = x11_window_act(desktop, deadline, &windows.items[i].ref, &change, &seen, err);
        if (ok && !seen.done && out->done) {
            out->done = false;
            out->window = windows.items[i].ref;
            snprintf(out->note, sizeof out->note, "%s", seen.note);
        }
    }
    if (windows.count == 0)
        snprintf(out->note, sizeof out->note, "process %d shows no window", pid);
    window_list_free(&windows);
    return ok;
}

/* --- the end of one --------------------------------------------------------------- */

enum { WINDOW_CLOSE_MS = 3000, END_MS = 2000, KILL_MS = 3000, RESPONSE_MS = 500 };

/* False: the application has windows, and none of them can be asked to close. */
static bool ask_to_close(struct x11_desktop *desktop, const struct window_list *windows)
{
    size_t asked = 0, windowed = 0;

    for (size_t i = 0; i < windows->count; i++) {
        if (windows->items[i].kind == WINDOW_DIALOG)
            continue;
        windowed++;
        asked += x11_ask_to_close(desktop, (Window)windows->items[i].ref.id);
    }
    return asked || !windowed;
}

/* Waits until the process has no window any more, or shows a dialog that it had not before. *left
 * gets the remaining windows. */
static bool wait_closed(struct x11_desktop *desktop, struct deadline *deadline, int pid, bool asked,
                        size_t dialogs, struct window_list *left, struct error *err)
{
    struct window_query query = { .pid = pid };
    uint64_t until = asked ? deadline_now() + WINDOW_CLOSE_MS : 0;

    for (;;) {
        size_t now = 0;

        if (!x11_window_list(desktop, &query, left, err))
            return false;
        for (size_t i = 0; i < left->count; i++)
            now += left->items[i].kind == WINDOW_DIALOG;
        if (left->count == 0 || now > dialogs || deadline_now() >= until)
            return true;
        window_list_free(left);
        if (!x11_wait(desktop, deadline, until, err))
            return false;
    }
}

/* True if the process ends within `ms`. On a kernel without pidfds it is checked once. */
static bool wait_ended(struct deadline *deadline, int pid, uint64_t started, uint64_t ms)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    uint64_t until = deadline_now() + ms;

    if (fd >= 0) {
        deadline_wait(deadline, fd, until, NULL);
        close(fd);
    }
    return proc_started(pid, NULL) != started;
}

/* The dialog that keeps the application from ending, otherwise its frontmost window. */
static const struct window_info *keeper_of(const struct window_list *left)
{
    for (size_t i = 0; i < left->count; i++)
        if (left->items[i].kind == WINDOW_DIALOG)
            return &left->items[i];
    return &left->items[0];
}

/* Notes what is left after the windows were asked to close. A window that does not respond has no
 * question for the user. */
static void note_asked(struct x11_desktop *desktop, struct deadline *deadline,
                       const struct window_info *keeper, struct app_outcome *out)
{
    if (!x11_responds(desktop, deadline, &keeper->ref, RESPONSE_MS)) {
        snprintf(out->note, sizeof out->note,
                 "it does not respond, and its window \"%.120s\" is still open", keeper->title);
        return;
    }
    if (keeper->kind == WINDOW_DIALOG)
        out->window = keeper->ref;
    snprintf(out->note, sizeof out->note, "it is still running and shows \"%.120s\"%s",
             keeper->title,
             keeper->kind == WINDOW_DIALOG ? ", which is waiting for an answer"
                                           : "; it may ask something there, or hang");
}

static void note_left(struct x11_desktop *desktop, struct deadline *deadline,
                      const struct window_list *left, int pid, bool asked, struct app_outcome *out)
{
    if (left->count == 0)
        snprintf(out->note, sizeof out->note,
                 "its windows are closed, but process %d is still running", pid);
    else if (!asked)
        snprintf(out->note, sizeof out->note,
                 "\"%.80s\" cannot be closed by request: its application does not take part in it "
                 "(WM_DELETE_WINDOW). Quit it by force",
                 left->items[0].title);
    else
        note_asked(desktop, deadline, keeper_of(left), out);
}

/* True if the process is known to be an application of this desktop by another word than a window's
 * own: the X server's, the program of a desktop entry, or that we started it. */
static bool is_vouched(struct x11_desktop *desktop, int pid)
{
    struct app_list list = { 0 };
    struct app_info app = { 0 };
    bool vouched = x11_is_client(desktop, pid) || launched_here(pid);

    if (!vouched) {
        running_add(desktop->entries, DisplayString(desktop->display), &list);
        vouched = take_app(&list, pid, &app);
        app_info_free(&app);
        app_list_free(&list);
    }
    return vouched;
}

static bool not_vouched(int pid, struct error *err)
{
    return error_set(err, "app_not_found",
                     "process %d was not ended, and nothing was sent to it: the X server does not "
                     "say that it is an application here, and the number may be another "
                     "program's. Take the name from list_windows, or quit it without force",
                     pid);
}

static bool signal_process(int pid, uint64_t started, int number)
{
    return proc_started(pid, NULL) == started && kill(pid, number) == 0;
}

static bool end_by_force(struct deadline *deadline, int pid, uint64_t started,
                         struct app_outcome *out)
{
    out->forced = true;
    if (signal_process(pid, started, SIGTERM) && wait_ended(deadline, pid, started, KILL_MS))
        return true;
    signal_process(pid, started, SIGKILL);
    return wait_ended(deadline, pid, started, KILL_MS);
}

/* A process that has ended leaves no window, unless the window was another's. */
static bool note_end(struct x11_desktop *desktop, struct deadline *deadline, int pid,
                     struct app_outcome *out, struct error *err)
{
    struct window_list left = { 0 };

    if (!wait_closed(desktop, deadline, pid, true, SIZE_MAX, &left, err))
        return false;
    out->done = left.count == 0;
    if (!out->done)
        snprintf(out->note, sizeof out->note,
                 "process %d has ended, but its window \"%.120s\" is still open", pid,
                 left.items[0].title);
    window_list_free(&left);
    return true;
}

static bool apps_quit(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                      bool force, struct app_outcome *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct window_query query = { .pid = pid };
    struct window_list windows = { 0 }, left = { 0 };
    size_t dialogs = 0;
    bool asked, ended;

    *out = (struct app_outcome){ 0 };
    if (pid == getpid())
        return error_set(err, "permission_denied",
                         "process %d is Perigee itself. Quit another application", pid);
    if (!x11_begin(desktop, deadline, err) || !check_app(pid, started, err) ||
        (force && !is_vouched(desktop, pid) && !not_vouched(pid, err)) ||
        !x11_window_list(desktop, &query, &windows, err))
        return false;
    started = started ? started : proc_started(pid, NULL);
    for (size_t i = 0; i < windows.count; i++)
        dialogs += windows.items[i].kind == WINDOW_DIALOG;
    asked = ask_to_close(desktop, &windows);
    window_list_free(&windows);
    if (!wait_closed(desktop, deadline, pid, asked, dialogs, &left, err))
        return false;
    ended = left.count == 0 && wait_ended(deadline, pid, started, END_MS);
    if (!ended && force)
        ended = end_by_force(deadline, pid, started, out);
    if (!ended)
        note_left(desktop, deadline, &left, pid, asked, out);
    window_list_free(&left);
    return !ended || note_end(desktop, deadline, pid, out, err);
}

const struct app_ops x11_app_ops = { apps_list,     apps_installed, apps_get,  x11_app_open,
                                     apps_activate, apps_hide,      apps_quit, apps_entries };
