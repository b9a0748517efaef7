/* Keys: modifiers, named keys, and characters by the present layout.
 *
 * A chord needs the key that bears a character on the user's keyboard: "cmd+z" is another key on a
 * German one. The layout's table answers that (UCKeyTranslate, developer.apple.com/documentation/
 * coreservices/uckeytranslate). */
#include <Carbon/Carbon.h>
#include <pthread.h>

#include "platform/macos/input.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/cf.h"

/* A code with this bit is not a key's: the system handles such keys itself, by events of their
 * own. */
enum { MEDIA = 0x80 };

static const struct named_key {
    enum key key;
    unsigned char code;
} named[] = {
    { KEY_RETURN, kVK_Return },
    { KEY_TAB, kVK_Tab },
    { KEY_ESCAPE, kVK_Escape },
    { KEY_BACKSPACE, kVK_Delete },
    { KEY_DELETE, kVK_ForwardDelete },
    { KEY_INSERT, kVK_Help }, /* where a PC's keyboard has Insert */
    { KEY_HELP, kVK_Help },
    { KEY_LEFT, kVK_LeftArrow },
    { KEY_RIGHT, kVK_RightArrow },
    { KEY_UP, kVK_UpArrow },
    { KEY_DOWN, kVK_DownArrow },
    { KEY_HOME, kVK_Home },
    { KEY_END, kVK_End },
    { KEY_PAGE_UP, kVK_PageUp },
    { KEY_PAGE_DOWN, kVK_PageDown },
    { KEY_CAPS_LOCK, kVK_CapsLock },
    { KEY_NUM_LOCK, kVK_ANSI_KeypadClear },
    { KEY_VOLUME_UP, MEDIA | 0 }, /* NX_KEYTYPE_SOUND_UP and so on, of IOKit's ev_keymap.h */
    { KEY_VOLUME_DOWN, MEDIA | 1 },
    { KEY_BRIGHTNESS_UP, MEDIA | 2 },
    { KEY_BRIGHTNESS_DOWN, MEDIA | 3 },
    { KEY_MUTE, MEDIA | 7 },
    { KEY_PLAY, MEDIA | 16 },
    { KEY_NEXT_TRACK, MEDIA | 17 },
    { KEY_PREVIOUS_TRACK, MEDIA | 18 },
    { KEY_KP_ENTER, kVK_ANSI_KeypadEnter },
};

static const unsigned char function_keys[] = {
    kVK_F1,  kVK_F2,  kVK_F3,  kVK_F4,  kVK_F5,  kVK_F6,  kVK_F7,  kVK_F8,  kVK_F9,  kVK_F10,
    kVK_F11, kVK_F12, kVK_F13, kVK_F14, kVK_F15, kVK_F16, kVK_F17, kVK_F18, kVK_F19, kVK_F20,
};

static const struct modifier_key {
    enum modifier modifier;
    unsigned char code;
    CGEventFlags flag;
} modifier_keys[] = {
    { MOD_CTRL, kVK_Control, kCGEventFlagMaskControl },
    { MOD_ALT, kVK_Option, kCGEventFlagMaskAlternate },
    { MOD_SHIFT, kVK_Shift, kCGEventFlagMaskShift },
    { MOD_META, kVK_Command, kCGEventFlagMaskCommand },
    { MOD_FN, kVK_Function, kCGEventFlagMaskSecondaryFn },
};

CGEventFlags input_flags(const struct macos_input *input)
{
    CGEventFlags flags = 0;

    for (size_t i = 0; i < countof(modifier_keys); i++)
        flags |= input->keys[modifier_keys[i].code] ? modifier_keys[i].flag : 0;
    return flags;
}

void input_modifiers(struct macos_input *input, unsigned modifiers, bool down)
{
    for (size_t i = 0; i < countof(modifier_keys); i++) {
        const struct modifier_key *key = &modifier_keys[i];

        if (!(modifiers & key->modifier) || input->keys[key->code] == down)
            continue;
        input->keys[key->code] = down;
        input->flags = input_flags(input);
        input_key(input, key->code, down);
    }
}

/* --- characters ------------------------------------------------------------------------- */

/* Text Input Sources trap on every thread but the main one, so its turns note the tables for other
 * threads. For an input method that is the layout it types with; the second layout serves scripts
 * without Latin letters, for which applications take Command with the key that has the letter
 * there. */
enum { LAYOUTS = 2 };

static CFDataRef layouts[LAYOUTS];
static pthread_mutex_t layouts_lock = PTHREAD_MUTEX_INITIALIZER;

static CFDataRef table_of(TISInputSourceRef source ENDS_REF) GIVES_REF;
static CFDataRef table_of(TISInputSourceRef source)
{
    CFDataRef data =
        source ? TISGetInputSourceProperty(source, kTISPropertyUnicodeKeyLayoutData) : NULL;

    if (data)
        CFRetain(data);
    cf_release(source);
    return data;
}

