#include "platform/macos/watch_queue.h"

#include <stdlib.h>
#include <uv.h>

#include "platform/macos/apps.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/system/process.h"
#include "platform/macos/windows.h"

enum {
    PATIENCE_MS = 50,
    /* The window server's list is reported to be behind the events of applications, by up to 100
     * ms. */
    AGAIN_SOON_MS = 30,
    AGAIN_LATE_MS = 150,
};

static bool pids_have(const struct pids *pids, int pid)
{
    for (size_t i = 0; i < pids->count; i++)
        if (pids->items[i] == pid)
            return true;
    return false;
}

void pids_set(struct pids *pids, int pid, bool has)
{
    enum { MOST = 4096 };
    size_t kept = 0;

    for (size_t i = 0; i < pids->count; i++)
        if (pids->items[i] != pid)
            pids->items[kept++] = pids->items[i];
    if (kept == MOST) /* the oldest one is dropped */
        memmove(pids->items, pids->items + 1, --kept * sizeof *pids->items);
    pids->count = kept;
    if (!has)
        return;
    pids->items = mem_resize(pids->items, (kept + 1) * sizeof *pids->items);
    pids->items[pids->count++] = pid;
}

/* --- noting --------------------------------------------------------------------------------- */

void watch_queue_again_later(struct macos_watch *watch)
{
    watch->soon = deadline_now() + AGAIN_SOON_MS;
    watch->late = deadline_now() + AGAIN_LATE_MS;
}

void watch_queue_app(struct macos_watch *watch, int pid)
{
    if (!watch->observing)
        return;
    if (permission_granted(PERMISSION_ACCESSIBILITY, NULL))
        looks_add(&watch->looks, (struct look){ .at = LOOK_APP,
                                                .pid = pid,
                                                .number = observing_ask(watch->observing, pid),
                                                .due = deadline_now() + PATIENCE_MS });
    else
        looks_add(&watch->looks, (struct look){ .at = LOOK_WINDOWS });
    watch_queue_again_later(watch);
}

void watch_queue_apps(struct macos_watch *watch)
{
    watch->blind = !permission_granted(PERMISSION_ACCESSIBILITY, NULL);
    for (size_t i = 0; i < watch->apps.count; i++)
        watch_queue_app(watch, watch->apps.items[i]);
}

/* --- looking -------------------------------------------------------------------------------- */

static void describe_window_app(void *arg, const struct window_info *window, struct app_info *out)
{
    struct window_list none = { 0 };
    struct appkit_app app;

    (void)arg;
    if (appkit_get(window->ref.pid, &app)) {
        macos_app_describe(&app, &none, out);
        appkit_app_free(&app);
        return;
    }
    *out = (struct app_info){ .pid = window->ref.pid,
                              .started = window->ref.started,
                              .name = mem_strdup(window->app),
                              .id = mem_strdup(""),
                              .path = process_path(window->ref.pid),
                              .icon = mem_strdup("") };
}

static void add_said(void *arg, struct window_list *list)
{
    const struct macos_watch *watch = arg;

    for (size_t i = 0; i < list->count; i++) {
        struct window_info *info = &list->items[i];
        const struct ax_windows *said = observing_windows(watch->observing, info->ref.pid);
        const struct ax_window *one = NULL;

        if (said && info->kind <= WINDOW_UTILITY)
            one = ax_windows_match(said, info, NULL);
        if (one)
            macos_window_add(info, one, info->ref.pid == watch->active);
    }
}

static bool is_app_shown(void *arg, int pid)
{
    const struct macos_watch *watch = arg;

    return !pids_have(&watch->hidden, pid);
}

static bool is_ready(const struct macos_watch *watch, const struct look *look)
{
    return look->at != LOOK_APP || !watch->observing || deadline_now() >= look->due ||
           observing_answered(watch->observing, look->pid, look->number);
}

/* True if a new window of this application is reported later, with the application's answer. */
static bool is_awaited(const struct macos_watch *watch, int pid)
{
    for (size_t i = watch->looks.first; i < watch->looks.count; i++) {
        const struct look *look = &watch->looks.items[i];

        if (look->at == LOOK_APP && look->pid == pid && !is_ready(watch, look))
            return true;
    }
    return false;
}

/* Drops the windows of a process that has ended, which the window server goes on listing for a
 * while, and new ones that are not to be reported yet. */
