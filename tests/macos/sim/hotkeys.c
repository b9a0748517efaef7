/* Carbon's hot keys: bound on the fake, reported on the run loop that registered them. */
#include <Carbon/Carbon.h>
#include <pthread.h>
#include <stdlib.h>

#include "sim.h"

enum { KEYS = 32, PRESSES = 64 };

/* A hot key that is registered. */
static struct hot_key {
    unsigned number; /* the fake's; 0: this place is free */
    UInt32 code, modifiers;
    EventHotKeyID id;
    CFRunLoopRef loop;
} keys[KEYS];

static struct handler {
    EventHandlerUPP handler; /* NULL: this place is free */
    void *arg;
    CFRunLoopRef loop;
} handlers[KEYS];

static struct press {
    unsigned number;
    bool down;
} presses[PRESSES];
static size_t press_count;
static unsigned last_number;
static struct {
    UInt32 code, modifiers;
    bool system;
} taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void sim_take_key(UInt32 code, UInt32 modifiers, bool system)
{
    taken.code = code;
    taken.modifiers = modifiers;
    taken.system = system;
}

EventTargetRef GetEventDispatcherTarget(void)
{
    sim_main_only("Carbon's events");
    return NULL;
}

OSStatus InstallEventHandler(EventTargetRef target, EventHandlerUPP handler, UInt32 count,
                             const EventTypeSpec *kinds, void *arg, EventHandlerRef *out)
{
    struct handler *free_one = NULL;

    (void)target;
    if (count != 2 || kinds[0].eventClass != kEventClassKeyboard)
        abort();
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < KEYS && !free_one; i++)
        free_one = handlers[i].handler ? NULL : &handlers[i];
    if (!free_one)
        abort();
    *free_one = (struct handler){ handler, arg, CFRunLoopGetCurrent() };
    pthread_mutex_unlock(&lock);
    *out = (EventHandlerRef)free_one;
    return noErr;
}

OSStatus RemoveEventHandler(EventHandlerRef handler)
{
    pthread_mutex_lock(&lock);
    *(struct handler *)handler = (struct handler){ 0 };
    pthread_mutex_unlock(&lock);
    return noErr;
}

/* An event, while its handler runs. */
struct OpaqueEventRef {
    EventHotKeyID id;
    bool down;
};

UInt32 GetEventKind(EventRef event)
{
    return event->down ? kEventHotKeyPressed : kEventHotKeyReleased;
}

OSStatus GetEventParameter(EventRef event, OSType name, OSType type, OSType *actual, UInt32 size,
                           UInt32 *used, void *out)
{
    (void)actual;
    (void)used;
    if (name != kEventParamDirectObject || type != typeEventHotKeyID ||
        size != sizeof(EventHotKeyID))
        abort();
    memcpy(out, &event->id, sizeof event->id);
    return noErr;
}

/* --- registering -------------------------------------------------------------------------- */

static struct chord chord_of(UInt32 code, UInt32 modifiers)
{
    struct chord chord = { .modifiers = (modifiers & (UInt32)shiftKey ? MOD_SHIFT : 0u) |
                                        (modifiers & (UInt32)controlKey ? MOD_CTRL : 0u) |
                                        (modifiers & (UInt32)optionKey ? MOD_ALT : 0u) |
                                        (modifiers & (UInt32)cmdKey ? MOD_META : 0u) };

    sim_name_key(code, &chord);
    return chord;
}

static bool is_taken(UInt32 code, UInt32 modifiers)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].number && keys[i].code == code && keys[i].modifiers == modifiers)
            return true;
    }
    return !taken.system && taken.code == code && taken.modifiers == modifiers && modifiers;
}

OSStatus RegisterEventHotKey(UInt32 code, UInt32 modifiers, EventHotKeyID id, EventTargetRef target,
                             OptionBits options, EventHotKeyRef *out)
{
    struct chord chord = chord_of(code, modifiers);
    struct hot_key *free_one = NULL;

    (void)target;
    sim_main_only("hot keys");
    if (options != kEventHotKeyExclusive)
        abort(); /* otherwise other applications would get it as well */
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < KEYS && !free_one; i++)
        free_one = keys[i].number ? NULL : &keys[i];
    if (!free_one)
        abort();
    if (!is_taken(code, modifiers))
        *free_one = (struct hot_key){ ++last_number, code, modifiers, id, CFRunLoopGetCurrent() };
    else
        free_one = NULL;
    pthread_mutex_unlock(&lock);
    *out = (EventHotKeyRef)free_one;
    if (free_one && sim_news_bind(free_one->number, &chord))
        return noErr;
    if (free_one)
        free_one->number = 0;
    return eventHotKeyExistsErr;
}

OSStatus UnregisterEventHotKey(EventHotKeyRef ref)
{
    struct hot_key *key = (struct hot_key *)ref;
    unsigned number;

    pthread_mutex_lock(&lock);
    number = key->number;
    *key = (struct hot_key){ 0 };
    pthread_mutex_unlock(&lock);
    sim_news_unbind(number);
    return noErr;
}

OSStatus CopySymbolicHotKeys(CFArrayRef *out)
{
    CFDictionaryRef key = sim_dictionary();

    *out = sim_array();
    sim_put(key, kHISymbolicHotKeyCode, sim_number(taken.code));
    sim_put(key, kHISymbolicHotKeyModifiers, sim_number(taken.modifiers));
    sim_put(key, kHISymbolicHotKeyEnabled,
            CFRetain(taken.system ? kCFBooleanTrue : kCFBooleanFalse));
    sim_append(*out, key);
    return noErr;
}

/* --- pressed ------------------------------------------------------------------------------ */

void sim_press(unsigned number, bool down)
{
    pthread_mutex_lock(&lock);
    if (press_count == PRESSES)
        abort();
    presses[press_count++] = (struct press){ number, down };
    pthread_mutex_unlock(&lock);
}

/* Takes the first press for this loop; false if there is none. The lock is held. */
static bool take(CFRunLoopRef loop, struct OpaqueEventRef *event, struct handler *handler)
{
    for (size_t i = 0; i < press_count; i++) {
        for (size_t k = 0; k < KEYS; k++) {
            if (keys[k].number != presses[i].number || keys[k].loop != loop)
                continue;
            *event = (struct OpaqueEventRef){ keys[k].id, presses[i].down };
            press_count--;
            memmove(&presses[i], &presses[i + 1], (press_count - i) * sizeof *presses);
            for (size_t h = 0; h < KEYS; h++) {
                if (handlers[h].handler && handlers[h].loop == loop)
                    *handler = handlers[h];
            }
            return handler->handler != NULL;
        }
    }
    return false;
}

bool sim_tell_presses(struct sim_loop *loop)
{
    struct OpaqueEventRef event;
    struct handler handler = { 0 };
    bool any;

    pthread_mutex_lock(&lock);
    any = take((CFRunLoopRef)loop, &event, &handler);
    pthread_mutex_unlock(&lock);
    if (any)
        handler.handler(NULL, &event, handler.arg);
    return any;
}
