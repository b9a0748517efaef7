/* Compares known windows with the present ones. */
#include "platform/watched.h"

#include <stdlib.h>
#include <uv.h>

void watched_free(struct watched *watched)
{
    window_list_free(&watched->known);
    app_list_free(&watched->apps);
    *watched = (struct watched){ 0 };
}

struct window_info *watched_find(const struct watched *watched, uint64_t id)
{
    for (size_t i = 0; i < watched->known.count; i++)
        if (watched->known.items[i].ref.id == id)
            return &watched->known.items[i];
    return NULL;
}

static struct app_info *find_app(const struct watched *watched, int pid)
{
    for (size_t i = 0; i < watched->apps.count; i++)
        if (watched->apps.items[i].pid == pid)
            return &watched->apps.items[i];
    return NULL;
}

/* --- telling ---------------------------------------------------------------------------- */

static bool is_told(const struct watched *watched, enum watch_what what)
{
    return watched->told && watched->kinds & watch_kind_of(what);
}

static void tell_event(const struct watched *watched, struct watch_event event)
{
    event.at = uv_hrtime();
    watched->told->event(watched->told->arg, &event);
}

void watched_tell(const struct watched *watched, enum watch_what what)
{
    if (is_told(watched, what))
        tell_event(watched, (struct watch_event){ .what = what });
}

static void tell_window(const struct watched *watched, enum watch_what what,
                        const struct window_info *window, struct rect before)
{
    struct watch_event event = { .what = what, .before = before };

    if (!is_told(watched, what))
        return;
    if (window)
        event.window = window_info_copy(window);
    tell_event(watched, event);
}

static void tell_app(const struct watched *watched, enum watch_what what,
                     const struct app_info *app)
{
    struct watch_event event = { .what = what };

    if (!is_told(watched, what))
        return;
    if (app)
        event.app = app_info_copy(app);
    tell_event(watched, event);
}

/* --- windows that come and go ------------------------------------------------------------- */

static const struct window_info *find_in(const struct window_list *list, uint64_t id)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].ref.id == id)
            return &list->items[i];
    return NULL;
}

static void add_app(struct watched *watched, const struct window_info *window,
                    void (*describe)(void *arg, const struct window_info *window,
                                     struct app_info *out),
                    void *arg)
{
    struct app_list *apps = &watched->apps;

    if (!window->ref.pid || find_app(watched, window->ref.pid))
        return;
    apps->items = mem_resize(apps->items, (apps->count + 1) * sizeof *apps->items);
    describe(arg, window, &apps->items[apps->count]);
    apps->count++;
    tell_app(watched, WATCH_APP_OPENED, &apps->items[apps->count - 1]);
}

/* False if the process is another one: then the window with this number is another window. */
static bool is_same(const struct window_info *one, const struct window_info *other)
{
    return one->ref.pid == other->ref.pid && one->ref.started == other->ref.started;
}

static void drop_gone(struct watched *watched, const struct window_list *now)
{
    struct window_list *known = &watched->known;
    size_t kept = 0;

    for (size_t i = 0; i < known->count; i++) {
        const struct window_info *still = find_in(now, known->items[i].ref.id);

        if (still && is_same(still, &known->items[i])) {
            known->items[kept++] = known->items[i];
            continue;
        }
        tell_window(watched, WATCH_WINDOW_CLOSED, &known->items[i], (struct rect){ 0 });
        window_info_free(&known->items[i]);
    }
    known->count = kept;
}

void watched_take(struct watched *watched, struct window_list *now,
                  void (*describe)(void *arg, const struct window_info *window,
                                   struct app_info *out),
                  void *arg)
{
    struct window_list *known = &watched->known;

    drop_gone(watched, now);
    for (size_t i = now->count; i > 0; i--) {
        struct window_info *window = &now->items[i - 1];

        if (watched_find(watched, window->ref.id)) {
            watched_look(watched, window);
            continue;
        }
        add_app(watched, window, describe, arg);
        tell_window(watched, WATCH_WINDOW_OPENED, window, (struct rect){ 0 });
        known->items = mem_resize(known->items, (known->count + 1) * sizeof *known->items);
        known->items[known->count++] = *window;
        *window = (struct window_info){ 0 };
    }
    window_list_free(now);
}

/* --- windows that change ------------------------------------------------------------------ */

void watched_look(struct watched *watched, struct window_info *now)
{
    struct window_info *known = watched_find(watched, now->ref.id), was;

    if (!known) {
        window_info_free(now);
        return;
    }
    was = *known;
    *known = *now;
    *now = (struct window_info){ 0 };
    if (strcmp(was.title, known->title) != 0)
        tell_window(watched, WATCH_WINDOW_TITLED, known, (struct rect){ 0 });
    if (was.state != known->state || was.workspace != known->workspace)
        tell_window(watched, WATCH_WINDOW_CHANGED, known, (struct rect){ 0 });
    if (!rect_same(was.frame, known->frame))
        tell_window(watched, WATCH_WINDOW_MOVED, known, was.frame);
    window_info_free(&was);
}

void watched_focus(struct watched *watched, uint64_t id)
{
    struct window_info *window = id ? watched_find(watched, id) : NULL;
    int pid = window ? window->ref.pid : 0;

    id = window ? id : 0;
    if (id == watched->focused)
        return;
    watched->focused = id;
    for (size_t i = 0; i < watched->known.count; i++)
        watched->known.items[i].focused = watched->known.items[i].ref.id == id;
    if (pid != watched->active) {
        watched->active = pid;
        tell_app(watched, WATCH_APP_ACTIVATED, pid ? find_app(watched, pid) : NULL);
    }
    tell_window(watched, WATCH_WINDOW_FOCUSED, window, (struct rect){ 0 });
}

bool watched_has_window_of(const struct watched *watched, int pid)
{
    for (size_t i = 0; i < watched->known.count; i++)
        if (watched->known.items[i].ref.pid == pid)
            return true;
    return false;
}

void watched_end(struct watched *watched, int pid)
{
    struct app_list *apps = &watched->apps;

    for (size_t i = 0; i < apps->count; i++) {
        if (apps->items[i].pid != pid)
            continue;
        tell_app(watched, WATCH_APP_CLOSED, &apps->items[i]);
        app_info_free(&apps->items[i]);
        apps->items[i] = apps->items[--apps->count];
        return;
    }
}
