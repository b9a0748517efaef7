/* Key chords by name: "ctrl+shift+t", "cmd+c", "F5", "alt++".
 *
 * `cmd` is the key that shortcuts go by: Command on a Mac, Control elsewhere. */
#ifndef PERIGEE_PLATFORM_CHORD_H
#define PERIGEE_PLATFORM_CHORD_H

#include "base/error.h"

enum modifier {
    MOD_SHIFT = 1 << 0,
    MOD_CTRL = 1 << 1,
    MOD_ALT = 1 << 2,  /* option */
    MOD_META = 1 << 3, /* super, win; Command on a Mac */
    MOD_FN = 1 << 4,   /* a key of Macs only */
};

/* Keys that are not a character. Letters and signs are given by their code point. */
enum key {
    KEY_CHARACTER, /* chord.point */
    KEY_NONE,      /* only modifiers */
    KEY_RETURN,
    KEY_TAB,
    KEY_ESCAPE,
    KEY_BACKSPACE,
    KEY_DELETE,
    KEY_INSERT,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_MENU,
    KEY_PRINT,
    KEY_PAUSE,
    KEY_CAPS_LOCK,
    KEY_NUM_LOCK,
    KEY_SCROLL_LOCK,
    KEY_HELP,
    KEY_VOLUME_UP,
    KEY_VOLUME_DOWN,
    KEY_MUTE,
    KEY_PLAY,
    KEY_NEXT_TRACK,
    KEY_PREVIOUS_TRACK,
    KEY_STOP,
    KEY_BRIGHTNESS_UP,
    KEY_BRIGHTNESS_DOWN,
    KEY_KP_ENTER,
    KEY_F1, /* F1 to F24 follow each other */
    KEY_F24 = KEY_F1 + 23,
};

struct chord {
    unsigned modifiers; /* enum modifier */
    enum key key;
    uint32_t point; /* the character of KEY_CHARACTER */
};

/* Names are separated by "+"; case does not matter. "unknown_key" names the part that is not a key,
 * and similar names. */
bool chord_parse(const char *text, struct chord *chord, struct error *err);

/* Writes "ctrl+shift+t"; cut at size. */
void chord_print(const struct chord *chord, char *out, size_t size);

#endif
