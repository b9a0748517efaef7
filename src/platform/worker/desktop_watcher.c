/* The thread and the loop share two lists under one lock: the wanted events, and those that have
 * occurred. */
#include "platform/worker/desktop_watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/list.h"

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

struct lookout {
    const struct platform_ops *ops;
    lookout_run *run;
    void *shared;
    struct lookout_hooks hooks;
    uv_async_t news_there;
    uv_thread_t thread;
    int wake[2]; /* a pipe: the thread is to look at what is wanted */

    uv_mutex_t lock;
    struct watch_wanted wanted; /* with an owned list of hotkeys */
    uint64_t number;            /* number of the wanted events */
    bool ends;
    struct desktop *desktop; /* while it is open, for interrupt() */
    struct link news;
    size_t count, dropped;

    uint64_t settled; /* the thread's: the last number that was told of */
    uint64_t now;     /* the thread's: what it runs with */
    bool lost;        /* the thread's: and that was told */
};

/* --- the thread's side ---------------------------------------------------------------------- */

static void lookout_say(struct lookout *lookout, struct news news)
{
    struct news *copy;

    uv_mutex_lock(&lookout->lock);
    if (news.kind == NEWS_EVENT && lookout->count >= LOOKOUT_QUEUE) {
        lookout->dropped++;
        watch_event_clear(&news.event);
    } else {
        copy = mem_alloc(sizeof *copy);
        *copy = news;
        list_push(&lookout->news, &copy->link);
        lookout->count++;
    }
    uv_mutex_unlock(&lookout->lock);
    uv_async_send(&lookout->news_there);
}

static void say_what(struct lookout *lookout, enum watch_what what)
{
    lookout_say(lookout,
                (struct news){ .kind = NEWS_EVENT, .event = { .what = what, .at = uv_hrtime() } });
}

static void say_settled(struct lookout *lookout, const struct error *err)
{
    struct news news = { .kind = NEWS_SETTLED, .number = lookout->now, .failed = err != NULL };

    if (lookout->settled == lookout->now)
        return;
    lookout->settled = lookout->now;
    if (err)
        news.err = *err;
    lookout_say(lookout, news);
}

static void on_begun(void *arg)
{
    struct lookout *lookout = arg;

    if (lookout->lost)
        say_what(lookout, WATCH_FOUND);
    lookout->lost = false;
    say_settled(lookout, NULL);
}

static void on_hotkey_refused(void *arg, unsigned hotkey, const struct error *why)
{
    lookout_say(
        arg, (struct news){ .kind = NEWS_REFUSED, .number = hotkey, .failed = true, .err = *why });
}

static void on_event(void *arg, struct watch_event *event)
{
    lookout_say(arg, (struct news){ .kind = NEWS_EVENT, .event = *event });
}

static void on_missed(void *arg, size_t count)
{
    struct lookout *lookout = arg;

    uv_mutex_lock(&lookout->lock);
    lookout->dropped += count;
    uv_mutex_unlock(&lookout->lock);
    uv_async_send(&lookout->news_there);
}

/* A copy of what is wanted now; false: the thread is to end. */
static bool take_wanted(struct lookout *lookout, struct watch_wanted *out)
{
    struct watch_hotkey *hotkeys;
    char drop[64];
    bool goes_on;

    while (read(lookout->wake[0], drop, sizeof drop) > 0)
        ;
    uv_mutex_lock(&lookout->lock);
    goes_on = !lookout->ends;
    *out = lookout->wanted;
    hotkeys = mem_alloc((out->hotkey_count + 1) * sizeof *hotkeys);
    memcpy(hotkeys, lookout->wanted.hotkeys, out->hotkey_count * sizeof *hotkeys);
    out->hotkeys = hotkeys;
    lookout->now = lookout->number;
    uv_mutex_unlock(&lookout->lock);
    return goes_on;
}

static void set_desktop(struct lookout *lookout, struct desktop *desktop)
{
    uv_mutex_lock(&lookout->lock);
    lookout->desktop = desktop;
    uv_mutex_unlock(&lookout->lock);
}

static void pause_until_woken(struct lookout *lookout, int ms)
{
    struct pollfd fd = { .fd = lookout->wake[0], .events = POLLIN };

    while (poll(&fd, 1, ms) < 0 && errno == EINTR)
        ;
}

/* On one connection, until it is lost (true) or the thread is to end. */
static bool lookout_watch(struct lookout *lookout, struct desktop *desktop,
                          struct watch_wanted *wanted)
{
    struct watch_told told = { on_begun, on_hotkey_refused, on_event, on_missed, lookout };
    uint64_t mark = 0;
    struct error err;

    while (lookout->run(lookout->ops, desktop, &mark, wanted, lookout->wake[0], &told, &err)) {
        free((void *)(uintptr_t)wanted->hotkeys);
        if (!take_wanted(lookout, wanted))
            return false;
    }
    if (!lookout->lost)
        say_what(lookout, WATCH_LOST);
    lookout->lost = true;
    say_settled(lookout, &err);
    return true;
}

/* Opens a connection and watches on it; false: the thread is to end. *wait: until the next one. */
static bool connect_and_watch(struct lookout *lookout, struct watch_wanted *wanted, int *wait)
{
    uint64_t began = uv_hrtime();
    struct desktop *desktop;
    struct error err;
    bool goes_on;

    desktop = lookout->ops->open(lookout->shared, &err);
    if (!desktop) {
        say_settled(lookout, &err);
        return true;
    }
    set_desktop(lookout, desktop);
    goes_on = lookout_watch(lookout, desktop, wanted);
    set_desktop(lookout, NULL);
    lookout->ops->close(desktop);
    if (uv_hrtime() - began > (uint64_t)RETRY_MAX_MS * 1000000)
        *wait = RETRY_FIRST_MS;
    return goes_on;
}

