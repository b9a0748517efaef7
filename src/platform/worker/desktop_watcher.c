/* The thread and the loop share two lists under one lock: the wanted events, and those that have
 * occurred. */
#include "platform/worker/desktop_watcher.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/wake_pipe.h"

enum { RETRY_FIRST_MS = 200, RETRY_MAX_MS = 5000 };

enum news_kind { NEWS_EVENT, NEWS_SETTLED, NEWS_REFUSED };

/* A message of the thread. */
struct news {
    struct link link;
    enum news_kind kind;
    struct watch_event event;
    uint64_t number; /* SETTLED; REFUSED: the hotkey's */
    bool failed;     /* SETTLED: err */
    struct error err;
};

struct desktop_watcher {
    const struct platform_ops *ops;
    desktop_watcher_run *run;
    void *shared;
    struct desktop_watcher_hooks hooks;
    uv_async_t news_there;
    uv_thread_t thread;
    int wake[2]; /* a wake_pipe.h: the wanted events have changed */

    uv_mutex_t lock;
    struct watch_wanted wanted; /* with an owned list of hotkeys */
    uint64_t number;            /* number of the wanted events */
    bool ends;
    struct desktop *desktop; /* while it is open, for interrupt() */
    struct link news;
    size_t count, dropped;

    uint64_t settled; /* the thread's: the last number that was reported */
    uint64_t now;     /* the thread's: the number it runs with */
    bool lost;        /* the thread's: the connection is lost, and that was reported */
};

/* --- the thread's side ---------------------------------------------------------------------- */

static void watcher_say(struct desktop_watcher *watcher, struct news news)
{
    struct news *copy;

    uv_mutex_lock(&watcher->lock);
    if (news.kind == NEWS_EVENT && watcher->count >= WATCHER_QUEUE) {
        watcher->dropped++;
        watch_event_clear(&news.event);
    } else {
        copy = mem_alloc(sizeof *copy);
        *copy = news;
        list_push(&watcher->news, &copy->link);
        watcher->count++;
    }
    uv_mutex_unlock(&watcher->lock);
    uv_async_send(&watcher->news_there);
}

static void say_what(struct desktop_watcher *watcher, enum watch_what what)
{
    watcher_say(watcher,
                (struct news){ .kind = NEWS_EVENT, .event = { .what = what, .at = uv_hrtime() } });
}

static void say_settled(struct desktop_watcher *watcher, const struct error *err)
{
    struct news news = { .kind = NEWS_SETTLED, .number = watcher->now, .failed = err != NULL };

    if (watcher->settled == watcher->now)
        return;
    watcher->settled = watcher->now;
    if (err)
        news.err = *err;
    watcher_say(watcher, news);
}

static void on_begun(void *arg)
{
    struct desktop_watcher *watcher = arg;

    if (watcher->lost)
        say_what(watcher, WATCH_FOUND);
    watcher->lost = false;
    say_settled(watcher, NULL);
}

static void on_hotkey_refused(void *arg, unsigned hotkey, const struct error *why)
{
    watcher_say(
        arg, (struct news){ .kind = NEWS_REFUSED, .number = hotkey, .failed = true, .err = *why });
}

static void on_event(void *arg, struct watch_event *event)
{
    watcher_say(arg, (struct news){ .kind = NEWS_EVENT, .event = *event });
}

static void on_missed(void *arg, size_t count)
{
    struct desktop_watcher *watcher = arg;

    uv_mutex_lock(&watcher->lock);
    watcher->dropped += count;
    uv_mutex_unlock(&watcher->lock);
    uv_async_send(&watcher->news_there);
}

/* Copies the present wishes; false: the thread is to end. */
static bool take_wanted(struct desktop_watcher *watcher, struct watch_wanted *out)
{
    struct watch_hotkey *hotkeys;
    bool goes_on;

    wake_pipe_drain(watcher->wake);
    uv_mutex_lock(&watcher->lock);
    goes_on = !watcher->ends;
    *out = watcher->wanted;
    hotkeys = mem_alloc((out->hotkey_count + 1) * sizeof *hotkeys);
    memcpy(hotkeys, watcher->wanted.hotkeys, out->hotkey_count * sizeof *hotkeys);
    out->hotkeys = hotkeys;
    watcher->now = watcher->number;
    uv_mutex_unlock(&watcher->lock);
    return goes_on;
}

