/* Chords: names to keys of the keyboard as it is. */
#include <X11/XF86keysym.h>
#include <X11/keysym.h>
#include <xkbcommon/xkbcommon.h>

#include "platform/x11/input/input.h"
#include "platform/x11/input/judged.h"
#include "platform/x11/input/keymap.h"

enum {
    KEYS_SETTLE_MS = 1000,
    HELD_LOOK_MS = 20, /* less than the time from one repetition of a key to the next */
};

static const KeySym symbol_of[] = {
    [KEY_RETURN] = XK_Return,
    [KEY_TAB] = XK_Tab,
    [KEY_ESCAPE] = XK_Escape,
    [KEY_BACKSPACE] = XK_BackSpace,
    [KEY_DELETE] = XK_Delete,
    [KEY_INSERT] = XK_Insert,
    [KEY_LEFT] = XK_Left,
    [KEY_RIGHT] = XK_Right,
    [KEY_UP] = XK_Up,
    [KEY_DOWN] = XK_Down,
    [KEY_HOME] = XK_Home,
    [KEY_END] = XK_End,
    [KEY_PAGE_UP] = XK_Page_Up,
    [KEY_PAGE_DOWN] = XK_Page_Down,
    [KEY_MENU] = XK_Menu,
    [KEY_PRINT] = XK_Print,
    [KEY_PAUSE] = XK_Pause,
    [KEY_CAPS_LOCK] = XK_Caps_Lock,
    [KEY_NUM_LOCK] = XK_Num_Lock,
    [KEY_SCROLL_LOCK] = XK_Scroll_Lock,
    [KEY_HELP] = XK_Help,
    [KEY_VOLUME_UP] = XF86XK_AudioRaiseVolume,
    [KEY_VOLUME_DOWN] = XF86XK_AudioLowerVolume,
    [KEY_MUTE] = XF86XK_AudioMute,
    [KEY_PLAY] = XF86XK_AudioPlay,
    [KEY_NEXT_TRACK] = XF86XK_AudioNext,
    [KEY_PREVIOUS_TRACK] = XF86XK_AudioPrev,
    [KEY_STOP] = XF86XK_AudioStop,
    [KEY_BRIGHTNESS_UP] = XF86XK_MonBrightnessUp,
    [KEY_BRIGHTNESS_DOWN] = XF86XK_MonBrightnessDown,
    [KEY_KP_ENTER] = XK_KP_Enter,
};

static const struct {
    enum modifier modifier;
    KeySym symbols[3]; /* the first one that the keyboard has is used */
    const char *name;
} modifiers[] = {
    { MOD_CTRL, { XK_Control_L, XK_Control_R }, "ctrl" },
    { MOD_ALT, { XK_Alt_L, XK_Alt_R, XK_Meta_L }, "alt" },
    { MOD_SHIFT, { XK_Shift_L, XK_Shift_R }, "shift" },
    { MOD_META, { XK_Super_L, XK_Super_R, XK_Meta_L }, "meta" },
};

static bool no_key(const char *name, struct error *err)
{
    return error_set(err, "unknown_key",
                     "the keyboard of this display has no key \"%s\". Type it as text instead",
                     name);
}

static bool send_modifiers(struct x11_desktop *desktop, const struct keymap *map, unsigned wanted,
                           bool down, struct error *err)
{
    if (wanted & MOD_FN)
        return no_key("fn", err);
    for (size_t n = 0; n < countof(modifiers); n++) {
        size_t i = down ? n : countof(modifiers) - n - 1; /* released in the opposite order */
        KeyCode code = 0;

        if (!(wanted & modifiers[i].modifier))
            continue;
        for (size_t k = 0; k < 3 && !code && modifiers[i].symbols[k]; k++)
            code = keymap_symbol(map, modifiers[i].symbols[k]);
        if (!code)
            return no_key(modifiers[i].name, err);
        x11_key(desktop, code, down);
    }
    return true;
}

bool x11_modifiers(struct x11_desktop *desktop, unsigned wanted, bool down, struct error *err)
{
    const struct keymap *map;

    if (!wanted)
        return true;
    map = keymap_now(desktop, err);
    return map && send_modifiers(desktop, map, wanted, down, err);
}

/* Shortcuts are meant by their letter, whatever its case; "ctrl+shift+t" names shift itself. */
static uint32_t plain_letter(const struct chord *chord)
{
    if (chord->modifiers && chord->point >= 'A' && chord->point <= 'Z')
        return chord->point + ('a' - 'A');
    return chord->point;
}

KeySym x11_symbol(const struct chord *chord)
{
    if (chord->key == KEY_CHARACTER)
        return xkb_utf32_to_keysym(plain_letter(chord));
    if (chord->key >= KEY_F1)
        return XK_F1 + (KeySym)(chord->key - KEY_F1);
    return chord->key == KEY_NONE ? NoSymbol : symbol_of[chord->key];
}

static bool find_stroke(struct x11_desktop *desktop, struct keymap *map, const struct chord *chord,
                        struct stroke *out, struct error *err)
{
    char name[64];
    uint32_t point;

