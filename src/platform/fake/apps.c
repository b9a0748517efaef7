/* The fake's applications: starting one makes a window, quitting closes them all. */
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "platform/fake/mirror.h"

static void describe_app(struct fake *fake, const struct fake_app *app, struct app_info *out)
{
    *out = (struct app_info){ .pid = app->pid,
                              .started = app->started,
                              .name = mem_strdup(app->name),
                              .id = mem_strdup(app->id),
                              .path = app->path ? mem_strdup(app->path)
                                                : mem_printf("/fake/%s", app->name),
                              .icon = mem_strdup(app->icon ? app->icon : ""),
                              .hidden = app->pid != 0 };
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (!app->pid || window->ref.pid != app->pid)
            continue;
        out->windows++;
        out->active = out->active || fake->focus == window->ref.id;
        out->hidden = out->hidden && (window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN));
    }
    if (!out->windows)
        out->hidden = false;
}

static bool gather_apps(struct fake_desktop *desktop, struct deadline *deadline, bool running,
                        struct app_list *out, struct error *err)
{
    *out = (struct app_list){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    if (!running)
        fake_mirror_installed(desktop->fake);
    list_each (link, &desktop->fake->apps) {
        struct fake_app *app = container_of(link, struct fake_app, link);

        if ((app->pid != 0) != running)
            continue;
        out->items = mem_resize(out->items, sizeof *out->items * (out->count + 1));
        describe_app(desktop->fake, app, &out->items[out->count++]);
    }
    app_list_sort(out);
    fake_leave(desktop);
    return true;
}

static bool apps_list(struct desktop *handle, struct deadline *deadline, struct app_list *out,
                      struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    return gather_apps(desktop, deadline, true, out, err);
}

static bool apps_installed(struct desktop *handle, struct deadline *deadline, struct app_list *out,
                           struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    return gather_apps(desktop, deadline, false, out, err);
}

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : "";
}

static bool is_called(const struct fake_app *app, const char *name)
{
    return strcasecmp(app->name, name) == 0 || strcasecmp(app->id, name) == 0 ||
           (app->path && (strcmp(app->path, name) == 0 || strcmp(base_name(app->path), name) == 0));
}

/* Finds an application by its name: a running one comes before one that is only installed. */
static struct fake_app *find_named(struct fake *fake, const char *name, bool fresh)
{
    struct fake_app *found = NULL;

    list_each (link, &fake->apps) {
        struct fake_app *app = container_of(link, struct fake_app, link);

        if (!is_called(app, name))
            continue;
        if (!found || (app->pid && !fresh) || (!app->pid && fresh))
            found = app;
    }
    return found;
}

static struct fake_window *front_window(struct fake *fake, int pid)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->ref.pid == pid)
            return window;
    }
    return NULL;
}

static struct fake_app *start_app(struct fake *fake, const struct fake_app *from)
{
    struct fake_app *app = fake_new_app(fake, from->name, from->id, true);

    app->path = from->path ? mem_strdup(from->path) : NULL;
    app->icon = from->icon ? mem_strdup(from->icon) : NULL;
    app->started_here = fake->mirror != NULL;
    return app;
}

/* Adds the program at a path, which has no entry, to the applications. NULL: there is no such
 * program, or the fake is not a copy. */
static struct fake_app *program_at(struct fake *fake, const char *path)
{
    struct fake_app *app;

    if (!fake->mirror || *path != '/' || access(path, X_OK) != 0)
        return NULL;
    app = fake_new_app(fake, base_name(path), "", false);
    app->path = mem_strdup(path);
    return app;
}

static void open_app(struct fake *fake, struct fake_app *app, const struct app_open *what,
                     struct app_opened *out)
{
    struct fake_window *window;

    out->already = app->pid != 0 && !what->fresh;
    if (!out->already) {
        const char *title = app->title;

        app = start_app(fake, app);
        if (fake->mirror) /* nearly all applications show a window, so a copy assumes one */
            title = app->name;
        if (title)
            fake_new_window(fake, app, title, (struct rect){ 100, 100, 640, 480 });
    }
    window = front_window(fake, app->pid);
    if (window && !what->background)
        fake_raise(fake, window);
    if (window)
        out->window = window->ref;
    else
        snprintf(out->note, sizeof out->note, "%s is running but shows no window", app->name);
    describe_app(fake, app, &out->app);
}

