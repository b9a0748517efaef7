/* Reports what windows_compare() finds in looks at the present windows. */
#include "platform/watched.h"

#include <stdlib.h>
#include <uv.h>

#include "platform/window_news.h"

void watched_free(struct watched *watched)
{
    window_list_free(&watched->known);
    app_list_free(&watched->apps);
    *watched = (struct watched){ 0 };
}

struct window_info *watched_find(const struct watched *watched, uint64_t id)
{
    return window_list_find(&watched->known, id);
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

/* The arguments of watched_take(). */
struct taking {
    struct watched *watched;
    void (*describe)(void *arg, const struct window_info *window, struct app_info *out);
    void *arg;
};

static void add_app(const struct taking *taking, const struct window_info *window)
{
    struct watched *watched = taking->watched;
    struct app_list *apps = &watched->apps;

    if (!window->ref.pid || find_app(watched, window->ref.pid))
        return;
    apps->items = mem_resize(apps->items, (apps->count + 1) * sizeof *apps->items);
    taking->describe(taking->arg, window, &apps->items[apps->count]);
    apps->count++;
    tell_app(watched, WATCH_APP_OPENED, &apps->items[apps->count - 1]);
}

/* The keyboard has a report of its own: watched_focus(). */
static void tell_news(void *arg, const struct window_news *news)
{
    const struct taking *taking = arg;

    if (news->what == WINDOW_FOCUSED || news->what == WINDOW_SHIFTED)
        return;
    if (news->what == WINDOW_OPENED)
        add_app(taking, news->now);
    tell_window(taking->watched, (enum watch_what)news->what, news->now ? news->now : news->was,
                news->what == WINDOW_MOVED ? news->was->frame : (struct rect){ 0 });
}

void watched_take(struct watched *watched, struct window_list *now,
                  void (*describe)(void *arg, const struct window_info *window,
                                   struct app_info *out),
                  void *arg)
{
    struct taking taking = { watched, describe, arg };

    windows_compare(&watched->known, now, tell_news, &taking);
    window_list_free(&watched->known);
    watched->known = *now;
    *now = (struct window_list){ 0 };
}

void watched_look(struct watched *watched, struct window_info *now)
{
    struct window_info *known = watched_find(watched, now->ref.id), was;
    struct taking taking = { .watched = watched };

    if (!known) {
        window_info_free(now);
        return;
    }
    was = *known;
    *known = *now;
    *now = (struct window_info){ 0 };
    window_compare(&was, known, tell_news, &taking);
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
