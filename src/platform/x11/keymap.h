/* The keyboard's map: which key makes which character. */
#ifndef PERIGEE_PLATFORM_X11_KEYMAP_H
#define PERIGEE_PLATFORM_X11_KEYMAP_H

#include <X11/XKBlib.h>

#include "platform/x11/x11.h"

enum { SPARES_MAX = 64, LEVELS_MAX = 8 };

/* How a character is typed: this key, with these modifiers (X's bits), in this group. */
struct stroke {
    KeyCode code; /* 0: there is no such key */
    uint8_t group;
    uint8_t modifiers;
};

/* The keyboard as it is now; read anew for every text and chord. */
struct keymap {
    XkbDescPtr xkb;
    XkbStateRec state;
    unsigned group;           /* in effect */
    KeyCode modifier_code[8]; /* a key for each modifier bit; 0: none */
    KeyCode spares[SPARES_MAX];
    int spare_count;
    uint32_t spare_point[SPARES_MAX]; /* what we put there; 0: nothing */
    struct key_slot {
        uint32_t point; /* 0: free */
        struct stroke stroke;
    } * slots; /* a hash table of what can be typed */
    size_t slot_mask;
};

bool keymap_load(struct x11_desktop *desktop, struct keymap *map, struct error *err);
void keymap_free(struct keymap *map);
struct stroke keymap_find(const struct keymap *map, uint32_t point);
KeyCode keymap_symbol(const struct keymap *map, KeySym symbol);
/* Gives spare keys these characters (at most spare_count) in one request. */
void keymap_fill(struct x11_desktop *desktop, struct keymap *map, const uint32_t *points,
                 int count);
/* Empties the spare keys this connection filled. */
void keymap_restore(struct x11_desktop *desktop);

#endif
