/* Running applications: list, open, activate, quit. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "platform/macos/apps.h"
#include "platform/macos/connection.h"
#include "platform/macos/front.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/bundles.h"
#include "platform/macos/system/process.h"
#include "platform/macos/windows.h"

enum { WINDOW_MS = 10000, APP_LOOK_MS = 50, QUIT_MS = 3000, FRONT_MS = 2000 };

/* Counts the windows of a process; *shown: those that are not minimized or hidden. */
static size_t count_windows(const struct window_list *windows, int pid, size_t *shown)
{
    size_t count = 0;

    *shown = 0;
    for (size_t i = 0; i < windows->count; i++) {
        if (windows->items[i].ref.pid != pid)
            continue;
        count++;
        *shown += !(windows->items[i].state & (WINDOW_MINIMIZED | WINDOW_HIDDEN));
    }
    return count;
}

void macos_app_describe(const struct appkit_app *app, const struct window_list *windows,
                        struct app_info *out)
{
    size_t shown, count = count_windows(windows, app->pid, &shown);

    *out = (struct app_info){ .pid = app->pid,
                              .started = process_started(app->pid),
                              .name = mem_strdup(app->name),
                              .id = mem_strdup(app->id),
                              .path = process_path(app->pid),
                              .icon = app->bundle[0] ? bundle_icon(app->bundle) : mem_strdup(""),
                              .active = app->active,
                              .hidden = app->hidden || (count > 0 && shown == 0),
                              .windows = count };
}

static int active_first(const void *a, const void *b)
{
    const struct app_info *one = a, *two = b;

    if (one->active != two->active)
        return one->active ? -1 : 1;
    return strcasecmp(one->name, two->name);
}

static bool apps_list(struct desktop *handle, struct deadline *deadline, struct app_list *out,
                      struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct window_list windows;
    struct appkit_apps apps;

    *out = (struct app_list){ 0 };
    if (!macos_begin(desktop, deadline, err) || !macos_window_list(desktop, NULL, &windows, err))
        return false;
    appkit_list(&apps);
    out->items = mem_zero(sizeof *out->items * (apps.count + 1));
    for (size_t i = 0; i < apps.count; i++) {
        size_t shown;

        if (apps.items[i].regular || count_windows(&windows, apps.items[i].pid, &shown))
            macos_app_describe(&apps.items[i], &windows, &out->items[out->count++]);
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, active_first);
    appkit_apps_free(&apps);
    window_list_free(&windows);
    return true;
}

static bool check_app(int pid, uint64_t started, struct error *err)
{
    uint64_t now = process_started(pid);

    return (now && (!started || now == started)) ||
           error_set(err, "app_not_found",
                     "process %d has exited or is another program now. List the applications again",
                     pid);
}

static bool apps_get(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                     struct app_info *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct window_query query = { .pid = pid };
    struct window_list windows;
    struct appkit_app app;

    *out = (struct app_info){ 0 };
    if (!macos_begin(desktop, deadline, err) || !check_app(pid, started, err))
        return false;
    if (!appkit_get(pid, &app))
        return error_set(err, started ? "app_not_found" : "not_an_app",
                         "process %d runs and is not an application: it can have no windows", pid);
    if (macos_window_list(desktop, &query, &windows, err)) {
        macos_app_describe(&app, &windows, out);
        window_list_free(&windows);
    }
    appkit_app_free(&app);
    return out->pid != 0;
}

static bool apps_installed(struct desktop *handle, struct deadline *deadline, struct app_list *out,
                           struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct bundle_list bundles;

    *out = (struct app_list){ 0 };
    if (!macos_begin(desktop, deadline, err))
        return false;
    bundles_list(&bundles);
    out->items = mem_zero(sizeof *out->items * (bundles.count + 1));
    for (size_t i = 0; i < bundles.count; i++) {
        const struct bundle *bundle = &bundles.items[i];

        out->items[out->count++] = (struct app_info){ .name = mem_strdup(bundle->shown),
                                                      .id = mem_strdup(bundle->id),
                                                      .path = mem_strdup(bundle->path),
                                                      .icon = bundle_icon(bundle->path) };
    }
    bundles_free(&bundles);
    return true;
}

/* --- opening ------------------------------------------------------------------------ */

/* Finds the frontmost window of the process; id 0: none yet. */
static bool first_window(struct macos_desktop *desktop, int pid, struct window_ref *out,
                         struct error *err)
{
    struct window_query query = { .pid = pid };
    struct window_list windows;

    if (!macos_window_list(desktop, &query, &windows, err))
        return false;
    *out = windows.count ? windows.items[0].ref : (struct window_ref){ 0 };
    window_list_free(&windows);
    return true;
}

/* Waits until the application is launched: finishedLaunching, and a window. */
static bool wait_window(struct macos_desktop *desktop, struct deadline *deadline, int pid,
                        uint64_t until, struct app_opened *out, struct error *err)
{
    for (;;) {
        struct appkit_app app;
        bool finished, there = appkit_get(pid, &app);

        finished = there && app.finished;
        if (there)
            appkit_app_free(&app);
        if (finished && !first_window(desktop, pid, &out->window, err))
            return false;
        if (out->window.id)
            return true;
        out->ended = !process_started(pid);
        if (out->ended || deadline_now() >= until) {
            snprintf(out->note, sizeof out->note,
                     out->ended ? "process %d exited without showing a window"
                                : "process %d is running but has not shown a window yet",
                     pid);
            return true;
        }
        if (!deadline_wait(deadline, -1, deadline_now() + APP_LOOK_MS, err))
            return false;
    }
}