static bool apps_open(struct desktop *handle, struct deadline *deadline,
                      const struct app_open *what, struct app_opened *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;
    struct fake_app *app;

    *out = (struct app_opened){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    fake_mirror_installed(fake);
    app = find_named(fake, what->name, what->fresh);
    if (!app)
        app = program_at(fake, what->name);
    fake_note(fake, "app.open %s", what->name);
    for (size_t i = 0; what->files && what->files[i]; i++)
        fake_note(fake, "app.file %s", what->files[i]);
    if (app)
        open_app(fake, app, what, out);
    else
        error_set(err, "app_not_found", "no application is named \"%.100s\"", what->name);
    fake_leave(desktop);
    return app != NULL;
}

static bool no_app(int pid, struct error *err)
{
    return error_set(err, "app_not_found",
                     "process %d has exited or is not an application. List the applications again",
                     pid);
}

static bool apps_get(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                     struct app_info *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake_app *app;

    *out = (struct app_info){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    app = fake_find_app(desktop->fake, pid, started);
    if (app)
        describe_app(desktop->fake, app, out);
    fake_leave(desktop);
    return app ? true : no_app(pid, err);
}

static bool apps_activate(struct desktop *handle, struct deadline *deadline, int pid,
                          uint64_t started, struct app_outcome *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake_app *app;
    struct fake_window *window;

    *out = (struct app_outcome){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    app = fake_find_app(desktop->fake, pid, started);
    window = app ? front_window(desktop->fake, pid) : NULL;
    fake_note(desktop->fake, "app.activate %d", pid);
    if (window) {
        window->state &= ~(unsigned)WINDOW_MINIMIZED;
        fake_raise(desktop->fake, window);
        out->window = window->ref;
        out->done = true;
    } else if (app) {
        snprintf(out->note, sizeof out->note, "%s has no window", app->name);
    }
    fake_leave(desktop);
    return app ? true : no_app(pid, err);
}

/* Closes the application's windows. Windows that stay keep it running, unless it is forced; returns
 * the frontmost window then, else NULL. */
static struct fake_window *close_all(struct fake *fake, int pid)
{
    struct fake_window *window;
    bool kept = false;

    list_each (link, &fake->windows) {
        window = container_of(link, struct fake_window, link);
        if (window->ref.pid == pid && !window->parent && !fake_close_window(fake, window))
            kept = true;
    }
    return kept ? front_window(fake, pid) : NULL;
}

static bool apps_quit(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                      bool force, struct app_outcome *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake_window *window = NULL;
    struct fake_app *app;

    *out = (struct app_outcome){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    app = fake_find_app(desktop->fake, pid, started);
    fake_note(desktop->fake, "app.quit %d", pid);
    if (app)
        window = close_all(desktop->fake, pid);
    out->forced = window && force;
    out->done = !window || force;
    if (app && out->done)
        fake_drop_app(desktop->fake, app);
    if (window && !out->done) {
        out->window = window->ref;
        snprintf(out->note, sizeof out->note, "it is still running and shows \"%.100s\"",
                 window->title);
    }
    fake_leave(desktop);
    return app ? true : no_app(pid, err);
}

/* Hides an application by minimizing all its windows. */
static bool apps_hide(struct desktop *handle, struct deadline *deadline, int pid, uint64_t started,
                      bool show, struct app_outcome *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake_app *app;

    *out = (struct app_outcome){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    app = fake_find_app(desktop->fake, pid, started);
    fake_note(desktop->fake, "app.%s %d", show ? "show" : "hide", pid);
    list_each (link, &desktop->fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->ref.pid != pid)
            continue;
        window->state &= ~(unsigned)WINDOW_MINIMIZED;
        window->state |= show ? 0 : WINDOW_MINIMIZED;
        if (!show && desktop->fake->focus == window->ref.id)
            desktop->fake->focus = 0;
    }
    out->done = app != NULL;
    fake_leave(desktop);
    return app ? true : no_app(pid, err);
}

const struct app_ops fake_app_ops = { apps_list,     apps_installed, apps_get,  apps_open,
                                      apps_activate, apps_hide,      apps_quit, NULL };
