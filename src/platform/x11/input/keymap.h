/* The keyboard's map: which key makes which character. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_KEYMAP_H
#define PERIGEE_PLATFORM_X11_INPUT_KEYMAP_H

#include <X11/XKBlib.h>

#include "platform/x11/wire/x11.h"

enum { SPARES_MAX = 64, LEVELS_MAX = 8 };

/* How a character is typed: this key, with these modifiers (X's bits), in this group. */
struct stroke {
    KeyCode code; /* 0: there is no such key */
    uint8_t group;
    uint8_t modifiers;
};

/* The keyboard's present map. */
struct keymap {
    XkbDescPtr xkb;
    XkbStateRec state;
    unsigned group;           /* in effect */
    bool stale;               /* an event has told of another map since it was read */
    KeyCode modifier_code[8]; /* a key for each modifier bit; 0: none */
    KeyCode spares[SPARES_MAX];
    int spare_count;
    uint32_t spare_point[SPARES_MAX]; /* our characters on the spare keys; 0: empty */
    struct key_slot {
        uint32_t point; /* 0: free */
        struct stroke stroke;
    } * slots; /* a hash table of the characters that can be typed */
    size_t slot_mask;
};

/* Asks for the events that report changes; called once, before the first keymap_now(). */
void keymap_select(struct x11_desktop *desktop);
void keymap_event(struct x11_desktop *desktop, XEvent *event);
/* The connection keeps the map and reads it again after an event of a change. It always asks for
 * the keyboard's state: events that the server sent before that answer have arrived with it. Good
 * until the next call. NULL: "not_supported" or "display_lost". */
struct keymap *keymap_now(struct x11_desktop *desktop, struct error *err);
void keymap_free(struct keymap *map); /* accepts NULL */
struct stroke keymap_find(const struct keymap *map, uint32_t point);
KeyCode keymap_symbol(const struct keymap *map, KeySym symbol);
/* Gives spare keys these characters (at most spare_count) in one request. */
void keymap_fill(struct x11_desktop *desktop, struct keymap *map, const uint32_t *points,
                 int count);
/* Empties the spare keys that this connection filled. */
void keymap_restore(struct x11_desktop *desktop);

#endif
