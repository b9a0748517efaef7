/* Watching has three sources: applications report changes of their windows (ax/observed.h), the
 * event process reports events that only a main run loop gets (event_process.h), and the window
 * server lists all windows at once when it is asked, without a question to an application
 * (watch_queue.h). */
#include "platform/macos/watch.h"

#include <stdlib.h>

#include "platform/macos/connection.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/line_source.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/watch_queue.h"

enum {
    BLIND_MS = 500,          /* between two looks without the permission for accessibility */
    BEGIN_MS = 1000,         /* for the first answers of all applications */
    EVENT_PROCESS_MS = 5000, /* for the event process's first answer */
    REST_MS = 60000,
};

/* --- events of applications ------------------------------------------------------------------- */

static void on_happened(void *arg, int pid, bool asks)
{
    struct macos_watch *watch = arg;

    if (asks)
        watch_queue_app(watch, pid);
    else
        looks_add(&watch->looks, (struct look){ .at = LOOK_WINDOWS });
    watch_queue_again_later(watch);
}

static void on_app_answered(void *arg)
{
    struct macos_watch *watch = arg;

    watch->fresh = true;
}

/* --- events of the event process ------------------------------------------------------------ */

static void refuse_hotkey(const struct macos_watch *watch, const struct event_process_news *news)
{
    const struct watch_told *told = watch->watched.told;

    if (told)
        told->refused(told->arg, (unsigned)news->number, &news->why);
}

static void note_clips(struct macos_watch *watch, long count)
{
    enum { CLIPS_MAX = 100 }; /* in one report */

    for (long i = 0; i < count && i < CLIPS_MAX; i++)
        looks_add_event(&watch->looks, WATCH_CLIPBOARD_CHANGED, 0);
}

static void on_event_news(void *arg, const struct event_process_news *news)
{
    struct macos_watch *watch = arg;
    int pid = (int)news->number;

    switch (news->what) {
    case EVENT_PROCESS_APP:
        pids_set(&watch->apps, pid, true);
        pids_set(&watch->ended, pid, false);
        watch_queue_app(watch, pid);
        return;
    case EVENT_PROCESS_ACTIVE:
        watch->active = pid;
        watch_queue_app(watch, pid);
        return;
    case EVENT_PROCESS_HIDDEN:
    case EVENT_PROCESS_SHOWN:
        pids_set(&watch->hidden, pid, news->what == EVENT_PROCESS_HIDDEN);
        watch_queue_app(watch, pid);
        return;
    case EVENT_PROCESS_ENDED:
        pids_set(&watch->apps, pid, false);
        pids_set(&watch->hidden, pid, false);
        pids_set(&watch->ended, pid, true);
        looks_add(&watch->looks, (struct look){ .at = LOOK_END, .pid = pid });
        return;
    case EVENT_PROCESS_SPACE:
        looks_add(&watch->looks, (struct look){ .at = LOOK_WINDOWS });
        watch_queue_again_later(watch);
        return;
    case EVENT_PROCESS_DISPLAYS:
        looks_add_event(&watch->looks, WATCH_DISPLAYS_CHANGED, 0);
        return;
    case EVENT_PROCESS_USED:
        looks_add_event(&watch->looks, WATCH_ACTIVE_AGAIN, 0);
        return;
    case EVENT_PROCESS_CLIPBOARD:
        note_clips(watch, news->number);
        return;
    case EVENT_PROCESS_PRESSED:
    case EVENT_PROCESS_RELEASED:
        looks_add_event(&watch->looks,
                        news->what == EVENT_PROCESS_PRESSED ? WATCH_HOTKEY_PRESSED
                                                            : WATCH_HOTKEY_RELEASED,
                        (unsigned)news->number);
        return;
    case EVENT_PROCESS_REFUSED:
        refuse_hotkey(watch, news);
        return;
    case EVENT_PROCESS_BEGUN:
        watch->begun = (unsigned)news->number;
        return;
    case EVENT_PROCESS_WHATS:
        return;
    }
}

