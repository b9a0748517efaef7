/* The other process: reads requests and writes events, all on its main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/event_process.h"
#include "platform/macos/hotkeys.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/appkit_news.h"
#include "platform/macos/system/line_source.h"

/* No notification says that the clipboard has other content, or (without a tap of all events) that
 * the keyboard is used. */
#define CLIPBOARD_LOOK_S 0.1
#define USE_LOOK_S       0.25
#define REST_S           1.0

struct server {
    int out;
    bool began, over;
    struct hotkeys *hotkeys;
    struct watch_hotkey *keys; /* those that were read, until a request wants them */
    size_t key_count;
    CFRunLoopTimerRef clip_clock, use_clock; /* NULL: not wanted */
    long clips;
    double used; /* CFAbsoluteTime of the last known use */
};

/* --- writing ------------------------------------------------------------------------------ */

static void end_server(struct server *server)
{
    if (!server->over)
        appkit_news_stop();
    server->over = true;
}

static void write_line(struct server *server, const struct event_process_news *news)
{
    struct buf line = { 0 };

    event_process_line_add(&line, news);
    if (!server->over && !line_write(server->out, &line))
        end_server(server); /* the engine is gone */
    buf_free(&line);
}

static void say_news(struct server *server, enum event_process_what what, long number)
{
    write_line(server, &(struct event_process_news){ .what = what, .number = number });
}

/* --- events --------------------------------------------------------------------------------- */

static void on_pressed(void *arg, unsigned number, bool down)
{
    say_news(arg, down ? EVENT_PROCESS_PRESSED : EVENT_PROCESS_RELEASED, (long)number);
}

static void on_refused(void *arg, unsigned number, const struct error *why)
{
    write_line(arg, &(struct event_process_news){ EVENT_PROCESS_REFUSED, (long)number, *why });
}

static void on_appkit_news(void *arg, enum appkit_what what, int pid)
{
    struct server *server = arg;

    switch (what) {
    case APPKIT_APP_OPENED:
        say_news(server, EVENT_PROCESS_APP, pid);
        return;
    case APPKIT_APP_ENDED:
        say_news(server, EVENT_PROCESS_ENDED, pid);
        return;
    case APPKIT_APP_ACTIVE:
        say_news(server, EVENT_PROCESS_ACTIVE, pid);
        return;
    case APPKIT_APP_HIDDEN:
    case APPKIT_APP_SHOWN:
        say_news(server, what == APPKIT_APP_HIDDEN ? EVENT_PROCESS_HIDDEN : EVENT_PROCESS_SHOWN,
                 pid);
        return;
    case APPKIT_SPACE:
        say_news(server, EVENT_PROCESS_SPACE, 0);
        return;
    case APPKIT_SCREENS:
        say_news(server, EVENT_PROCESS_DISPLAYS, 0);
        return;
    case APPKIT_LAYOUT:
        hotkeys_bind_again(server->hotkeys);
        return;
    }
}

/* Called before and after each change, for each display: after is enough. */
static void on_displays_changed(CGDirectDisplayID display, CGDisplayChangeSummaryFlags flags,
                                void *arg)
{
    (void)display;
    if (!(flags & kCGDisplayBeginConfigurationFlag))
        say_news(arg, EVENT_PROCESS_DISPLAYS, 0);
}

static void look_at_clipboard(CFRunLoopTimerRef clock, void *arg)
{
    struct server *server = arg;
    long now = appkit_clipboard_count();

    (void)clock;
    if (now != server->clips)
        say_news(server, EVENT_PROCESS_CLIPBOARD, now > server->clips ? now - server->clips : 1);
    server->clips = now;
}

static double last_use(void)
{
    return CFAbsoluteTimeGetCurrent() -
           CGEventSourceSecondsSinceLastEventType(kCGEventSourceStateCombinedSessionState,
                                                  kCGAnyInputEventType);
}