static void lookout_work(void *arg)
{
    struct lookout *lookout = arg;
    struct watch_wanted wanted;
    int wait = RETRY_FIRST_MS;

    while (take_wanted(lookout, &wanted) && connect_and_watch(lookout, &wanted, &wait)) {
        free((void *)(uintptr_t)wanted.hotkeys);
        pause_until_woken(lookout, wait);
        wait = 2 * wait < RETRY_MAX_MS ? 2 * wait : RETRY_MAX_MS;
    }
    free((void *)(uintptr_t)wanted.hotkeys);
}

static void run_thread(void *arg)
{
    struct lookout *lookout = arg;

    if (lookout->ops->around)
        lookout->ops->around(lookout_work, lookout);
    else
        lookout_work(lookout);
}

/* --- the loop's side ------------------------------------------------------------------------ */

static void lookout_tell(struct lookout *lookout, struct news *news)
{
    const struct lookout_hooks *hooks = &lookout->hooks;

    if (news->kind == NEWS_EVENT)
        hooks->event(hooks->arg, &news->event);
    else if (news->kind == NEWS_SETTLED)
        hooks->settled(hooks->arg, news->number, news->failed ? &news->err : NULL);
    else
        hooks->refused(hooks->arg, (unsigned)news->number, &news->err);
}

static struct news *take_news(struct lookout *lookout, size_t *dropped)
{
    struct link *link;

    uv_mutex_lock(&lookout->lock);
    link = list_pop(&lookout->news);
    lookout->count -= link != NULL;
    *dropped = lookout->dropped;
    lookout->dropped = 0;
    uv_mutex_unlock(&lookout->lock);
    return link ? container_of(link, struct news, link) : NULL;
}

static void free_news(struct news *news)
{
    watch_event_clear(&news->event);
    free(news);
}

static void on_news(uv_async_t *async)
{
    struct lookout *lookout = container_of(async, struct lookout, news_there);
    struct news *news;
    size_t dropped;

    do {
        news = take_news(lookout, &dropped);
        if (dropped)
            lookout->hooks.dropped(lookout->hooks.arg, dropped);
        if (news) {
            lookout_tell(lookout, news);
            free_news(news);
        }
    } while (news);
}

static bool make_pipe(int fds[2], struct error *err)
{
    if (pipe(fds) != 0)
        return error_errno(err, errno, "cannot watch the desktop");
    for (int i = 0; i < 2; i++) {
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

bool lookout_desktop(const struct platform_ops *ops, struct desktop *desktop, uint64_t *mark,
                     const struct watch_wanted *wanted, int wake_fd, const struct watch_told *told,
                     struct error *err)
{
    (void)mark;
    return ops->watch->run(desktop, wanted, wake_fd, told, err);
}

struct lookout *lookout_new(uv_loop_t *loop, const struct platform_ops *ops, void *shared,
                            lookout_run *run, const struct lookout_hooks *hooks, struct error *err)
{
    struct lookout *lookout;
    int wake[2];

    if (!make_pipe(wake, err))
        return NULL;
    lookout = mem_zero(sizeof *lookout);
    lookout->ops = ops;
    lookout->run = run;
    lookout->shared = shared;
    lookout->hooks = *hooks;
    memcpy(lookout->wake, wake, sizeof wake);
    list_init(&lookout->news);
    uv_mutex_init(&lookout->lock);
    uv_async_init(loop, &lookout->news_there, on_news);
    uv_unref((uv_handle_t *)&lookout->news_there);
    lookout->wanted.hotkeys = mem_alloc(1);
    uv_thread_create(&lookout->thread, run_thread, lookout);
    return lookout;
}

static void wake(struct lookout *lookout)
{
    while (write(lookout->wake[1], "", 1) < 0 && errno == EINTR)
        ;
}

uint64_t lookout_want(struct lookout *lookout, const struct watch_wanted *wanted)
{
    struct watch_hotkey *hotkeys = mem_alloc((wanted->hotkey_count + 1) * sizeof *hotkeys);
    uint64_t number;

    if (wanted->hotkey_count)
        memcpy(hotkeys, wanted->hotkeys, wanted->hotkey_count * sizeof *hotkeys);
    uv_mutex_lock(&lookout->lock);
    free((void *)(uintptr_t)lookout->wanted.hotkeys);
    lookout->wanted = *wanted;
    lookout->wanted.hotkeys = hotkeys;
    number = ++lookout->number;
    uv_mutex_unlock(&lookout->lock);
    wake(lookout);
    return number;
}

static void on_lookout_closed(uv_handle_t *handle)
{
    struct lookout *lookout = container_of((uv_async_t *)handle, struct lookout, news_there);
    struct link *link;

    while ((link = list_pop(&lookout->news)))
        free_news(container_of(link, struct news, link));
    uv_mutex_destroy(&lookout->lock);
    free((void *)(uintptr_t)lookout->wanted.hotkeys);
    free(lookout);
}

void lookout_free(struct lookout *lookout)
{
    if (!lookout)
        return;
    uv_mutex_lock(&lookout->lock);
    lookout->ends = true;
    if (lookout->desktop) /* it may hang in a call */
        lookout->ops->interrupt(lookout->desktop);
    uv_mutex_unlock(&lookout->lock);
    wake(lookout);
    uv_thread_join(&lookout->thread);
    close(lookout->wake[0]);
    close(lookout->wake[1]);
    uv_close((uv_handle_t *)&lookout->news_there, on_lookout_closed);
}
