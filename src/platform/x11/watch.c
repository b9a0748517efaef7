/* Watching: the server's events become looks that are due (platform/looks.h), which are taken then.
 */
#include "platform/x11/watch.h"

#include <X11/Xatom.h>
#include <X11/extensions/Xfixes.h>
#include <X11/extensions/Xrandr.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <uv.h>

#include "platform/looks.h"
#include "platform/x11/apps.h"
#include "platform/x11/hotkeys.h"
#include "platform/x11/idle.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

enum {
    ENDS_MAX = 256, /* processes whose end is watched */
    LOOK_MS = 5000,
    AGAIN_MS = 1000, /* a rest whose end is reported */
    WINDOW_EVENTS = PropertyChangeMask | StructureNotifyMask | FocusChangeMask,
};

/* A process that had a window; its end makes the descriptor readable. */
struct ending {
    int pid, fd;
    bool over; /* it has ended, and its windows may still be there */
};

struct x11_watch {
    struct watched watched;
    struct hotkeys *hotkeys;
    struct idle_alarm idle;
    struct looks looks;
    struct ending ends[ENDS_MAX];
    size_t end_count;
    struct display_list displays; /* as they were reported last */
};

/* --- reports of events --------------------------------------------------------------------- */

static void note_look(struct x11_desktop *desktop, enum look_at at, Window window)
{
    looks_add(&desktop->watch->looks, (struct look){ .at = at, .window = window });
}

static bool is_known(const struct x11_desktop *desktop, Window window)
{
    return watched_find(&desktop->watch->watched, window) != NULL;
}

static void note_property(struct x11_desktop *desktop, const XPropertyEvent *event)
{
    if (event->window == desktop->root) {
        if (event->atom == A(_NET_CLIENT_LIST))
            note_look(desktop, LOOK_WINDOWS, None);
        else if (event->atom == A(_NET_ACTIVE_WINDOW))
            note_look(desktop, LOOK_FOCUS, None);
        else if (event->atom == A(_NET_WORKAREA))
            note_look(desktop, LOOK_DISPLAYS, None);
    } else if (event->atom == A(WM_STATE) && !is_known(desktop, event->window)) {
        note_look(desktop, LOOK_WINDOWS, None);
    } else if (event->atom == A(_NET_WM_NAME) || event->atom == XA_WM_NAME ||
               event->atom == A(_NET_WM_STATE) || event->atom == A(WM_STATE) ||
               event->atom == A(_NET_WM_DESKTOP) || event->atom == A(_NET_FRAME_EXTENTS)) {
        note_look(desktop, LOOK_WINDOW, event->window);
    }
}

static bool is_display_event(const struct x11_desktop *desktop, const XEvent *event)
{
    return (event->type == ConfigureNotify && event->xconfigure.window == desktop->root) ||
           (desktop->randr_event > 0 && event->type >= desktop->randr_event &&
            event->type <= desktop->randr_event + RRNotify);
}

/* A window that is shown or taken away is noted even if no manager keeps a list. Such a manager may
 * show the frame before it marks the window in it by WM_STATE. */
static void note_structure(struct x11_desktop *desktop, const XEvent *event)
{
    bool framed = event->type == ReparentNotify && event->xreparent.event == desktop->root &&
                  event->xreparent.parent != desktop->root;

    if (framed)
        XSelectInput(desktop->display, event->xreparent.window, WINDOW_EVENTS);
    if (framed ||
        (event->type == MapNotify && event->xmap.event == desktop->root &&
         !event->xmap.override_redirect) ||
        (event->type == DestroyNotify && is_known(desktop, event->xdestroywindow.window)) ||
        (event->type == UnmapNotify && is_known(desktop, event->xunmap.window)))
        note_look(desktop, LOOK_WINDOWS, None);
    else if (event->type == ConfigureNotify && event->xconfigure.event == event->xconfigure.window)
        note_look(desktop, LOOK_WINDOW, event->xconfigure.window);
}

void x11_watch_event(struct x11_desktop *desktop, XEvent *event)
{
    struct x11_watch *watch = desktop->watch;
    enum watch_what what;
    unsigned hotkey;

    if (hotkeys_take(desktop, watch->hotkeys, event, &what, &hotkey))
        looks_add_event(&watch->looks, what, hotkey);
    else if (idle_alarm_is(&watch->idle, event))
        looks_add_event(&watch->looks, WATCH_ACTIVE_AGAIN, 0);
    else if (event->type == PropertyNotify)
        note_property(desktop, &event->xproperty);
    else if (desktop->fixes_event >= 0 &&
             event->type == desktop->fixes_event + XFixesSelectionNotify)
        looks_add_event(&watch->looks, WATCH_CLIPBOARD_CHANGED, 0);
    else if (event->type == FocusIn) /* some managers report it by nothing else */
        note_look(desktop, LOOK_FOCUS, None);
    else if (is_display_event(desktop, event))
        note_look(desktop, LOOK_DISPLAYS, None);
    else
        note_structure(desktop, event);
}

