/* The inside of input: what is held, and what sends. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_INPUT_H
#define PERIGEE_PLATFORM_X11_INPUT_INPUT_H

#include "platform/x11/input/grab.h"
#include "platform/x11/input/still.h"
#include "platform/x11/windows/effects.h"

struct x11_input {
    void (*panic)(void *arg);
    void *panic_arg;
    uint8_t keys[32]; /* held by this connection, a bit each */
    uint8_t buttons[32];
    uint8_t seen[32]; /* down as the user and others press them (raw events) */
    KeyCode escape, insert, controls[2], alts[2];
    uint8_t shortcuts[32]; /* keys that make shortcuts of letters: Ctrl, Alt, Super, Meta */
    uint8_t filled[32];    /* spare keys that we gave a character, to be emptied at the end */
    bool unread;           /* nobody has said that the last text was taken */
    struct point aim;      /* where on the root window the last action moved the pointer */
    bool aimed;            /* it did */
    uint64_t clicked; /* when the pointer was used, if nobody asked since who holds it; else 0 */
    bool diverted;    /* somebody else holds the keyboard: */
    struct grab_holder holder; /* this one, if it is known */
    uint64_t menu_due; /* a right click was sent, whose menu may come until then; 0: none, or it was
                          seen */
    uint64_t popup_due;  /* a click was sent, which may open a popup until then; 0: none was */
    bool click_unproven; /* a click was sent, and the application has not answered twice since */
    uint64_t answer_ms;  /* that the last answer to a ping took */
    size_t sent;
    struct x11_effects effects;
    struct x11_still still;
    Window pinged;      /* the last that was asked for its protocols; None: none yet */
    struct keymap *map; /* owned; NULL: not read yet */
    int xkb_event;      /* the type of XKB's events; 0: it has none */
};

void x11_input_event(struct x11_desktop *desktop, XEvent *event);
/* Lets go of what is held, too. */
void x11_input_free(struct x11_desktop *desktop);

/* Of what input.c has made: nothing is sent before its first operation. */
void x11_motion(struct x11_desktop *desktop, struct point root);
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

/* text.c, paste.c, keys.c, pointer.c */
bool x11_type(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
              struct input_outcome *out, struct error *err);
bool x11_paste(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
               struct input_outcome *out, struct error *err);
bool x11_chord(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
               struct input_outcome *out, struct error *err);
bool x11_pointer(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
                 struct input_outcome *out, struct error *err);
/* Where the pointer is, once the server has done what was sent to it; or, where something holds it
 * elsewhere, after a while. */
bool x11_await_pointer(struct x11_desktop *desktop, struct deadline *deadline, struct point *out,
                       struct error *err);
/* The symbol of a chord's key; NoSymbol: it has none, or is only modifiers. */
KeySym x11_symbol(const struct chord *chord);
/* Presses (or releases) the keys of modifiers. */
bool x11_modifiers(struct x11_desktop *desktop, unsigned modifiers, bool down, struct error *err);

/* emergency.c: the same keys and buttons, let go from a handler of fatal signals. */
void emergency_open(void);
void emergency_note(bool button, unsigned code, bool down);
void emergency_release(void);

#endif