static int pid_of_bundle(const char *bundle)
{
    struct appkit_apps apps;
    int pid = 0;

    appkit_list(&apps);
    for (size_t i = 0; i < apps.count && !pid; i++) {
        if (strcmp(apps.items[i].bundle, bundle) == 0)
            pid = apps.items[i].pid;
    }
    appkit_apps_free(&apps);
    return pid;
}

static uint64_t time_for(const struct deadline *deadline, uint64_t ms)
{
    uint64_t left = deadline_left(deadline);

    if (left != UINT64_MAX && ms + 200 > left)
        ms = left > 200 ? left - 200 : 0;
    return ms;
}

static void describe_opened(struct macos_desktop *desktop, int pid, struct app_opened *out)
{
    struct window_query query = { .pid = pid };
    struct window_list windows = { 0 };
    struct appkit_app app;

    if (!appkit_get(pid, &app)) {
        out->app = (struct app_info){ .pid = pid,
                                      .name = mem_strdup(""),
                                      .id = mem_strdup(""),
                                      .path = process_path(pid),
                                      .icon = mem_strdup("") };
        return;
    }
    macos_window_list(desktop, &query, &windows, NULL);
    macos_app_describe(&app, &windows, &out->app);
    window_list_free(&windows);
    appkit_app_free(&app);
}

static bool apps_open(struct desktop *handle, struct deadline *deadline,
                      const struct app_open *what, struct app_opened *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    uint64_t ms = time_for(deadline, what->wait_ms ? what->wait_ms : WINDOW_MS);
    uint64_t until = deadline_now() + ms;
    struct appkit_open request = { .files = what->files,
                                   .arguments = what->arguments,
                                   .fresh = what->fresh,
                                   .background = what->background };
    char *bundle;
    int before, pid = 0;
    bool ok;

    *out = (struct app_opened){ 0 };
    bundle = macos_begin(desktop, deadline, err) ? bundle_find(what->name, err) : NULL;
    if (!bundle)
        return false;
    request.bundle = bundle;
    before = pid_of_bundle(bundle);
    ok = appkit_open(&request, ms, &pid, err) &&
         wait_window(desktop, deadline, pid, until, out, err);
    out->already = ok && before && pid == before;
    if (ok)
        describe_opened(desktop, pid, out);
    free(bundle);
    return ok;
}

/* --- a single application ------------------------------------------------------------ */

static bool apps_activate(struct desktop *handle, struct deadline *deadline, int pid,
                          uint64_t started, struct app_outcome *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    uint64_t until = deadline_now() + FRONT_MS;
    struct front front;

    *out = (struct app_outcome){ 0 };
    if (!macos_begin(desktop, deadline, err) || !check_app(pid, started, err))
        return false;
    front_begin(&front, pid);
    while (!out->note[0] && front_pid() != pid) {
        front_insist(&front);
        if (deadline_now() >= until)
            snprintf(out->note, sizeof out->note,
                     "process %d did not come to the front when asked: the active application "
                     "kept the focus",
                     pid);
        else if (!deadline_wait(deadline, -1, deadline_now() + APP_LOOK_MS, err))
            return false;
    }
    out->done = !out->note[0];
    return first_window(desktop, pid, &out->window, err);
}

static bool apps_hide(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                      bool show, struct app_outcome *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    uint64_t until = deadline_now() + FRONT_MS;
    struct appkit_app app;

    *out = (struct app_outcome){ 0 };
    if (!macos_begin(desktop, deadline, err) || !check_app(pid, started, err))
        return false;
    appkit_hide(pid, show);
    while (appkit_get(pid, &app)) {
        out->done = app.hidden != show;
        appkit_app_free(&app);
        if (out->done || deadline_now() >= until)
            break;
        if (!deadline_wait(deadline, -1, deadline_now() + APP_LOOK_MS, err))
            return false;
    }
    if (!out->done)
        snprintf(out->note, sizeof out->note, "process %d did not %s itself when asked", pid,
                 show ? "show" : "hide");
    return true;
}

static bool apps_quit(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                      bool force, struct app_outcome *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);

    *out = (struct app_outcome){ 0 };
    if (pid == getpid())
        return error_set(err, "permission_denied",
                         "process %d is Perigee itself. Quit another application", pid);
    if (!macos_begin(desktop, deadline, err) || !check_app(pid, started, err))
        return false;
    appkit_quit(pid, false);
    out->done = process_wait_end(deadline, pid, QUIT_MS);
    if (!out->done && force) {
        out->forced = true;
        if (!appkit_quit(pid, true))
            kill(pid, SIGKILL); /* AppKit knows no such application */
        out->done = process_wait_end(deadline, pid, QUIT_MS);
    }
    if (out->done)
        return true;
    snprintf(out->note, sizeof out->note,
             "process %d is still running; it may be asking what to do with unsaved work", pid);
    return deadline_ok(deadline, err) && first_window(desktop, pid, &out->window, err);
}

const struct app_ops macos_app_ops = {
    .list = apps_list,
    .installed = apps_installed,
    .get = apps_get,
    .open = apps_open,
    .activate = apps_activate,
    .hide = apps_hide,
    .quit = apps_quit,
};