/* --- looking ------------------------------------------------------------------------------- */

static void watch_end(struct x11_watch *watch, int pid)
{
    int fd = -1;

    for (size_t i = 0; i < watch->end_count; i++)
        if (watch->ends[i].pid == pid)
            return;
#ifdef SYS_pidfd_open
    if (watch->end_count < ENDS_MAX)
        fd = (int)syscall(SYS_pidfd_open, pid, 0);
#endif
    if (fd >= 0)
        watch->ends[watch->end_count++] = (struct ending){ pid, fd, false };
}

static void describe_app(void *arg, const struct window_info *window, struct app_info *out)
{
    struct x11_desktop *desktop = arg;

    app_describe(desktop, window, out);
    watch_end(desktop->watch, out->pid);
}

static bool look_at_window(struct x11_desktop *desktop, Window window, struct error *err)
{
    const struct window_info *known = watched_find(&desktop->watch->watched, window);
    struct window_info now;
    struct window_ref ref;

    if (!known)
        return true;
    ref = known->ref;
    if (x11_window_info(desktop, &ref, &now, err))
        watched_look(&desktop->watch->watched, &now);
    return !desktop->dead; /* a window that is gone is reported when the list is read */
}

static bool look_at_focus(struct x11_desktop *desktop)
{
    watched_focus(&desktop->watch->watched, x11_focused(desktop));
    return !desktop->dead;
}

/* Listens to new windows, and reads each once more: its changes before that are in the list. */
static bool look_at_windows(struct x11_desktop *desktop, struct error *err)
{
    struct watched *watched = &desktop->watch->watched;
    struct window_list now;
    uint64_t *fresh;
    size_t count = 0;
    bool ok = true;

    if (!x11_window_list(desktop, NULL, &now, err))
        return false;
    fresh = mem_alloc((now.count + 1) * sizeof *fresh);
    for (size_t i = 0; i < now.count; i++) {
        if (watched_find(watched, now.items[i].ref.id))
            continue;
        fresh[count++] = now.items[i].ref.id;
        XSelectInput(desktop->display, (Window)now.items[i].ref.id, WINDOW_EVENTS);
    }
    watched_take(watched, &now, describe_app, desktop);
    for (size_t i = 0; i < count && ok; i++)
        ok = look_at_window(desktop, (Window)fresh[i], err);
    free(fresh);
    return ok && look_at_focus(desktop);
}

static bool same_displays(const struct display_list *one, const struct display_list *other)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        const struct display_info *a = &one->items[i], *b = &other->items[i];

        if (a->id != b->id || strcmp(a->name, b->name) != 0 || !rect_same(a->bounds, b->bounds) ||
            !rect_same(a->work, b->work) || a->scale != b->scale || a->rotation != b->rotation ||
            a->main != b->main)
            return false;
    }
    return true;
}

static bool look_at_displays(struct x11_desktop *desktop, struct error *err)
{
    struct x11_watch *watch = desktop->watch;
    struct deadline deadline = deadline_of(LOOK_MS);
    struct display_list now;

    if (!x11_display_list(desktop, &deadline, &now, err))
        return !desktop->dead;
    if (same_displays(&watch->displays, &now)) {
        display_list_free(&now);
        return true;
    }
    display_list_free(&watch->displays);
    watch->displays = now;
    watched_tell(&watch->watched, WATCH_DISPLAYS_CHANGED);
    return true;
}

static bool take_look(struct x11_desktop *desktop, const struct look *look, struct error *err)
{
    struct x11_watch *watch = desktop->watch;
    unsigned kinds = watch->watched.kinds;

    switch (look->at) {
    case LOOK_WINDOWS:
        return !(kinds & (WATCH_WINDOWS | WATCH_APPS)) || look_at_windows(desktop, err);
    case LOOK_WINDOW:
        return !(kinds & WATCH_WINDOWS) || look_at_window(desktop, (Window)look->window, err);
    case LOOK_FOCUS:
        return !(kinds & (WATCH_WINDOWS | WATCH_APPS)) || look_at_focus(desktop);
    case LOOK_DISPLAYS:
        return !(kinds & WATCH_DISPLAYS) || look_at_displays(desktop, err);
    case LOOK_EVENT:
        look_tell(look, &watch->watched);
        return true;
    default: /* the others are not noted here */
        return true;
    }
}

static void note_ends(struct x11_watch *watch, const struct pollfd *fds)
{
    for (size_t i = 0; i < watch->end_count; i++)
        watch->ends[i].over = watch->ends[i].over || fds[i].revents;
}

/* Reports the ends of the processes that are over. The display server may hear of one later than we
 * do: an application's windows are reported first, so while these are looked at its end waits. */
static void tell_ends(struct x11_watch *watch)
{
    bool waits = watch->watched.kinds & (WATCH_WINDOWS | WATCH_APPS);

    for (size_t i = watch->end_count; i > 0; i--) {
        struct ending *end = &watch->ends[i - 1];

        if (!end->over || (waits && watched_has_window_of(&watch->watched, end->pid)))
            continue;
        watched_end(&watch->watched, end->pid);
        close(end->fd);
        *end = watch->ends[--watch->end_count];
    }
}