static void on_event_process_lost(void *arg)
{
    struct macos_watch *watch = arg;

    watch->lost = true;
}

static bool look_when_due(struct macos_watch *watch, struct error *err)
{
    uint64_t now = deadline_now();
    bool due = (watch->soon && now >= watch->soon) || (watch->late && now >= watch->late);

    watch->soon = now >= watch->soon ? 0 : watch->soon;
    watch->late = now >= watch->late ? 0 : watch->late;
    if (watch->observing && observing_due(watch->observing) &&
        now >= observing_due(watch->observing))
        observing_retry(watch->observing);
    return !due || watch_look_at_windows(watch, err);
}

/* --- running -------------------------------------------------------------------------------- */

static void on_woken(CFFileDescriptorRef descriptor, CFOptionFlags kinds, void *arg)
{
    struct macos_watch *watch = arg;

    (void)descriptor;
    (void)kinds;
    watch->woken = true;
}

static uint64_t sooner_time(uint64_t one, uint64_t other)
{
    return !one || (other && other < one) ? other : one;
}

/* The seconds until the watcher has to do something by itself. */
static double rest_of(const struct macos_watch *watch)
{
    uint64_t now = deadline_now(), until = sooner_time(watch->soon, watch->late);
    const struct looks *looks = &watch->looks;
    bool blind = watch->observing && watch->blind;

    if (watch->observing)
        until = sooner_time(until, observing_due(watch->observing));
    if (looks->first < looks->count)
        until = sooner_time(until, looks->items[looks->first].due);
    until = sooner_time(until, now + (blind ? BLIND_MS : REST_MS));
    return until > now ? (double)(until - now) / 1000 : 0;
}

/* One turn of the run loop, and its results. */
struct turning {
    struct macos_watch *watch;
    double seconds;
    bool ok;
    struct error *err;
};

static void turn_run_loop(void *arg)
{
    struct turning *turning = arg;
    struct macos_watch *watch = turning->watch;
    CFRunLoopRunResult result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, turning->seconds, true);

    turning->ok = watch_queue_run(watch, turning->err) && look_when_due(watch, turning->err);
    if (!turning->ok || !watch->observing || !watch->blind)
        return;
    if (permission_granted(PERMISSION_ACCESSIBILITY, NULL))
        watch_queue_apps(watch);
    else if (result == kCFRunLoopRunTimedOut)
        turning->ok = watch_look_at_windows(watch, turning->err);
}

static bool turn_for_seconds(struct macos_desktop *desktop, double seconds, struct error *err)
{
    struct macos_watch *watch = desktop->watch;
    struct turning turning = { watch, seconds, false, err };

    appkit_around(turn_run_loop, &turning);
    if (turning.ok && (watch->lost || desktop->dead))
        return error_set(err, "display_lost",
                         "the process that watches the desktop for this one "
                         "(perigee --event-process) has ended");
    return turning.ok;
}

/* Waits for the first answers. An application that has not answered by then is heard when it
 * does. */
static bool await_apps(struct macos_desktop *desktop, struct error *err)
{
    struct macos_watch *watch = desktop->watch;
    struct looks *looks = &watch->looks;
    uint64_t until = deadline_now() + BEGIN_MS;

    for (size_t i = looks->first; i < looks->count; i++)
        looks->items[i].due = until;
    while (looks->first < looks->count && !watch->woken && deadline_now() < until)
        if (!turn_for_seconds(desktop, rest_of(watch), err))
            return false;
    return true;
}

/* Reads the windows that exist at the beginning, without reporting them. */
static bool begin_windows(struct macos_desktop *desktop, struct error *err)
{
    struct macos_watch *watch = desktop->watch;
    struct observed_hooks hooks = { on_happened, on_app_answered, watch };
    const struct watch_told *told = watch->watched.told;
    bool ok;

    watch->observing = observing_new(&hooks);
    if (!watch->observing)
        return error_set(err, "display_lost", "this thread gets no run loop to hear windows with");
    watch_queue_apps(watch);
    watch->watched.told = NULL;
    ok = watch_look_at_windows(watch, err) && await_apps(desktop, err);
    watch->watched.told = told;
    return ok;
}

