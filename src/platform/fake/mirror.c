/* Copies another desktop into the fake, by that desktop's own reading operations. */
#include "platform/fake/mirror.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    COPY_MS = 3000,      /* for one list */
    CLIPBOARD_MS = 1000, /* for the clipboard, whose owner may hang */
    CLIPBOARD_BYTES = 1 << 20
};

/* --- making and ending ------------------------------------------------------------- */

struct fake *fake_mirror_new(const struct platform_ops *real)
{
    struct fake *fake = fake_new();
    struct fake_mirror *mirror = mem_zero(sizeof *mirror);

    mirror->real = real;
    mirror->shared = real->share_new ? real->share_new() : NULL;
    mirror->ops = perigee_fake;
    mirror->ops.turn = real->turn;
    mirror->ops.around = real->around;
    mirror->elements = *perigee_fake.elements;
    if (real->elements)
        mirror->elements.ready = real->elements->ready;
    mirror->ops.elements = real->elements ? &mirror->elements : NULL;
    mirror->ops.watch = NULL;   /* a copy has no events of its own */
    fake->next_id = 1000000000; /* no process and no window has such a number */
    fake->last_element = 1ull << 40;
    fake->mirror = mirror;
    return fake;
}

const struct platform_ops *fake_mirror_ops(struct fake *fake)
{
    return &fake->mirror->ops;
}

void fake_mirror_free(struct fake_mirror *mirror)
{
    if (!mirror)
        return;
    mirror->real->close(mirror->desktop);
    if (mirror->shared)
        mirror->real->share_free(mirror->shared);
    free(mirror);
}

/* --- the other desktop ------------------------------------------------------------- */

struct desktop *fake_mirror_open(struct fake_mirror *mirror, struct error *err)
{
    if (mirror->desktop && !mirror->real->alive(mirror->desktop)) {
        mirror->real->close(mirror->desktop);
        mirror->desktop = NULL;
    }
    if (!mirror->desktop)
        mirror->desktop = mirror->real->open(mirror->shared, err);
    atomic_store(&mirror->busy, mirror->desktop);
    return mirror->desktop;
}

void fake_mirror_close(struct fake_mirror *mirror)
{
    atomic_store(&mirror->busy, NULL);
}

void fake_mirror_interrupt(struct fake *fake)
{
    struct desktop *busy = fake->mirror ? atomic_load(&fake->mirror->busy) : NULL;

    if (busy)
        fake->mirror->real->interrupt(busy);
}

/* --- displays and applications ------------------------------------------------------ */

static void drop_displays(struct fake *fake)
{
    struct link *link;

    while ((link = list_pop(&fake->displays))) {
        struct fake_display *display = container_of(link, struct fake_display, link);

        free(display->name);
        free(display);
    }
}

static bool copy_displays(struct fake *fake, struct desktop *desktop, struct error *err)
{
    const struct display_ops *ops = fake->mirror->real->displays;
    struct deadline deadline = deadline_of(COPY_MS);
    struct display_list list;

    if (!ops->list(desktop, &deadline, &list, err))
        return false;
    drop_displays(fake);
    for (size_t i = 0; i < list.count; i++) {
        const struct display_info *info = &list.items[i];
        struct fake_display *display = mem_zero(sizeof *display);

        display->id = info->id;
        display->name = mem_strdup(info->name);
        display->bounds = info->bounds;
        display->work = info->work;
        display->scale = info->scale;
        display->rotation = info->rotation;
        list_push(&fake->displays, &display->link);
    }
    display_list_free(&list);
    return ops->cursor(desktop, &deadline, &fake->pointer, err);
}

static void add_app(struct fake *fake, const struct app_info *info)
{
    struct fake_app *app = fake_new_app(fake, info->name, info->id, false);

    app->pid = info->pid;
    app->started = info->started;
    app->path = mem_strdup(info->path);
    app->icon = mem_strdup(info->icon);
}

static void add_apps(struct fake *fake, struct app_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        add_app(fake, &list->items[i]);
    app_list_free(list);
}

static bool copy_apps(struct fake *fake, struct desktop *desktop, struct error *err)
{
    struct deadline deadline = deadline_of(COPY_MS);
    struct app_list list;

    if (!fake->mirror->real->apps->list(desktop, &deadline, &list, err))
        return false;
    add_apps(fake, &list);
    return true;
}

