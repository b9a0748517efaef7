/* Carbon's hot keys, which need no permission and are reported by the window server, so no event
 * tap has to stay alive (CarbonEvents.h).
 *
 * A key that is registered as exclusive goes to its owner only, and registering it is an error if
 * another program has it as exclusive, too. The system's own shortcuts are not hot keys: they could
 * be registered without an error, but no presses would be reported, so they are looked up first. */
#include "platform/macos/hotkeys.h"

#include <Carbon/Carbon.h>
#include <stdlib.h>

#include "platform/macos/input.h"
#include "platform/macos/system/cf.h"

enum { SIGNATURE = 0x70726765 }; /* 'prge': ours among the hot keys of this process */

struct bound {
    struct watch_hotkey wanted;
    EventHotKeyRef ref; /* NULL: the key could not be bound */
};

struct hotkeys {
    struct hotkeys_told told;
    EventHandlerRef handler; /* installed by the first key */
    struct bound *items;
    size_t count;
};

struct hotkeys *hotkeys_new(const struct hotkeys_told *told)
{
    struct hotkeys *hotkeys = mem_zero(sizeof *hotkeys);

    hotkeys->told = *told;
    return hotkeys;
}

/* --- pressed ------------------------------------------------------------------------------ */

static OSStatus on_key(EventHandlerCallRef next, EventRef event, void *arg)
{
    struct hotkeys *hotkeys = arg;
    EventHotKeyID id;

    (void)next;
    if (GetEventParameter(event, kEventParamDirectObject, typeEventHotKeyID, NULL, sizeof id, NULL,
                          &id) != noErr ||
        id.signature != SIGNATURE)
        return eventNotHandledErr;
    hotkeys->told.pressed(hotkeys->told.arg, id.id, GetEventKind(event) == kEventHotKeyPressed);
    return noErr;
}

static bool listen_to_hotkeys(struct hotkeys *hotkeys, struct error *err)
{
    static const EventTypeSpec kinds[] = { { kEventClassKeyboard, kEventHotKeyPressed },
                                           { kEventClassKeyboard, kEventHotKeyReleased } };
    OSStatus status;

    if (hotkeys->handler)
        return true;
    status = InstallEventHandler(GetEventDispatcherTarget(), on_key, countof(kinds), kinds, hotkeys,
                                 &hotkeys->handler);
    return status == noErr ||
           error_set(err, "hotkey_failed", "macOS does not report keys to this process (error %d)",
                     (int)status);
}

/* --- binding ------------------------------------------------------------------------------ */

static UInt32 carbon_modifiers(unsigned modifiers)
{
    return (modifiers & MOD_SHIFT ? (UInt32)shiftKey : 0) |
           (modifiers & MOD_CTRL ? (UInt32)controlKey : 0) |
           (modifiers & MOD_ALT ? (UInt32)optionKey : 0) |
           (modifiers & MOD_META ? (UInt32)cmdKey : 0);
}

/* True if the system itself takes these keys: Spotlight, Mission Control, screenshots, ... */
static bool is_systems(UInt32 code, UInt32 modifiers)
{
    const UInt32 ours = (UInt32)cmdKey | shiftKey | optionKey | controlKey;
    CFArrayRef keys = NULL;
    bool found = false;

    if (CopySymbolicHotKeys(&keys) != noErr || !keys)
        return false;
    for (CFIndex i = 0; i < CFArrayGetCount(keys) && !found; i++) {
        CFDictionaryRef key = CFArrayGetValueAtIndex(keys, i);

        found = cf_number(key, kHISymbolicHotKeyEnabled, 0) &&
                cf_number(key, kHISymbolicHotKeyCode, -1) == (long long)code &&
                ((UInt32)cf_number(key, kHISymbolicHotKeyModifiers, 0) & ours) == modifiers;
    }
    CFRelease(keys);
    return found;
}

static bool find_hotkey_code(const struct chord *chord, const char *name, UInt32 *code,
                             UInt32 *modifiers, struct error *err)
{
    unsigned held = chord->modifiers, key;
    struct error why;

    if (chord->modifiers & MOD_FN || !keys_code(chord, &key, &held, &why))
        return error_set(err, "unknown_key",
                         "\"%s\": the keyboard layout of now has no key that can be bound for this",
                         name);
    *code = key;
    *modifiers = carbon_modifiers(held);
    return true;
}