static void look_at_use(CFRunLoopTimerRef clock, void *arg)
{
    struct server *server = arg;
    double used = last_use();

    (void)clock;
    if (used - server->used >= REST_S)
        say_news(server, EVENT_PROCESS_USED, 0);
    server->used = used;
}

/* --- requests --------------------------------------------------------------------------------- */

static void want_clock(struct server *server, CFRunLoopTimerRef *clock, bool wanted, double seconds,
                       CFRunLoopTimerCallBack look)
{
    CFRunLoopTimerContext context = { .info = server };

    if (wanted == (*clock != NULL))
        return;
    if (!wanted) {
        CFRunLoopTimerInvalidate(*clock);
        CFRelease(*clock);
        *clock = NULL;
        return;
    }
    server->clips = look == look_at_clipboard ? appkit_clipboard_count() : server->clips;
    server->used = look == look_at_use ? last_use() : server->used;
    *clock = CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent() + seconds, seconds, 0, 0, look,
                                  &context);
    if (*clock)
        CFRunLoopAddTimer(CFRunLoopGetCurrent(), *clock, kCFRunLoopDefaultMode);
}

static void want_clocks(struct server *server, unsigned kinds)
{
    want_clock(server, &server->clip_clock, kinds & WATCH_CLIPBOARD, CLIPBOARD_LOOK_S,
               look_at_clipboard);
    want_clock(server, &server->use_clock, kinds & WATCH_ACTIVE, USE_LOOK_S, look_at_use);
}

/* Writes the applications that run already. */
static void say_apps(struct server *server)
{
    struct appkit_apps apps;
    int active = appkit_active();

    appkit_list(&apps);
    for (size_t i = 0; i < apps.count; i++) {
        say_news(server, EVENT_PROCESS_APP, apps.items[i].pid);
        if (apps.items[i].hidden)
            say_news(server, EVENT_PROCESS_HIDDEN, apps.items[i].pid);
    }
    appkit_apps_free(&apps);
    say_news(server, EVENT_PROCESS_ACTIVE, active);
}

static void apply_wanted(struct server *server, unsigned number, unsigned kinds)
{
    if (!server->began)
        say_apps(server);
    server->began = true;
    hotkeys_set(server->hotkeys, server->keys, server->key_count);
    server->key_count = 0;
    want_clocks(server, kinds);
    say_news(server, EVENT_PROCESS_BEGUN, (long)number);
}

static void add_hotkey(struct server *server, const struct watch_hotkey *key)
{
    server->keys = mem_resize(server->keys, (server->key_count + 1) * sizeof *server->keys);
    server->keys[server->key_count++] = *key;
}

static void on_engine_line(void *arg, char *line)
{
    unsigned number, kinds, modifiers, point;
    int key;

    if (sscanf(line, "key %u %u %d %u", &number, &modifiers, &key, &point) == 4)
        add_hotkey(arg, &(struct watch_hotkey){ number, { modifiers, (enum key)key, point } });
    else if (sscanf(line, "want %u %u", &number, &kinds) == 2)
        apply_wanted(arg, number, kinds);
}

static void on_engine_ended(void *arg)
{
    end_server(arg);
}

int event_process_serve(int in, int out)
{
    struct server server = { .out = out };
    struct appkit_news news = { on_appkit_news, &server };
    struct line_source *lines;

    server.hotkeys = hotkeys_new(&(struct hotkeys_told){ on_pressed, on_refused, &server });
    lines = line_source_new(in, on_engine_line, on_engine_ended, &server);
    if (lines) {
        appkit_news_listen(&news);
        CGDisplayRegisterReconfigurationCallback(on_displays_changed, &server);
        appkit_news_run();
    }
    want_clocks(&server, 0);
    hotkeys_free(server.hotkeys);
    close(out); /* event_process.c waits for it in await_event_process_end() */
    line_source_free(lines);
    free(server.keys);
    return lines ? 0 : 1;
}
