/* The effects of input, as far as they are seen at once.
 *
 * The windows are listed before input only when an event has told of a change since they were
 * listed last, and after it only when one has told of a change meanwhile. So input without an
 * effect asks the server nothing. */
#include "platform/x11/windows/effects.h"

#include <X11/Xatom.h>
#include <string.h>

#include "platform/window_news.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"

enum {
    QUIET_MS = 30,   /* after the last event of a change: then the change is over */
    HELPER_MAX = 10, /* pixels: toolkits make hidden windows of up to this size */
};

/* --- noticing --------------------------------------------------------------------------- */

const struct window_info *effects_known(const struct x11_effects *effects, Window window)
{
    return window_list_find(&effects->known, window);
}

static bool tells_of_change(struct x11_desktop *desktop, const struct x11_effects *effects,
                            const XEvent *event)
{
    switch (event->type) {
    case CreateNotify: /* it comes before the window manager shows the window */
        return event->xcreatewindow.parent == desktop->root &&
               event->xcreatewindow.width > HELPER_MAX && event->xcreatewindow.height > HELPER_MAX;
    case MapNotify:
        return event->xmap.event == desktop->root;
    case UnmapNotify:
        return event->xunmap.event == desktop->root;
    case DestroyNotify:
        return effects_known(effects, event->xdestroywindow.window);
    case PropertyNotify:
        if (event->xproperty.window == desktop->root)
            return event->xproperty.atom == A(_NET_ACTIVE_WINDOW) ||
                   event->xproperty.atom == A(_NET_CLIENT_LIST);
        return (event->xproperty.atom == A(_NET_WM_NAME) || event->xproperty.atom == XA_WM_NAME) &&
               effects_known(effects, event->xproperty.window);
    default:
        return false;
    }
}

void effects_event(struct x11_desktop *desktop, struct x11_effects *effects, const XEvent *event)
{
    if (!tells_of_change(desktop, effects, event))
        return;
    effects->current = false;
    if (event->type == MapNotify && event->xmap.override_redirect)
        effects->popup = event->xmap.window;
    effects->coming = effects->coming || event->type == CreateNotify;
    effects->changed = deadline_now();
}

/* --- looking ---------------------------------------------------------------------------- */

/* Lists the windows and listens to them. False: the connection broke, which other functions
 * report. */
static bool effects_look(struct x11_desktop *desktop, struct x11_effects *effects,
                         struct window_list *out)
{
    struct window_query query = { .all_kinds = true };
    struct error err;

    effects->current = true; /* changes from here on will be noticed */
    if (!x11_window_list(desktop, &query, out, &err))
        return false;
    x11_trap(desktop);
    for (size_t i = 0; i < out->count; i++) /* selects also what a transfer of a selection needs */
        XSelectInput(desktop->display, (Window)out->items[i].ref.id,
                     PropertyChangeMask | StructureNotifyMask);
    return true;
}

static void learn(struct x11_effects *effects, const struct window_list *list)
{
    window_list_free(&effects->known);
    effects->known = *list;
    effects->looked = true;
}

/* --- telling ---------------------------------------------------------------------------- */

/* Copies text, cut where a character begins. */
static void copy_text(char *out, size_t size, const char *text)
{
    size_t len = strlen(text);

    if (len >= size)
        for (len = size - 1; len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80;)
            len--;
    memcpy(out, text, len);
    out[len] = 0;
}

/* The kinds of news in the order in which there is room for them: one of the keyboard first. */
static const unsigned turns[] = { 1u << WINDOW_FOCUSED, 1u << WINDOW_OPENED | 1u << WINDOW_TITLED,
                                  1u << WINDOW_CLOSED };

struct telling {
    struct input_effects *out;
    unsigned turn;
};

static void effects_add(void *arg, const struct window_news *news)
{
    const struct telling *telling = arg;
    const struct window_info *window = news->what == WINDOW_CLOSED ? news->was : news->now;
    struct input_effects *out = telling->out;
    struct input_effect *effect;

    if (!(telling->turn & 1u << news->what))
        return;
    if (out->count == INPUT_EFFECTS_MAX) {
        out->more = true;
        return;
    }
    effect = &out->items[out->count++];
    *effect = (struct input_effect){ .what = news->what };
    if (!window)
        return;
    effect->ref = window->ref;
    effect->kind = window->kind;
    copy_text(effect->title, sizeof effect->title, window->title);
    copy_text(effect->app, sizeof effect->app, window->app);
}

static void compare(const struct window_list *before, const struct window_list *after,
                    struct input_effects *out)
{
    for (size_t i = 0; i < countof(turns); i++)
        windows_compare(before, after, effects_add, &(struct telling){ out, turns[i] });
}

void effects_begin(struct x11_desktop *desktop, struct x11_effects *effects,
                   struct input_effects *late)
{
    struct window_list list;

    effects->popup = None;
    if (effects->current)
        return;
    effects->coming = false;
    if (!effects_look(desktop, effects, &list))
        return;
    if (effects->looked)
        compare(&effects->known, &list, late);
    learn(effects, &list);
}

/* Waits until nothing has changed for a while, or until `end`. */
static bool await_quiet(struct x11_desktop *desktop, struct deadline *deadline,
                        const struct x11_effects *effects, uint64_t end, struct error *err)
{
    for (;;) {
        uint64_t now = deadline_now(), quiet = effects->changed + QUIET_MS;

        if (now >= end || now >= quiet || desktop->dead)
            return true;
        if (!x11_wait(desktop, deadline, quiet < end ? quiet : end, err))
            return false;
    }
}

/* Waits until the next change, or until `end`. */
static bool await_change(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct x11_effects *effects, uint64_t end, struct error *err)
{
    while (effects->current && deadline_now() < end && !desktop->dead) {
        if (!x11_wait(desktop, deadline, end, err))
            return false;
    }
    return true;
}

/* A call that has hardly any time left does not spend it here: its input was sent. */
bool effects_end(struct x11_desktop *desktop, struct deadline *deadline,
                 struct x11_effects *effects, struct input_outcome *out, struct error *err)
{
    uint64_t end =
        deadline_now() + (deadline_left(deadline) > 2ull * INPUT_EFFECT_MS ? INPUT_EFFECT_MS : 0);
    struct window_list list;

    if (!x11_pump(desktop, err))
        return false;
    while (!effects->current) {
        if (!await_quiet(desktop, deadline, effects, end, err))
            return false;
        if (!effects_look(desktop, effects, &list))
            return true;
        compare(&effects->known, &list, &out->seen.effects);
        learn(effects, &list);
        if (out->seen.effects.count || !effects->coming || deadline_now() >= end)
            break;
        if (!await_change(desktop, deadline, effects, end, err)) /* large windows take a while */
            return false;
    }
    return true;
}

void effects_free(struct x11_effects *effects)
{
    window_list_free(&effects->known);
}
