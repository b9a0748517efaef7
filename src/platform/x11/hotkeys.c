/* Passive grabs of keys on the root window (XGrabKey). A grab is for one exact set of modifiers, so
 * each key is grabbed with and without Caps Lock and Num Lock. */
#include "platform/x11/hotkeys.h"

#include <X11/XKBlib.h>
#include <X11/keysym.h>
#include <stdlib.h>

#include "platform/x11/input/input.h"
#include "platform/x11/wire/connection.h"

struct bound {
    struct watch_hotkey wanted;
    KeyCode code;       /* 0: the key could not be bound */
    unsigned modifiers; /* X's bits */
    bool down;
};

struct hotkeys {
    struct bound *items;
    size_t count;
    int xkb_event;                /* 0: not asked yet; -1: the server lacks XKB */
    unsigned alt, meta, num_lock; /* X's bits for these modifiers in the present map */
};

struct hotkeys *hotkeys_new(void)
{
    return mem_zero(sizeof(struct hotkeys));
}

/* --- the map of the keyboard -------------------------------------------------------------- */

static unsigned bit_of(struct x11_desktop *desktop, const xcb_get_modifier_mapping_reply_t *map,
                       KeySym symbol)
{
    KeyCode code = XKeysymToKeycode(desktop->display, symbol);
    const xcb_keycode_t *codes = xcb_get_modifier_mapping_keycodes(map);

    for (int i = 0; code && i < xcb_get_modifier_mapping_keycodes_length(map); i++)
        if (codes[i] == code)
            return 1u << (i / map->keycodes_per_modifier);
    return 0;
}

/* By XCB: XGetModifierMapping() reads what is not there, and ends the process, if the connection
 * breaks in it. */
static void read_modifiers(struct x11_desktop *desktop, struct hotkeys *hotkeys)
{
    xcb_get_modifier_mapping_reply_t *map =
        xcb_get_modifier_mapping_reply(desktop->xcb, xcb_get_modifier_mapping(desktop->xcb), NULL);

    hotkeys->alt = Mod1Mask;
    hotkeys->meta = Mod4Mask;
    hotkeys->num_lock = 0;
    if (!map)
        return;
    hotkeys->num_lock = bit_of(desktop, map, XK_Num_Lock);
    if (bit_of(desktop, map, XK_Alt_L))
        hotkeys->alt = bit_of(desktop, map, XK_Alt_L);
    if (bit_of(desktop, map, XK_Super_L))
        hotkeys->meta = bit_of(desktop, map, XK_Super_L);
    free(map);
}

/* Has the server report every change of the map, and a key that is held down as presses without
 * releases between them. */
static void begin_hotkeys(struct x11_desktop *desktop, struct hotkeys *hotkeys)
{
    unsigned events = XkbNewKeyboardNotifyMask | XkbMapNotifyMask;

    if (hotkeys->xkb_event)
        return;
    hotkeys->xkb_event = -1;
    if (XkbQueryExtension(desktop->display, NULL, &hotkeys->xkb_event, NULL, NULL, NULL))
        XkbSelectEvents(desktop->display, XkbUseCoreKbd, events, events);
    XkbSetDetectableAutoRepeat(desktop->display, True, NULL);
    read_modifiers(desktop, hotkeys);
}

static unsigned modifiers_of(const struct hotkeys *hotkeys, const struct chord *chord)
{
    return (chord->modifiers & MOD_SHIFT ? ShiftMask : 0) |
           (chord->modifiers & MOD_CTRL ? ControlMask : 0) |
           (chord->modifiers & MOD_ALT ? hotkeys->alt : 0) |
           (chord->modifiers & MOD_META ? hotkeys->meta : 0);
}

/* Finds the key, and Shift if its character needs it: "alt++". */
static bool find_key(struct x11_desktop *desktop, const struct hotkeys *hotkeys,
                     struct bound *bound, struct error *err)
{
    const struct chord *chord = &bound->wanted.chord;
    KeySym symbol = x11_symbol(chord);
    char name[64];

    chord_print(chord, name, sizeof name);
    bound->code = symbol == NoSymbol ? 0 : XKeysymToKeycode(desktop->display, symbol);
    bound->modifiers = modifiers_of(hotkeys, chord);
    if (!bound->code || chord->modifiers & MOD_FN)
        return error_set(err, "unknown_key", "\"%s\": the keyboard of this display has no such key",
                         name);
    if (XkbKeycodeToKeysym(desktop->display, bound->code, 0, 0) != symbol &&
        XkbKeycodeToKeysym(desktop->display, bound->code, 0, 1) == symbol)
        bound->modifiers |= ShiftMask;
    return true;
}

/* --- binding ------------------------------------------------------------------------------ */

static void each_lock(struct x11_desktop *desktop, const struct hotkeys *hotkeys,
                      const struct bound *bound, bool grab)
{
    const unsigned locks[] = { 0, LockMask, hotkeys->num_lock, LockMask | hotkeys->num_lock };
    size_t count = hotkeys->num_lock ? 4 : 2;

    for (size_t i = 0; i < count; i++) {
        if (grab)
            XGrabKey(desktop->display, bound->code, bound->modifiers | locks[i], desktop->root,
                     False, GrabModeAsync, GrabModeAsync);
        else
            XUngrabKey(desktop->display, bound->code, bound->modifiers | locks[i], desktop->root);
    }
}

static void unbind(struct x11_desktop *desktop, const struct hotkeys *hotkeys, struct bound *bound)
{
    if (bound->code && !desktop->dead)
        each_lock(desktop, hotkeys, bound, false);
    bound->code = 0;
}

static bool bind_key(struct x11_desktop *desktop, const struct hotkeys *hotkeys,
                     struct bound *bound, struct error *err)
{
    char name[64];