static void drop_other_windows(const struct macos_watch *watch, struct window_list *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct window_ref *ref = &list->items[i].ref;

        if (ref->started && !pids_have(&watch->ended, ref->pid) &&
            (watched_find(&watch->watched, ref->id) || !is_awaited(watch, ref->pid)))
            list->items[kept++] = list->items[i];
        else
            window_info_free(&list->items[i]);
    }
    list->count = kept;
}

/* The window that its application reports as focused; else the frontmost one of the application in
 * front. */
static uint64_t focused_window(const struct macos_watch *watch, const struct window_list *list)
{
    uint64_t first = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct window_info *info = &list->items[i];

        if (info->focused)
            return info->ref.id;
        if (!first && info->ref.pid == watch->active && info->on_screen)
            first = info->ref.id;
    }
    return first;
}

/* Keeps the old state of a window that leaves or enters the screen: it is minimized, in another
 * Space, or hidden with its application, and only the application knows which. Nothing has changed
 * until that has answered. */
static void hold_states(struct macos_watch *watch, struct window_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct window_info *info = &list->items[i];
        const struct window_info *known = watched_find(&watch->watched, info->ref.id);

        if (!known || known->on_screen == info->on_screen || info->ref.pid == watch->asked ||
            watch->blind || !observing_windows(watch->observing, info->ref.pid))
            continue;
        if (!is_awaited(watch, info->ref.pid))
            watch_queue_app(watch, info->ref.pid);
        info->state = known->state;
        info->on_screen = known->on_screen;
    }
}

static bool list_windows(struct macos_watch *watch, struct window_list *out, struct error *err)
{
    struct window_lore lore = { add_said, is_app_shown, watch };

    if (!macos_window_list_by(&lore, NULL, out, err))
        return false;
    drop_other_windows(watch, out);
    hold_states(watch, out);
    return true;
}

bool watch_look_at_windows(struct macos_watch *watch, struct error *err)
{
    struct window_list now;
    uint64_t focused;

    if (!watch->observing)
        return true;
    watch->fresh = false;
    if (!list_windows(watch, &now, err))
        return false;
    focused = focused_window(watch, &now);
    watched_take(&watch->watched, &now, describe_window_app, watch);
    watched_focus(&watch->watched, focused);
    return true;
}

/* Reads the known windows of this application. */
static bool look_at_known(struct macos_watch *watch, int pid, const struct watch_told *told,
                          struct error *err)
{
    const struct watch_told *usual = watch->watched.told;
    struct window_list now;

    if (!list_windows(watch, &now, err))
        return false;
    watch->watched.told = told;
    for (size_t i = 0; i < now.count; i++) {
        if (now.items[i].ref.pid == pid)
            watched_look(&watch->watched, &now.items[i]);
        else
            window_info_free(&now.items[i]);
    }
    watch->watched.told = usual;
    free(now.items);
    return true;
}

/* Takes the answers of applications. The first facts that an application reports about known
 * windows are not a change, but those from the window server are. */
static bool take_app_answers(struct macos_watch *watch, struct error *err)
{
    bool first, ok = true;
    int pid;

    while (ok && watch->observing && (pid = observing_next(watch->observing, &first))) {
        ok = !first || look_at_known(watch, pid, watch->watched.told, err);
        observing_take(watch->observing);
        watch->fresh = true;
        ok = ok && (!first || look_at_known(watch, pid, NULL, err));
    }
    return ok;
}

static bool look_at(struct macos_watch *watch, const struct look *look, struct error *err)
{
    bool ok;

    switch (look->at) {
    case LOOK_APP:
        watch->asked = look->pid;
        ok = watch_look_at_windows(watch, err);
        watch->asked = 0;
        return ok;
    case LOOK_WINDOWS:
        return watch_look_at_windows(watch, err);
    case LOOK_END: /* the windows of the process go before it */
        ok = watch_look_at_windows(watch, err);
        watched_end(&watch->watched, look->pid);
        if (watch->observing)
            observing_end(watch->observing, look->pid);
        return ok;
    case LOOK_EVENT:
        look_tell(look, &watch->watched);
        return true;
    default: /* the others are not noted here */
        return true;
    }
}

/* Takes the looks up to the first one that has to wait; more may be noted meanwhile. */
bool watch_queue_run(struct macos_watch *watch, struct error *err)
{
    struct looks *looks = &watch->looks;
    bool ok = take_app_answers(watch, err);

    while (ok && looks->first < looks->count && is_ready(watch, &looks->items[looks->first])) {
        struct look look = looks_take(looks);

        ok = look_at(watch, &look, err);
    }
    if (ok && watch->fresh && looks->first == looks->count)
        ok = watch_look_at_windows(watch, err);
    return ok;
}