static void set_desktop(struct desktop_watcher *watcher, struct desktop *desktop)
{
    uv_mutex_lock(&watcher->lock);
    watcher->desktop = desktop;
    uv_mutex_unlock(&watcher->lock);
}

static void pause_until_woken(struct desktop_watcher *watcher, int ms)
{
    struct pollfd fd = { .fd = watcher->wake[0], .events = POLLIN };

    while (poll(&fd, 1, ms) < 0 && errno == EINTR)
        ;
}

/* Watches on one connection, until it is lost (true) or the thread is to end. */
static bool watcher_watch(struct desktop_watcher *watcher, struct desktop *desktop,
                          struct watch_wanted *wanted)
{
    struct watch_told told = { on_begun, on_hotkey_refused, on_event, on_missed, watcher };
    uint64_t mark = 0;
    struct error err;

    while (watcher->run(watcher->ops, desktop, &mark, wanted, watcher->wake[0], &told, &err)) {
        free((void *)(uintptr_t)wanted->hotkeys);
        if (!take_wanted(watcher, wanted))
            return false;
    }
    if (!watcher->lost)
        say_what(watcher, WATCH_LOST);
    watcher->lost = true;
    say_settled(watcher, &err);
    return true;
}

/* Opens a connection and watches on it; false: the thread is to end. *wait: milliseconds until the
 * next one. */
static bool connect_and_watch(struct desktop_watcher *watcher, struct watch_wanted *wanted,
                              int *wait)
{
    uint64_t began = uv_hrtime();
    struct desktop *desktop;
    struct error err;
    bool goes_on;

    desktop = watcher->ops->open(watcher->shared, &err);
    if (!desktop) {
        say_settled(watcher, &err);
        return true;
    }
    set_desktop(watcher, desktop);
    goes_on = watcher_watch(watcher, desktop, wanted);
    set_desktop(watcher, NULL);
    watcher->ops->close(desktop);
    if (uv_hrtime() - began > (uint64_t)RETRY_MAX_MS * 1000000)
        *wait = RETRY_FIRST_MS;
    return goes_on;
}

static void watcher_run(void *arg)
{
    struct desktop_watcher *watcher = arg;
    struct watch_wanted wanted;
    int wait = RETRY_FIRST_MS;

    while (take_wanted(watcher, &wanted) && connect_and_watch(watcher, &wanted, &wait)) {
        free((void *)(uintptr_t)wanted.hotkeys);
        pause_until_woken(watcher, wait);
        wait = 2 * wait < RETRY_MAX_MS ? 2 * wait : RETRY_MAX_MS;
    }
    free((void *)(uintptr_t)wanted.hotkeys);
}

static void run_thread(void *arg)
{
    struct desktop_watcher *watcher = arg;

    if (watcher->ops->around)
        watcher->ops->around(watcher_run, watcher);
    else
        watcher_run(watcher);
}

/* --- the loop's side ------------------------------------------------------------------------ */

static void watcher_tell(struct desktop_watcher *watcher, struct news *news)
{
    const struct desktop_watcher_hooks *hooks = &watcher->hooks;

    if (news->kind == NEWS_EVENT)
        hooks->event(hooks->arg, &news->event);
    else if (news->kind == NEWS_SETTLED)
        hooks->settled(hooks->arg, news->number, news->failed ? &news->err : NULL);
    else
        hooks->refused(hooks->arg, (unsigned)news->number, &news->err);
}

static struct news *take_news(struct desktop_watcher *watcher, size_t *dropped)
{
    struct link *link;

    uv_mutex_lock(&watcher->lock);
    link = list_pop(&watcher->news);
    watcher->count -= link != NULL;
    *dropped = watcher->dropped;
    watcher->dropped = 0;
    uv_mutex_unlock(&watcher->lock);
    return link ? container_of(link, struct news, link) : NULL;
}

