/* The inside of input: what is held, the keymap, and what sends. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_H
#define PERIGEE_PLATFORM_X11_INPUT_H

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

struct x11_input {
    void (*panic)(void *arg);
    void *panic_arg;
    uint8_t keys[32]; /* held by this connection, a bit each */
    uint8_t buttons[32];
    uint8_t seen[32]; /* down as the user and others press them (raw events) */
    KeyCode escape, controls[2], alts[2];
    uint8_t shortcuts[32]; /* keys that make shortcuts of letters: Ctrl, Alt, Super, Meta */
    uint8_t filled[32];    /* spare keys that we gave a character, to be emptied at the end */
    bool unread;           /* nobody has said that the last text was taken */
    size_t sent;
};

/* input.c: made when first used. */
bool x11_input_begin(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);
void x11_key(struct x11_desktop *desktop, KeyCode code, bool down);
void x11_button(struct x11_desktop *desktop, unsigned button, bool down);
/* Waits `ms`, serving events; false when the input has to end. */
bool x11_pause(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms,
               struct error *err);
/* Sends what is buffered and looks for a stop. */
bool x11_step(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);
/* Whether a key of shortcuts is down that somebody else pressed. */
bool x11_shortcut_held(struct x11_desktop *desktop);
/* Waits until the focused application has taken all events so far; *settled tells whether it has
 * said so within `ms` (0: the time of the deadline), and not lost the focus meanwhile. */
bool x11_settle(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms, bool *settled,
                struct error *err);

/* keymap.c */
bool keymap_load(struct x11_desktop *desktop, struct keymap *map, struct error *err);
void keymap_free(struct keymap *map);
struct stroke keymap_find(const struct keymap *map, uint32_t point);
KeyCode keymap_symbol(const struct keymap *map, KeySym symbol);
/* Gives spare keys these characters (at most spare_count) in one request. */
void keymap_fill(struct x11_desktop *desktop, struct keymap *map, const uint32_t *points,
                 int count);
/* Empties the spare keys this connection filled. */
void keymap_restore(struct x11_desktop *desktop);

/* text.c, paste.c, keys.c, pointer.c */
bool x11_type(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
              struct input_outcome *out, struct error *err);
bool x11_paste(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
               struct input_outcome *out, struct error *err);
bool x11_chord(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
               struct input_outcome *out, struct error *err);
bool x11_pointer(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
                 struct input_outcome *out, struct error *err);
/* Presses (or releases) the keys of modifiers. */
bool x11_modifiers(struct x11_desktop *desktop, unsigned modifiers, bool down, struct error *err);

/* emergency.c: the same keys and buttons, let go from a handler of fatal signals. */
void emergency_open(struct x11_desktop *desktop);
void emergency_note(bool button, unsigned code, bool down);
void emergency_release(void);

#endif