void keys_note_layouts(void)
{
    CFDataRef now[LAYOUTS] = { table_of(TISCopyCurrentKeyboardLayoutInputSource()),
                               table_of(TISCopyCurrentASCIICapableKeyboardLayoutInputSource()) };
    CFDataRef before[LAYOUTS];

    pthread_mutex_lock(&layouts_lock);
    memcpy(before, layouts, sizeof before);
    memcpy(layouts, now, sizeof now);
    pthread_mutex_unlock(&layouts_lock);
    for (size_t i = 0; i < LAYOUTS; i++)
        cf_release(before[i]);
}

static CFDataRef layout_now(size_t which) GIVES_REF;
static CFDataRef layout_now(size_t which)
{
    CFDataRef data;

    pthread_mutex_lock(&layouts_lock);
    data = layouts[which];
    if (data)
        CFRetain(data);
    pthread_mutex_unlock(&layouts_lock);
    return data;
}

static uint32_t character_of(const UCKeyboardLayout *layout, unsigned code, bool shift)
{
    UInt32 dead = 0, modifiers = shift ? (UInt32)shiftKey >> 8 : 0;
    UniCharCount len = 0;
    UniChar text[4];

    if (UCKeyTranslate(layout, (UInt16)code, kUCKeyActionDown, modifiers, LMGetKbdType(),
                       kUCKeyTranslateNoDeadKeysMask, &dead, countof(text), &len, text) != noErr)
        return 0;
    return len == 1 ? text[0] : 0;
}

static bool find_character(const UCKeyboardLayout *layout, uint32_t point, unsigned *code,
                           unsigned *modifiers)
{
    for (int shift = 0; shift < 2; shift++) {
        for (unsigned i = 0; i < KEYCODES; i++) {
            if (character_of(layout, i, shift) != point)
                continue;
            *code = i;
            *modifiers |= shift ? MOD_SHIFT : 0u;
            return true;
        }
    }
    return false;
}

uint32_t keys_character(unsigned code)
{
    CFDataRef data = layout_now(0);
    uint32_t point = data ? character_of((const void *)CFDataGetBytePtr(data), code, false) : 0;

    cf_release(data);
    return point;
}

static bool code_of_character(uint32_t point, unsigned *code, unsigned *modifiers)
{
    bool found = false;

    for (size_t i = 0; i < LAYOUTS && !found; i++) {
        CFDataRef data = layout_now(i);

        found =
            data && find_character((const void *)CFDataGetBytePtr(data), point, code, modifiers);
        cf_release(data);
    }
    return found;
}

static bool chord_code(const struct chord *chord, unsigned *code, unsigned *modifiers,
                       struct error *err)
{
    char name[64];

    if (chord->key == KEY_CHARACTER && code_of_character(chord->point, code, modifiers))
        return true;
    if (chord->key >= KEY_F1 && (size_t)(chord->key - KEY_F1) < countof(function_keys)) {
        *code = function_keys[chord->key - KEY_F1];
        return true;
    }
    for (size_t i = 0; i < countof(named); i++) {
        if (named[i].key == chord->key) {
            *code = named[i].code;
            return true;
        }
    }
    chord_print(chord, name, sizeof name);
    return error_set(err, "unknown_key",
                     "this keyboard layout has no key for %s. Type it as text instead", name);
}

bool keys_code(const struct chord *chord, unsigned *code, unsigned *modifiers, struct error *err)
{
    return chord_code(chord, code, modifiers, err) &&
           (!(*code & MEDIA) || error_set(err, "unknown_key", "macOS handles this key itself"));
}

/* --- chords ----------------------------------------------------------------------------- */

static void send_key(struct macos_input *input, unsigned code, bool down)
{
    if (!(code & MEDIA))
        input_key(input, code, down);
    else if (appkit_media_key((int)(code & ~(unsigned)MEDIA), down))
        input->sent++;
}

static bool press_chord(struct macos_input *input, struct deadline *deadline,
                        const struct input *what, unsigned code, struct error *err)
{
    bool has_key = what->chord.key != KEY_NONE;
    int count = what->count ? what->count : 1;

    for (int i = 0; i < count; i++) {
        if (has_key)
            send_key(input, code, true);
        if (what->ms && !deadline_wait(deadline, -1, deadline_now() + what->ms, err))
            return false;
        if (has_key)
            send_key(input, code, false);
        if (!deadline_ok(deadline, err))
            return false;
    }
    return true;
}

bool macos_chord(struct macos_desktop *desktop, struct deadline *deadline, const struct input *what,
                 struct error *err)
{
    struct macos_input *input = desktop->input;
    unsigned code = 0, modifiers = what->chord.modifiers;
    bool has_key = what->chord.key != KEY_NONE, ok = true;

    if (has_key && !chord_code(&what->chord, &code, &modifiers, err))
        return false;
    if (what->kind != INPUT_KEY_UP)
        input_modifiers(input, modifiers, true);
    if (what->kind == INPUT_KEYS)
        ok = press_chord(input, deadline, what, code, err);
    else if (has_key)
        send_key(input, code, what->kind == INPUT_KEY_DOWN);
    if (ok && what->kind != INPUT_KEY_DOWN)
        input_modifiers(input, modifiers, false);
    return ok;
}