static bool bind_hotkey(struct hotkeys *hotkeys, struct bound *bound, struct error *err)
{
    EventHotKeyID id = { SIGNATURE, bound->wanted.number };
    UInt32 code = 0, modifiers = 0;
    OSStatus status;
    char name[64];

    chord_print(&bound->wanted.chord, name, sizeof name);
    if (!listen_to_hotkeys(hotkeys, err) ||
        !find_hotkey_code(&bound->wanted.chord, name, &code, &modifiers, err))
        return false;
    if (is_systems(code, modifiers))
        return error_set(err, "hotkey_taken",
                         "macOS itself uses \"%s\". Turn that off in System Settings > Keyboard > "
                         "Keyboard Shortcuts, or choose other keys",
                         name);
    status = RegisterEventHotKey(code, modifiers, id, GetEventDispatcherTarget(),
                                 kEventHotKeyExclusive, &bound->ref);
    if (status == noErr)
        return true;
    bound->ref = NULL;
    if (status == eventHotKeyExistsErr)
        return error_set(err, "hotkey_taken",
                         "\"%s\" is bound by another program already. macOS does not say by which. "
                         "Unbind it there, or choose other keys",
                         name);
    return error_set(err, "hotkey_failed",
                     "macOS does not let \"%s\" be bound (error %d). Choose other keys, with "
                     "Command or Control",
                     name, (int)status);
}

static void unbind_hotkey(struct bound *bound)
{
    if (bound->ref)
        UnregisterEventHotKey(bound->ref);
    bound->ref = NULL;
}

static bool is_hotkey_wanted(const struct watch_hotkey *wanted, size_t count, unsigned number)
{
    for (size_t i = 0; i < count; i++)
        if (wanted[i].number == number)
            return true;
    return false;
}

static bool is_hotkey_bound(const struct hotkeys *hotkeys, unsigned number)
{
    for (size_t i = 0; i < hotkeys->count; i++)
        if (hotkeys->items[i].wanted.number == number)
            return true;
    return false;
}

static void drop_other_hotkeys(struct hotkeys *hotkeys, const struct watch_hotkey *wanted,
                               size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < hotkeys->count; i++) {
        if (is_hotkey_wanted(wanted, count, hotkeys->items[i].wanted.number))
            hotkeys->items[kept++] = hotkeys->items[i];
        else
            unbind_hotkey(&hotkeys->items[i]);
    }
    hotkeys->count = kept;
}

void hotkeys_set(struct hotkeys *hotkeys, const struct watch_hotkey *wanted, size_t count)
{
    struct error err;

    if (count)
        keys_note_layouts();
    drop_other_hotkeys(hotkeys, wanted, count);
    for (size_t i = 0; i < count; i++) {
        struct bound bound = { .wanted = wanted[i] };

        if (is_hotkey_bound(hotkeys, bound.wanted.number))
            continue;
        if (!bind_hotkey(hotkeys, &bound, &err))
            hotkeys->told.refused(hotkeys->told.arg, bound.wanted.number, &err);
        hotkeys->items = mem_resize(hotkeys->items, (hotkeys->count + 1) * sizeof *hotkeys->items);
        hotkeys->items[hotkeys->count++] = bound;
    }
}

/* Binds all keys again. One that cannot be bound any more stays without a key. */
void hotkeys_bind_again(struct hotkeys *hotkeys)
{
    struct error err;

    keys_note_layouts();
    for (size_t i = 0; i < hotkeys->count; i++)
        unbind_hotkey(&hotkeys->items[i]);
    for (size_t i = 0; i < hotkeys->count; i++)
        bind_hotkey(hotkeys, &hotkeys->items[i], &err);
}

void hotkeys_free(struct hotkeys *hotkeys)
{
    if (!hotkeys)
        return;
    drop_other_hotkeys(hotkeys, NULL, 0);
    if (hotkeys->handler)
        RemoveEventHandler(hotkeys->handler);
    free(hotkeys->items);
    free(hotkeys);
}
