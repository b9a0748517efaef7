/* Watching the fake: its operations wake the watchers, which then compare. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <uv.h>

#include "base/wake_pipe.h"
#include "platform/fake/world.h"
#include "platform/watched.h"

enum { PRESSES = 64, LOOK_MS = 60000, REST_MS = 1000 };

struct fake_watch {
    struct watched watched;
    struct watch_hotkey *hotkeys;
    size_t hotkey_count;
    unsigned presses[PRESSES]; /* unreported numbers of hotkeys */
    size_t press_count;
    uint64_t clips; /* fake->clips, when it was reported */
    uint64_t used;  /* fake->used, when it was reported */
};

/* --- with the lock held -------------------------------------------------------------------- */

void fake_wake_watchers(struct fake *fake, const struct fake_desktop *except)
{
    list_each (link, &fake->desktops) {
        const struct fake_desktop *desktop = container_of(link, struct fake_desktop, link);

        if (desktop->stirred[1] && desktop != except)
            wake_pipe_wake(desktop->stirred);
    }
}

static bool same_chord(const struct chord *one, const struct chord *other)
{
    return one->modifiers == other->modifiers && one->key == other->key &&
           one->point == other->point;
}

bool fake_press_hotkey(struct fake *fake, const struct chord *chord)
{
    bool any = false;

    list_each (link, &fake->desktops) {
        struct fake_watch *watch = container_of(link, struct fake_desktop, link)->watch;

        for (size_t i = 0; watch && i < watch->hotkey_count; i++) {
            if (!same_chord(&watch->hotkeys[i].chord, chord))
                continue;
            if (watch->press_count < PRESSES)
                watch->presses[watch->press_count++] = watch->hotkeys[i].number;
            any = true;
        }
    }
    return any;
}

static bool is_taken(const struct fake_desktop *desktop, const struct chord *chord)
{
    list_each (link, &desktop->fake->desktops) {
        const struct fake_desktop *other = container_of(link, struct fake_desktop, link);

        for (size_t i = 0; other != desktop && other->watch && i < other->watch->hotkey_count; i++)
            if (same_chord(&other->watch->hotkeys[i].chord, chord))
                return true;
    }
    return false;
}

/* --- looking ------------------------------------------------------------------------------- */

static void describe_app(void *arg, const struct window_info *window, struct app_info *out)
{
    struct fake_desktop *desktop = arg;
    struct deadline deadline = deadline_of(LOOK_MS);
    struct error err;

    if (!perigee_fake.apps->get((struct desktop *)desktop, &deadline, window->ref.pid,
                                window->ref.started, out, &err))
        *out = (struct app_info){ .pid = window->ref.pid,
                                  .started = window->ref.started,
                                  .name = mem_strdup(window->app),
                                  .id = mem_strdup(""),
                                  .path = mem_strdup(""),
                                  .icon = mem_strdup("") };
}

/* Reports the applications that do not run any more. */
static void look_at_ends(struct fake_desktop *desktop)
{
    struct watched *watched = &desktop->watch->watched;

    for (size_t i = watched->apps.count; i > 0; i--) {
        int pid = watched->apps.items[i - 1].pid;
        bool runs;

        pthread_mutex_lock(&desktop->fake->lock);
        runs = fake_find_app(desktop->fake, pid, 0) != NULL;
        pthread_mutex_unlock(&desktop->fake->lock);
        if (!runs)
            watched_end(watched, pid);
    }
}

static void tell_presses(struct fake_desktop *desktop)
{
    struct fake_watch *watch = desktop->watch;
    const struct watch_told *told = watch->watched.told;
    unsigned presses[PRESSES];
    size_t count;

    pthread_mutex_lock(&desktop->fake->lock);
    count = watch->press_count;
    memcpy(presses, watch->presses, sizeof presses);
    watch->press_count = 0;
    pthread_mutex_unlock(&desktop->fake->lock);
    for (size_t i = 0; i < 2 * count; i++) {
        struct watch_event event = { .what = i % 2 ? WATCH_HOTKEY_RELEASED : WATCH_HOTKEY_PRESSED,
                                     .hotkey = presses[i / 2],
                                     .at = uv_hrtime() };

        told->event(told->arg, &event);
    }
}