    *out = (struct stroke){ .group = (uint8_t)map->group };
    if (chord->key == KEY_CHARACTER) {
        point = plain_letter(chord);
        *out = keymap_find(map, point);
        if (!out->code) { /* no key of the layout has it: a spare key gets it */
            keymap_fill(desktop, map, &point, 1);
            *out = keymap_find(map, point);
        }
    } else if (chord->key != KEY_NONE) {
        out->code = keymap_symbol(map, x11_symbol(chord));
    }
    if (out->code || chord->key == KEY_NONE)
        return true;
    chord_print(chord, name, sizeof name);
    return no_key(name, err);
}

/* Sends the modifiers that a character needs on this layout ("+" is shift+"=" on many), without
 * those that the chord names. */
static void send_level(struct x11_desktop *desktop, const struct keymap *map, struct stroke stroke,
                       unsigned said, bool down)
{
    for (int bit = 0; bit < 8; bit++) {
        bool there = bit == ShiftMapIndex && (said & MOD_SHIFT);

        if ((stroke.modifiers >> bit & 1) && !there)
            x11_key(desktop, map->modifier_code[bit], down);
    }
}

/* Presses the keys once. */
static bool press_down(struct x11_desktop *desktop, const struct keymap *map,
                       const struct chord *chord, struct stroke stroke, struct error *err)
{
    if (!send_modifiers(desktop, map, chord->modifiers, true, err))
        return false;
    send_level(desktop, map, stroke, chord->modifiers, true);
    if (stroke.code)
        x11_key(desktop, stroke.code, true);
    return true;
}

static bool let_up(struct x11_desktop *desktop, const struct keymap *map, const struct chord *chord,
                   struct stroke stroke, struct error *err)
{
    if (stroke.code)
        x11_key(desktop, stroke.code, false);
    send_level(desktop, map, stroke, chord->modifiers, false);
    return send_modifiers(desktop, map, chord->modifiers, false, err);
}

/* Presses them once more while the modifiers are held. */
static bool press_again(struct x11_desktop *desktop, const struct input *input,
                        struct stroke stroke, struct error *err)
{
    x11_key(desktop, stroke.code, false);
    if (!judged_hold_keys(desktop, input->judged, err))
        return judged_sent_in_part(err);
    x11_key(desktop, stroke.code, true);
    judged_let_go(desktop);
    return true;
}

/* Keeps the keys down for that long: the server repeats them. They are let go as soon as another
 * window has the keyboard. */
static bool keep_down(struct x11_desktop *desktop, struct deadline *deadline,
                      const struct input *input, struct error *err)
{
    for (uint64_t left = input->ms; left;) {
        uint64_t part = left < HELD_LOOK_MS ? left : HELD_LOOK_MS;

        if (!x11_pause(desktop, deadline, part, err))
            return false;
        if (!judged_hold_keys(desktop, input->judged, err))
            return judged_sent_in_part(err);
        judged_let_go(desktop);
        left -= part;
    }
    return true;
}

static bool press_stroke(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct keymap *map, const struct input *input, struct stroke stroke,
                         struct error *err)
{
    const struct chord *chord = &input->chord;
    int count = input->count && input->kind == INPUT_KEYS && stroke.code ? input->count : 1;
    bool ok = true;

    if (input->kind == INPUT_KEY_UP)
        return let_up(desktop, map, chord, stroke, err);
    if (!judged_hold_keys(desktop, input->judged, err))
        return false;
    ok = press_down(desktop, map, chord, stroke, err);
    judged_let_go(desktop);
    for (int i = 0; ok && input->kind == INPUT_KEYS && i < count; i++)
        ok = (!i || press_again(desktop, input, stroke, err)) &&
             keep_down(desktop, deadline, input, err);
    return ok && (input->kind == INPUT_KEY_DOWN || let_up(desktop, map, chord, stroke, err));
}

static bool is_panic(const struct chord *chord)
{
    return chord->key == KEY_ESCAPE && (chord->modifiers & MOD_CTRL) &&
           (chord->modifiers & MOD_ALT);
}

bool x11_chord(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
               struct input_outcome *out, struct error *err)
{
    struct keymap *map;
    struct stroke stroke;
    bool ok;

    if (is_panic(&input->chord))
        return error_set(err, "reserved_key",
                         "Ctrl+Alt+Esc is reserved for the user, who stops input with it. Use "
                         "another key combination");
    map = keymap_now(desktop, err);
    if (!map)
        return false;
    ok = find_stroke(desktop, map, &input->chord, &stroke, err);
    if (ok && stroke.code && stroke.group != map->group)
        XkbLockGroup(desktop->display, XkbUseCoreKbd, stroke.group);
    ok = ok && press_stroke(desktop, deadline, map, input, stroke, err);
    if (stroke.code && stroke.group != map->group)
        XkbLockGroup(desktop->display, XkbUseCoreKbd, map->group);
    if (!ok)
        return false;
    if (input->kind == INPUT_KEYS)
        return x11_settle(desktop, deadline, KEYS_SETTLE_MS, &out->settled, err);
    return x11_step(desktop, deadline, err);
}
