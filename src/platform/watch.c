/* Functions of watching that every backend shares. */
#include "platform/watch.h"

#include <stdlib.h>

unsigned watch_kind_of(enum watch_what what)
{
    static const unsigned kinds[] = {
        [WATCH_APP_OPENED] = WATCH_APPS,
        [WATCH_APP_CLOSED] = WATCH_APPS,
        [WATCH_APP_ACTIVATED] = WATCH_APPS,
        [WATCH_DISPLAYS_CHANGED] = WATCH_DISPLAYS,
        [WATCH_CLIPBOARD_CHANGED] = WATCH_CLIPBOARD,
        [WATCH_HOTKEY_PRESSED] = WATCH_HOTKEYS,
        [WATCH_HOTKEY_REPEATED] = WATCH_HOTKEYS,
        [WATCH_HOTKEY_RELEASED] = WATCH_HOTKEYS,
        [WATCH_ELEMENT_CHANGED] = WATCH_ELEMENTS,
        [WATCH_ACTIVE_AGAIN] = WATCH_ACTIVE,
        [WATCH_LOST] = 0,
        [WATCH_FOUND] = 0,
    };

    return (int)what < WINDOW_EVENT_KINDS ? WATCH_WINDOWS : kinds[what];
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
