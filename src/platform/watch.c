/* Functions of watching that every backend shares. */
#include "platform/watch.h"

#include <stdlib.h>

static const struct {
    unsigned kind;
    const char *about, *name;
} words[] = {
    [WATCH_APP_OPENED] = { WATCH_APPS, "apps", "opened" },
    [WATCH_APP_CLOSED] = { WATCH_APPS, "apps", "closed" },
    [WATCH_APP_ACTIVATED] = { WATCH_APPS, "apps", "activated" },
    [WATCH_DISPLAYS_CHANGED] = { WATCH_DISPLAYS, "displays", "changed" },
    [WATCH_CLIPBOARD_CHANGED] = { WATCH_CLIPBOARD, "clipboard", "changed" },
    [WATCH_HOTKEY_PRESSED] = { WATCH_HOTKEYS, "hotkey", "pressed" },
    [WATCH_HOTKEY_REPEATED] = { WATCH_HOTKEYS, "hotkey", "repeated" },
    [WATCH_HOTKEY_RELEASED] = { WATCH_HOTKEYS, "hotkey", "released" },
    [WATCH_ELEMENT_CHANGED] = { WATCH_ELEMENTS, "elements", "changed" },
    [WATCH_ACTIVE_AGAIN] = { WATCH_ACTIVE, "active", "active" },
    [WATCH_INPUT_CAME] = { WATCH_INPUT, "input", "came" },
    [WATCH_POINTER_RESTS] = { WATCH_INPUT, "input", "rests" },
    [WATCH_LOST] = { 0, "desktop", "lost" },
    [WATCH_FOUND] = { 0, "desktop", "found" },
};

unsigned watch_kind_of(enum watch_what what)
{
    return (int)what < WINDOW_EVENT_KINDS ? WATCH_WINDOWS : words[what].kind;
}

const char *watch_about(enum watch_what what)
{
    return (int)what < WINDOW_EVENT_KINDS ? "windows" : words[what].about;
}

const char *watch_name(enum watch_what what)
{
    return (int)what < WINDOW_EVENT_KINDS ? window_event_name((enum window_event)what)
                                          : words[what].name;
}

void watch_event_clear(struct watch_event *event)
{
    window_info_free(&event->window);
    app_info_free(&event->app);
}

struct window_info window_info_copy(const struct window_info *info)
{
    struct window_info copy = *info;

    copy.title = mem_strdup(info->title);
    copy.app = mem_strdup(info->app);
    copy.instance = mem_strdup(info->instance);
    return copy;
}

struct app_info app_info_copy(const struct app_info *info)
{
    struct app_info copy = *info;

    copy.name = mem_strdup(info->name);
    copy.id = mem_strdup(info->id);
    copy.path = mem_strdup(info->path);
    copy.icon = mem_strdup(info->icon);
    return copy;
}