void fake_mirror_installed(struct fake *fake)
{
    struct fake_mirror *mirror = fake->mirror;
    struct deadline deadline = deadline_of(COPY_MS);
    struct desktop *desktop;
    struct app_list list;
    struct error err;

    if (!mirror || mirror->knows_installed)
        return;
    desktop = fake_mirror_open(mirror, &err);
    if (desktop && mirror->real->apps->installed(desktop, &deadline, &list, &err)) {
        mirror->knows_installed = true;
        add_apps(fake, &list);
    }
    fake_mirror_close(mirror);
}

/* --- windows and the clipboard ------------------------------------------------------ */

static void add_window(struct fake *fake, const struct window_info *info, bool managed)
{
    struct fake_window *window = mem_zero(sizeof *window);
    struct rect frame = info->frame, content = info->content;

    window->ref = info->ref;
    window->title = mem_strdup(info->title);
    window->app = mem_strdup(info->app);
    window->instance = mem_strdup(info->instance);
    window->kind = info->kind;
    window->workspace = info->workspace;
    window->state = info->state;
    window->parent = info->parent;
    window->copied = true;
    window->unmanaged = !managed;
    window->frame = window->normal = window->place = frame;
    window->inset = (struct rect){ content.x - frame.x, content.y - frame.y,
                                   frame.width - content.width, frame.height - content.height };
    list_push(&fake->windows, &window->link);
    if (info->focused)
        fake->focus = info->ref.id;
}

static bool copy_windows(struct fake *fake, struct desktop *desktop, struct error *err)
{
    static const struct window_query every = { .all_kinds = true };
    const struct window_ops *ops = fake->mirror->real->windows;
    struct deadline deadline = deadline_of(COPY_MS);
    struct window_list all = { 0 }, managed = { 0 };
    bool ok = ops->list(desktop, &deadline, &every, &all, err) &&
              ops->list(desktop, &deadline, NULL, &managed, err);

    for (size_t i = 0; ok && i < all.count; i++)
        add_window(fake, &all.items[i], window_list_find(&managed, all.items[i].ref.id));
    window_list_free(&all);
    window_list_free(&managed);
    return ok;
}

/* Copies the clipboard. Content that cannot be read is left out: a dry run does not fail because of
 * it. */
static void copy_clipboard(struct fake *fake, struct desktop *desktop)
{
    static const char *const types[] = { "text/plain", NULL };
    const struct clipboard_ops *ops = fake->mirror->real->clipboard;
    struct deadline deadline = deadline_of(CLIPBOARD_MS);
    struct error err;
    struct clip clip;

    if (!ops || !ops->read(desktop, &deadline, types, CLIPBOARD_BYTES, &clip, &err))
        return;
    clip_free(&fake->clip);
    fake->clip = clip;
}

bool fake_mirror_fill(struct fake *fake, struct error *err)
{
    struct fake_mirror *mirror = fake->mirror;
    struct desktop *desktop;

    if (mirror->filled)
        return true;
    desktop = fake_mirror_open(mirror, err);
    mirror->filled = desktop && copy_displays(fake, desktop, err) &&
                     copy_windows(fake, desktop, err) && copy_apps(fake, desktop, err);
    if (mirror->filled)
        copy_clipboard(fake, desktop);
    fake_mirror_close(mirror);
    return mirror->filled;
}

/* --- pictures ----------------------------------------------------------------------- */

static struct fake_window *window_of(struct fake *fake, const struct capture *what,
                                     struct error *err)
{
    struct fake_window *window = fake_find_window(fake, &what->window, err);

    if (!window || window->copied)
        return window;
    error_set(err, "capture_failed",
              "window \"%.100s\" was opened in a dry run only, so there is no picture of it",
              window->title);
    return NULL;
}

bool fake_mirror_capture(struct fake *fake, struct deadline *deadline, const struct capture *what,
                         struct picture *out, struct error *err)
{
    struct fake_mirror *mirror = fake->mirror;
    struct capture real = *what;
    struct fake_window *window = NULL;
    struct desktop *desktop;
    bool ok;

    *out = (struct picture){ 0 };
    real.lend = false; /* other callers use the connection, too */
    if (what->kind == CAPTURE_WINDOW) {
        window = window_of(fake, what, err);
        if (!window)
            return false;
        real.region.x += window->place.x - window->frame.x;
        real.region.y += window->place.y - window->frame.y;
    }
    desktop = fake_mirror_open(mirror, err);
    ok = desktop && mirror->real->capture->take(desktop, deadline, &real, out, err);
    fake_mirror_close(mirror);
    if (ok && window) {
        out->origin.x += window->frame.x - window->place.x;
        out->origin.y += window->frame.y - window->place.y;
    }
    return ok;
}
