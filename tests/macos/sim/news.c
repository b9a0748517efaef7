/* A connection to the fake that watches it, and passes its events on in macOS's terms. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/system/appkit_news.h"
#include "platform/watch.h"
#include "sim.h"

enum { KEYS = 32 };

static struct {
    bool runs, over;
    pthread_t thread;
    int wake[2];
    struct watch_hotkey keys[KEYS];
    size_t count;
    unsigned wanted, begun; /* numbers of the wanted set of keys, and of the one in effect */
    unsigned refused;       /* the key that was refused last */
} news;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Thread_local unsigned running; /* the number that the thread runs with */

static void tell_window(const struct watch_event *event)
{
    int pid = event->window.ref.pid;
    uint64_t id = event->window.ref.id;

    switch (event->what) {
    case WATCH_WINDOW_OPENED:
        sim_window_did(pid, id, "AXWindowCreated");
        return;
    case WATCH_WINDOW_CLOSED:
        sim_window_did(pid, id, "AXUIElementDestroyed");
        return;
    case WATCH_WINDOW_TITLED:
        sim_window_did(pid, id, "AXTitleChanged");
        return;
    case WATCH_WINDOW_MOVED:
        sim_window_did(pid, id,
                       event->before.width == event->window.frame.width &&
                               event->before.height == event->window.frame.height
                           ? "AXWindowMoved"
                           : "AXWindowResized");
        return;
    case WATCH_WINDOW_CHANGED:
        sim_window_did(pid, id,
                       event->window.state & WINDOW_MINIMIZED ? "AXWindowMiniaturized"
                                                              : "AXWindowDeminiaturized");
        return;
    case WATCH_WINDOW_FOCUSED:
        sim_window_did(pid, id, "AXFocusedWindowChanged");
        return;
    default:
        return;
    }
}

static void on_event(void *arg, struct watch_event *event)
{
    (void)arg;
    switch (event->what) {
    case WATCH_APP_OPENED:
        sim_note(APPKIT_APP_OPENED, event->app.pid);
        break;
    case WATCH_APP_CLOSED:
        sim_note(APPKIT_APP_ENDED, event->app.pid);
        break;
    case WATCH_APP_ACTIVATED:
        sim_note(APPKIT_APP_ACTIVE, event->app.pid);
        break;
    case WATCH_HOTKEY_PRESSED:
    case WATCH_HOTKEY_RELEASED:
        sim_press(event->hotkey, event->what == WATCH_HOTKEY_PRESSED);
        break;
    default:
        tell_window(event);
    }
    watch_event_clear(event);
}

static void on_begun(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    news.begun = running;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void on_refused(void *arg, unsigned number, const struct error *why)
{
    (void)arg;
    (void)why;
    pthread_mutex_lock(&lock);
    news.refused = number;
    pthread_mutex_unlock(&lock);
}

static void on_missed(void *arg, size_t count)
{
    (void)arg;
    (void)count;
    abort(); /* only events of elements can be missed */
}

static void *run(void *world)
{
    struct watch_told told = { on_begun, on_refused, on_event, on_missed, NULL };
    struct desktop *desktop = perigee_fake.open(world, NULL);
    struct watch_hotkey keys[KEYS];
    struct error err;
    char drop[64];

    for (;;) {
        struct watch_wanted wanted = { WATCH_WINDOWS | WATCH_APPS | WATCH_HOTKEYS, keys, 0 };
        bool over;

        while (read(news.wake[0], drop, sizeof drop) > 0)
            ;
        pthread_mutex_lock(&lock);
        memcpy(keys, news.keys, sizeof keys);
        wanted.hotkey_count = news.count;
        running = news.wanted;
        over = news.over;
        pthread_mutex_unlock(&lock);
        if (over || !desktop ||
            !perigee_fake.watch->run(desktop, &wanted, news.wake[0], &told, &err))
            break;
    }
    perigee_fake.close(desktop);
    return NULL;
}

/* Waits until the thread has taken the new set. The lock is held. */
static void wake_and_wait(void)
{
    unsigned number = ++news.wanted;

    if (write(news.wake[1], "", 1) < 0 && errno != EAGAIN)
        abort();
    while (news.begun < number && !news.over)
        pthread_cond_wait(&changed, &lock);
}

void sim_news_begin(void)
{
    pthread_mutex_lock(&lock);
    if (!news.runs) {
        if (pipe(news.wake) != 0)
            abort();
        for (int i = 0; i < 2; i++)
            fcntl(news.wake[i], F_SETFL, O_NONBLOCK);
        news.runs = true;
        news.over = false;
        news.count = news.wanted = news.begun = 0;
        pthread_create(&news.thread, NULL, run, sim_fake());
        wake_and_wait();
    }
    pthread_mutex_unlock(&lock);
}

void sim_news_end(void)
{
    if (!news.runs)
        return;
    pthread_mutex_lock(&lock);
    news.over = true;
    if (write(news.wake[1], "", 1) < 0 && errno != EAGAIN)
        abort();
    pthread_mutex_unlock(&lock);
    pthread_join(news.thread, NULL);
    close(news.wake[0]);
    close(news.wake[1]);
    news.runs = false;
}

bool sim_news_bind(unsigned number, const struct chord *chord)
{
    bool ok;

    pthread_mutex_lock(&lock);
    if (news.count == KEYS)
        abort();
    news.keys[news.count++] = (struct watch_hotkey){ number, *chord };
    wake_and_wait();
    ok = news.refused != number;
    pthread_mutex_unlock(&lock);
    return ok;
}

void sim_news_unbind(unsigned number)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < news.count; i++) {
        if (news.keys[i].number == number)
            news.keys[i] = news.keys[--news.count];
    }
    wake_and_wait();
    pthread_mutex_unlock(&lock);
}