    if (!find_key(desktop, hotkeys, bound, err)) {
        bound->code = 0;
        return false;
    }
    x11_trap(desktop);
    each_lock(desktop, hotkeys, bound, true);
    if (!x11_trapped(desktop))
        return true;
    unbind(desktop, hotkeys, bound);
    chord_print(&bound->wanted.chord, name, sizeof name);
    return error_set(err, "hotkey_taken",
                     "\"%s\" is bound by another program already, such as the window manager. X11 "
                     "does not say by which. Unbind it there, or choose other keys",
                     name);
}

static bool is_wanted(const struct watch_wanted *wanted, unsigned number)
{
    for (size_t i = 0; i < wanted->hotkey_count; i++)
        if (wanted->hotkeys[i].number == number)
            return true;
    return false;
}

static bool is_bound(const struct hotkeys *hotkeys, unsigned number)
{
    for (size_t i = 0; i < hotkeys->count; i++)
        if (hotkeys->items[i].wanted.number == number)
            return true;
    return false;
}

static void drop_others(struct x11_desktop *desktop, struct hotkeys *hotkeys,
                        const struct watch_wanted *wanted)
{
    size_t kept = 0;

    for (size_t i = 0; i < hotkeys->count; i++) {
        if (is_wanted(wanted, hotkeys->items[i].wanted.number))
            hotkeys->items[kept++] = hotkeys->items[i];
        else
            unbind(desktop, hotkeys, &hotkeys->items[i]);
    }
    hotkeys->count = kept;
}

void hotkeys_set(struct x11_desktop *desktop, struct hotkeys *hotkeys,
                 const struct watch_wanted *wanted, const struct watch_told *told)
{
    struct error err;

    if (wanted->hotkey_count)
        begin_hotkeys(desktop, hotkeys);
    drop_others(desktop, hotkeys, wanted);
    for (size_t i = 0; i < wanted->hotkey_count; i++) {
        struct bound bound = { .wanted = wanted->hotkeys[i] };

        if (is_bound(hotkeys, bound.wanted.number))
            continue;
        if (!bind_key(desktop, hotkeys, &bound, &err))
            told->refused(told->arg, bound.wanted.number, &err);
        hotkeys->items = mem_resize(hotkeys->items, (hotkeys->count + 1) * sizeof *hotkeys->items);
        hotkeys->items[hotkeys->count++] = bound;
    }
    XFlush(desktop->display);
}

void hotkeys_free(struct x11_desktop *desktop, struct hotkeys *hotkeys)
{
    struct watch_wanted none = { 0 };

    if (!hotkeys)
        return;
    drop_others(desktop, hotkeys, &none);
    free(hotkeys->items);
    free(hotkeys);
}

/* --- events ------------------------------------------------------------------------------- */

/* Whether the key and the modifiers that were grabbed are still the right ones. */
static bool is_current(struct x11_desktop *desktop, const struct hotkeys *now,
                       const struct bound *bound)
{
    struct bound found = *bound;
    struct error err;

    return bound->code && find_key(desktop, now, &found, &err) && found.code == bound->code &&
           found.modifiers == bound->modifiers;
}

/* Binds anew what other keys make now. A hotkey that cannot be bound any more stays without a key.
 * One whose keys are the same stays grabbed: the server tells of the map whenever the user changes
 * to another keyboard, and with the first key of a hotkey, whose last would be missed in between.
 */
static void bind_again(struct x11_desktop *desktop, struct hotkeys *hotkeys)
{
    struct hotkeys now = *hotkeys;
    struct error err;

    read_modifiers(desktop, &now);
    for (size_t i = 0; i < hotkeys->count; i++)
        if (now.num_lock != hotkeys->num_lock || !is_current(desktop, &now, &hotkeys->items[i]))
            unbind(desktop, hotkeys, &hotkeys->items[i]);
    *hotkeys = now;
    for (size_t i = 0; i < hotkeys->count; i++)
        if (!hotkeys->items[i].code)
            bind_key(desktop, hotkeys, &hotkeys->items[i], &err);
}

static bool take_key(struct hotkeys *hotkeys, const XKeyEvent *key, enum watch_what *what,
                     unsigned *number)
{
    unsigned usual = ShiftMask | ControlMask | Mod1Mask | Mod2Mask | Mod3Mask | Mod4Mask | Mod5Mask;
    unsigned modifiers = key->state & usual & ~hotkeys->num_lock;

    for (size_t i = 0; i < hotkeys->count; i++) {
        struct bound *bound = &hotkeys->items[i];
        bool pressed = key->type == KeyPress;

        /* A release is recognized by its key alone: modifiers may have been let go of before it. */
        if (bound->code != key->keycode || (pressed ? bound->modifiers != modifiers : !bound->down))
            continue;
        *what = !pressed      ? WATCH_HOTKEY_RELEASED
                : bound->down ? WATCH_HOTKEY_REPEATED
                              : WATCH_HOTKEY_PRESSED;
        bound->down = pressed;
        *number = bound->wanted.number;
        return true;
    }
    return false;
}

bool hotkeys_take(struct x11_desktop *desktop, struct hotkeys *hotkeys, XEvent *event,
                  enum watch_what *what, unsigned *number)
{
    if (event->type == KeyPress || event->type == KeyRelease)
        return take_key(hotkeys, &event->xkey, what, number);
    if (event->type == MappingNotify) {
        XRefreshKeyboardMapping(&event->xmapping);
        bind_again(desktop, hotkeys);
    } else if (hotkeys->xkb_event > 0 && event->type == hotkeys->xkb_event) {
        XkbRefreshKeyboardMapping((XkbMapNotifyEvent *)event);
        bind_again(desktop, hotkeys);
    }
    return false;
}