static void free_news(struct news *news)
{
    watch_event_clear(&news->event);
    free(news);
}

static void on_news(uv_async_t *async)
{
    struct desktop_watcher *watcher = container_of(async, struct desktop_watcher, news_there);
    struct news *news;
    size_t dropped;

    do {
        news = take_news(watcher, &dropped);
        if (dropped)
            watcher->hooks.dropped(watcher->hooks.arg, dropped);
        if (news) {
            watcher_tell(watcher, news);
            free_news(news);
        }
    } while (news);
}

bool watch_desktop(const struct platform_ops *ops, struct desktop *desktop, uint64_t *mark,
                   const struct watch_wanted *wanted, int wake_fd, const struct watch_told *told,
                   struct error *err)
{
    (void)mark;
    if (wanted->kinds != WATCH_INPUT)
        return ops->watch->run(desktop, wanted, wake_fd, told, err);
    if (ops->watch->record)
        return ops->watch->record(desktop, wake_fd, told, err);
    return error_set(err, "not_supported", "on this desktop keys and clicks cannot be recorded");
}

struct desktop_watcher *desktop_watcher_new(uv_loop_t *loop, const struct platform_ops *ops,
                                            void *shared, desktop_watcher_run *run,
                                            const struct desktop_watcher_hooks *hooks,
                                            struct error *err)
{
    struct desktop_watcher *watcher;
    int wake[2];

    if (!wake_pipe_open(wake)) {
        error_errno(err, errno, "cannot watch the desktop");
        return NULL;
    }
    watcher = mem_zero(sizeof *watcher);
    watcher->ops = ops;
    watcher->run = run;
    watcher->shared = shared;
    watcher->hooks = *hooks;
    memcpy(watcher->wake, wake, sizeof wake);
    list_init(&watcher->news);
    uv_mutex_init(&watcher->lock);
    uv_async_init(loop, &watcher->news_there, on_news);
    uv_unref((uv_handle_t *)&watcher->news_there);
    watcher->wanted.hotkeys = mem_alloc(1);
    uv_thread_create(&watcher->thread, run_thread, watcher);
    return watcher;
}

uint64_t desktop_watcher_want(struct desktop_watcher *watcher, const struct watch_wanted *wanted)
{
    struct watch_hotkey *hotkeys = mem_alloc((wanted->hotkey_count + 1) * sizeof *hotkeys);
    uint64_t number;

    if (wanted->hotkey_count)
        memcpy(hotkeys, wanted->hotkeys, wanted->hotkey_count * sizeof *hotkeys);
    uv_mutex_lock(&watcher->lock);
    free((void *)(uintptr_t)watcher->wanted.hotkeys);
    watcher->wanted = *wanted;
    watcher->wanted.hotkeys = hotkeys;
    number = ++watcher->number;
    uv_mutex_unlock(&watcher->lock);
    wake_pipe_wake(watcher->wake);
    return number;
}

static void on_watcher_closed(uv_handle_t *handle)
{
    struct desktop_watcher *watcher =
        container_of((uv_async_t *)handle, struct desktop_watcher, news_there);
    struct link *link;

    while ((link = list_pop(&watcher->news)))
        free_news(container_of(link, struct news, link));
    uv_mutex_destroy(&watcher->lock);
    free((void *)(uintptr_t)watcher->wanted.hotkeys);
    free(watcher);
}

void desktop_watcher_free(struct desktop_watcher *watcher)
{
    if (!watcher)
        return;
    uv_mutex_lock(&watcher->lock);
    watcher->ends = true;
    if (watcher->desktop) /* it may hang in a call */
        watcher->ops->interrupt(watcher->desktop);
    uv_mutex_unlock(&watcher->lock);
    wake_pipe_wake(watcher->wake);
    uv_thread_join(&watcher->thread);
    wake_pipe_close(watcher->wake);
    uv_close((uv_handle_t *)&watcher->news_there, on_watcher_closed);
}
