/* The inside of input: the keys and buttons that are held, and the functions that send. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_INPUT_H
#define PERIGEE_PLATFORM_X11_INPUT_INPUT_H

#include "platform/x11/input/grab.h"
#include "platform/x11/windows/effects.h"

struct x11_drop;

struct x11_input {
    void (*panic)(void *arg);
    void *panic_arg;
    uint8_t keys[32]; /* held by this connection, a bit each */
    uint8_t buttons[32];
    uint8_t seen[32]; /* down as the user and others press them (raw events) */
    KeyCode escape, insert, controls[2], alts[2];
    uint8_t shortcuts[32]; /* keys that make shortcuts of letters: Ctrl, Alt, Super, Meta */
    uint8_t filled[32];    /* spare keys that we gave a character, to be emptied at the end */
    bool unread;           /* no answer has confirmed the last text */
    struct point aim;      /* where on the root window the last action moved the pointer */
    bool aimed;            /* the last action moved the pointer */
    uint64_t clicked;      /* time of the last use of the pointer, if grabs have not been asked for
                              since; else 0 */
    bool diverted;         /* another client holds the keyboard */
    struct grab_holder holder; /* that client, if it is known */
    uint64_t menu_due;  /* until then a right click's menu may come; 0: none is due, or it came */
    uint64_t popup_due; /* until then a click's popup may come; 0: none is due */
    bool keys_sent; /* keys were sent, and settle.c has not looked since whether they are taken */
    bool known_qt;  /* the process known_pid uses Qt */
    int known_pid;
    bool click_unproven; /* a click was sent, and the application has not answered twice since */
    uint64_t answer_ms;  /* duration of the last answer to a ping */
    size_t sent;
    struct x11_effects effects;
    struct x11_drop *drop; /* the drop under way; NULL: none */
    Window pinged;         /* the window whose protocols were asked for last; None: none yet */
    struct keymap *map;    /* owned; NULL: not read yet */
    int xkb_event;         /* the type of XKB's events; 0: it has none */
};

/* Each operation makes the state that it needs. */
extern const struct input_ops x11_input_ops;

void x11_input_event(struct x11_desktop *desktop, XEvent *event);
/* Frees the input after it let go of what is held. */
void x11_input_free(struct x11_desktop *desktop);

/* Each of these needs the state that input.c makes: nothing is sent before its first operation. */
void x11_motion(struct x11_desktop *desktop, struct point root);
void x11_key(struct x11_desktop *desktop, KeyCode code, bool down);
void x11_button(struct x11_desktop *desktop, unsigned button, bool down);
/* Waits `ms`, serving events; false when the input has to end. */
bool x11_pause(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms,
               struct error *err);
/* Sends what is buffered and checks for a stop. */
bool x11_step(struct x11_desktop *desktop, struct deadline *deadline, struct error *err);
/* True if a key of shortcuts is down that we did not press. */
bool x11_shortcut_held(struct x11_desktop *desktop);
/* settle.c: waits until the focused application has taken all events so far; *settled: it has
 * confirmed that within `ms` (0: the time of the deadline), and not lost the focus meanwhile. */
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
/* drop.c */
bool x11_drop(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
              struct input_outcome *out, struct error *err);
void x11_drop_event(struct x11_desktop *desktop, const XClientMessageEvent *event);
/* Waits until the server has done what was sent to it, and returns the pointer's place; if
 * something holds the pointer elsewhere, after a while. */
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