static bool look_at_desktop(struct fake_desktop *desktop, struct error *err)
{
    struct fake_watch *watch = desktop->watch;
    struct deadline deadline = deadline_of(LOOK_MS);
    struct window_list now;
    const struct window_info *focused;
    uint64_t id, clips, used;

    if (!perigee_fake.windows->list((struct desktop *)desktop, &deadline, NULL, &now, err))
        return false;
    focused = window_list_focused(&now);
    id = focused ? focused->ref.id : 0;
    watched_take(&watch->watched, &now, describe_app, desktop);
    watched_focus(&watch->watched, id);
    look_at_ends(desktop);
    pthread_mutex_lock(&desktop->fake->lock);
    clips = desktop->fake->clips;
    used = desktop->fake->used;
    pthread_mutex_unlock(&desktop->fake->lock);
    for (; watch->clips < clips; watch->clips++)
        watched_tell(&watch->watched, WATCH_CLIPBOARD_CHANGED);
    if (used - watch->used >= REST_MS)
        watched_tell(&watch->watched, WATCH_ACTIVE_AGAIN);
    watch->used = used;
    if (watch->watched.told)
        tell_presses(desktop);
    return true;
}

/* --- running ------------------------------------------------------------------------------- */

/* Makes the connection's pipe, which others wake. */
static bool begin_stirring(struct fake_desktop *desktop, struct error *err)
{
    bool ok;

    pthread_mutex_lock(&desktop->fake->lock);
    ok = desktop->stirred[1] || wake_pipe_open(desktop->stirred);
    pthread_mutex_unlock(&desktop->fake->lock);
    return ok || error_errno(err, errno, "cannot watch the fake desktop");
}

bool fake_await(struct desktop *handle, struct deadline *deadline, const struct window_list *known,
                uint64_t until, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    (void)known;
    if (!begin_stirring(desktop, err) || !deadline_wait(deadline, desktop->stirred[0], until, err))
        return false;
    wake_pipe_drain(desktop->stirred);
    return true;
}

static void bind_keys(struct fake_desktop *desktop, const struct watch_wanted *wanted,
                      const struct watch_told *told)
{
    struct fake_watch *watch = desktop->watch;
    struct error err;

    pthread_mutex_lock(&desktop->fake->lock);
    free(watch->hotkeys);
    watch->hotkeys = mem_alloc((wanted->hotkey_count + 1) * sizeof *watch->hotkeys);
    watch->hotkey_count = 0;
    for (size_t i = 0; i < wanted->hotkey_count; i++)
        if (!is_taken(desktop, &wanted->hotkeys[i].chord))
            watch->hotkeys[watch->hotkey_count++] = wanted->hotkeys[i];
    pthread_mutex_unlock(&desktop->fake->lock);
    for (size_t i = 0; i < wanted->hotkey_count; i++) {
        bool bound = false;
        char name[64];

        for (size_t k = 0; k < watch->hotkey_count; k++)
            bound = bound || watch->hotkeys[k].number == wanted->hotkeys[i].number;
        if (bound)
            continue;
        chord_print(&wanted->hotkeys[i].chord, name, sizeof name);
        error_set(&err, "hotkey_taken", "\"%s\" is bound by another connection", name);
        told->refused(told->arg, wanted->hotkeys[i].number, &err);
    }
}

static bool run_watch(struct desktop *handle, const struct watch_wanted *wanted, int wake_fd,
                      const struct watch_told *told, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake_watch *watch = desktop->watch;
    struct pollfd fds[2] = { { .fd = wake_fd, .events = POLLIN }, { .events = POLLIN } };

    if (!begin_stirring(desktop, err))
        return false;
    if (!watch) {
        watch = mem_zero(sizeof *watch);
        pthread_mutex_lock(&desktop->fake->lock);
        desktop->watch = watch;
        watch->clips = desktop->fake->clips;
        watch->used = desktop->fake->used;
        pthread_mutex_unlock(&desktop->fake->lock);
        if (!look_at_desktop(desktop, err)) /* existing windows are not reported */
            return false;
    }
    watch->watched.told = told;
    watch->watched.kinds &= wanted->kinds;
    if (!look_at_desktop(desktop, err)) /* kinds that are new report nothing of the time before */
        return false;
    watch->watched.kinds = wanted->kinds;
    bind_keys(desktop, wanted, told);
    told->begun(told->arg);
    fds[1].fd = desktop->stirred[0];
    while (!fds[0].revents) {
        if (!look_at_desktop(desktop, err))
            return false;
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return error_errno(err, errno, "cannot watch the fake desktop");
        wake_pipe_drain(desktop->stirred);
    }
    return true;
}

void fake_watch_free(struct fake_watch *watch)
{
    if (!watch)
        return;
    watched_free(&watch->watched);
    free(watch->hotkeys);
    free(watch);
}

static bool read_idle(struct desktop *handle, struct deadline *deadline, uint64_t *ms,
                      struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    if (!fake_enter(desktop, deadline, err))
        return false;
    *ms = deadline_now() - desktop->fake->used;
    fake_leave(desktop);
    return true;
}

const struct watch_ops fake_watch_ops = { run_watch, read_idle, NULL };