/* Takes all looks that are due, and reports the ends that waited for them; more may come meanwhile.
 */
static bool look_at_all(struct x11_desktop *desktop, struct error *err)
{
    struct x11_watch *watch = desktop->watch;
    struct looks *looks = &watch->looks;

    while (looks->first < looks->count) {
        struct look look = looks_take(looks);

        if (!take_look(desktop, &look, err) ||
            (looks->first == looks->count && !x11_pump(desktop, err)))
            return desktop->dead ? x11_lost(desktop, err) : false;
    }
    tell_ends(watch);
    return true;
}

/* --- running ------------------------------------------------------------------------------- */

/* Reads what exists at the beginning, without reporting it. */
static bool begin_watch(struct x11_desktop *desktop, const struct watch_wanted *wanted,
                        struct error *err)
{
    struct x11_watch *watch = desktop->watch;
    struct watched *watched = &watch->watched;
    unsigned added = wanted->kinds & ~watched->kinds;
    const struct watch_told *told = watched->told;
    bool ok = true;

    watched->told = NULL;
    if (added & WATCH_CLIPBOARD && desktop->fixes_event >= 0)
        XFixesSelectSelectionInput(desktop->display, desktop->root, A(CLIPBOARD),
                                   XFixesSetSelectionOwnerNotifyMask |
                                       XFixesSelectionWindowDestroyNotifyMask |
                                       XFixesSelectionClientCloseNotifyMask);
    if (added & (WATCH_WINDOWS | WATCH_APPS) && !(watched->kinds & (WATCH_WINDOWS | WATCH_APPS))) {
        ok = look_at_windows(desktop, err);
        tell_ends(watch); /* some ended while nothing was to be reported of them */
    }
    if (ok && added & WATCH_DISPLAYS)
        ok = look_at_displays(desktop, err);
    ok = ok &&
         idle_alarm_set(desktop, &watch->idle, wanted->kinds & WATCH_ACTIVE ? AGAIN_MS : 0, err);
    watched->kinds = wanted->kinds;
    watched->told = told;
    return ok;
}

/* Waits until there is something to look at; *woken: the caller wants the thread. */
static bool await_event(struct x11_desktop *desktop, int wake_fd, bool *woken, struct error *err)
{
    struct x11_watch *watch = desktop->watch;
    struct pollfd fds[2 + ENDS_MAX] = { { .fd = wake_fd, .events = POLLIN },
                                        { .fd = ConnectionNumber(desktop->display),
                                          .events = POLLIN } };

    XFlush(desktop->display);
    if (XEventsQueued(desktop->display, QueuedAfterReading) > 0)
        return x11_pump(desktop, err);
    for (size_t i = 0; i < watch->end_count; i++)
        fds[2 + i] =
            (struct pollfd){ .fd = watch->ends[i].over ? -1 : watch->ends[i].fd, .events = POLLIN };
    if (poll(fds, (nfds_t)(2 + watch->end_count), -1) < 0)
        return errno == EINTR || x11_lost(desktop, err);
    note_ends(watch, fds + 2);
    if (!x11_pump(desktop, err) || !look_at_all(desktop, err))
        return false;
    *woken = fds[0].revents != 0;
    return true;
}

static bool run_watch(struct desktop *handle, const struct watch_wanted *wanted, int wake_fd,
                      const struct watch_told *told, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    bool woken = false;

    if (!desktop->watch) {
        desktop->watch = mem_zero(sizeof *desktop->watch);
        desktop->watch->hotkeys = hotkeys_new();
    }
    desktop->watch->watched.told = told;
    if (!x11_pump(desktop, err) || !begin_watch(desktop, wanted, err))
        return false;
    hotkeys_set(desktop, desktop->watch->hotkeys, wanted, told);
    XSync(desktop->display,
          False); /* the requests may still wait in the buffer, and have to be in effect now */
    if (desktop->dead)
        return x11_lost(desktop, err);
    told->begun(told->arg);
    while (!woken)
        if (!look_at_all(desktop, err) || !await_event(desktop, wake_fd, &woken, err))
            return false;
    return true;
}

void x11_watch_free(struct x11_desktop *desktop)
{
    struct x11_watch *watch = desktop->watch;

    if (!watch)
        return;
    hotkeys_free(desktop, watch->hotkeys);
    watched_free(&watch->watched);
    display_list_free(&watch->displays);
    for (size_t i = 0; i < watch->end_count; i++)
        close(watch->ends[i].fd);
    free(watch->looks.items);
    free(watch);
    desktop->watch = NULL;
}

static bool read_idle(struct desktop *handle, struct deadline *deadline, uint64_t *ms,
                      struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    return deadline_ok(deadline, err) && x11_pump(desktop, err) && x11_idle(desktop, ms, err) &&
           (!desktop->dead || x11_lost(desktop, err));
}

const struct watch_ops x11_watch_ops = { run_watch, read_idle, x11_record };