static void end_windows(struct macos_watch *watch)
{
    const struct watch_told *told = watch->watched.told;

    observing_free(watch->observing);
    watch->observing = NULL;
    watched_free(&watch->watched);
    watch->watched.told = told;
    watch->soon = watch->late = 0;
}

static bool begin_watch(struct macos_desktop *desktop, const struct watch_wanted *wanted,
                        struct error *err)
{
    struct macos_watch *watch = desktop->watch;
    bool windows = wanted->kinds & (WATCH_WINDOWS | WATCH_APPS);
    uint64_t until = deadline_now() + EVENT_PROCESS_MS;

    if (!event_process_want(watch->process, ++watch->wanted, wanted, err))
        return false;
    while (watch->begun != watch->wanted && !watch->woken) {
        if (!turn_for_seconds(desktop, 1, err))
            return false;
        if (deadline_now() >= until)
            return error_set(err, "display_lost",
                             "the process that watches the desktop for this one "
                             "(perigee --event-process) does not answer");
    }
    if (watch->woken)
        return true;
    if (!windows && watch->observing)
        end_windows(watch);
    watch->watched.kinds = wanted->kinds;
    return !windows || watch->observing || begin_windows(desktop, err);
}

static bool watch_now(struct macos_desktop *desktop, const struct watch_wanted *wanted,
                      const struct watch_told *told, struct error *err)
{
    struct macos_watch *watch = desktop->watch;
    bool ok;

    watch->watched.told = told;
    ok = begin_watch(desktop, wanted, err);
    if (ok && !watch->woken)
        told->begun(told->arg);
    while (ok && !watch->woken)
        ok = turn_for_seconds(desktop, rest_of(watch), err);
    watch->watched.told = NULL;
    return ok;
}

static bool make_watch(struct macos_desktop *desktop, struct error *err)
{
    struct macos_watch *watch = mem_zero(sizeof *watch);
    struct event_process_told told = { on_event_news, on_event_process_lost, watch };

    watch->process = event_process_new(&told, err);
    if (!watch->process) {
        free(watch);
        return false;
    }
    desktop->watch = watch;
    return true;
}

static bool run_watch(struct desktop *handle, const struct watch_wanted *wanted, int wake_fd,
                      const struct watch_told *told, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    CFFileDescriptorRef wake;
    bool ok;

    if (!desktop->watch && !make_watch(desktop, err))
        return false;
    desktop->watch->woken = false;
    wake = ready_once(wake_fd, on_woken, desktop->watch);
    if (!wake)
        return error_set(err, "display_lost", "this thread gets no run loop to watch with");
    ok = watch_now(desktop, wanted, told, err);
    ready_end(wake);
    return ok;
}

void macos_watch_free(struct macos_desktop *desktop)
{
    struct macos_watch *watch = desktop->watch;

    if (!watch)
        return;
    observing_free(watch->observing);
    event_process_free(watch->process);
    watched_free(&watch->watched);
    free(watch->looks.items);
    free(watch->apps.items);
    free(watch->ended.items);
    free(watch->hidden.items);
    free(watch);
    desktop->watch = NULL;
}

static bool idle_time(struct desktop *handle, struct deadline *deadline, uint64_t *ms,
                      struct error *err)
{
    if (!macos_begin(macos_of(handle), deadline, err))
        return false;
    *ms = (uint64_t)(CGEventSourceSecondsSinceLastEventType(kCGEventSourceStateCombinedSessionState,
                                                            kCGAnyInputEventType) *
                     1000);
    return true;
}

const struct watch_ops macos_watch_ops = { run_watch, idle_time, macos_record };
