/* The inside of input: declarations that its files share. */
#ifndef PERIGEE_PLATFORM_MACOS_INPUT_H
#define PERIGEE_PLATFORM_MACOS_INPUT_H

#include "platform/macos/macos.h"
#include "platform/macos/system/cf.h"

enum { KEYCODES = 128 };

struct tap;

struct macos_input {
    CGEventSourceRef source;
    bool keys[KEYCODES]; /* down, by us */
    unsigned buttons;    /* bit i: enum input_button i is down */
    CGEventFlags flags;  /* the flags of the modifiers that are down by us */
    CGPoint pointer;     /* where our last event put it */
    size_t sent;         /* number of events of this call */
    struct tap *panic;   /* NULL: the panic key is not listened for */
    void (*hit)(void *arg);
    void *hit_arg; /* borrowed */
};

/* Posts one event, ends its reference, and counts it. NULL (out of memory in the window server's
 * library) is ignored. */
void input_post(struct macos_input *input, CGEventRef event ENDS_REF);

/* Sends a key by its virtual code (kVK_*), with the flags that are held now. */
void input_key(struct macos_input *input, unsigned code, bool down);
void input_button(struct macos_input *input, enum input_button button, bool down, int64_t clicks);
void input_pointer(struct macos_input *input, CGPoint at);
/* The pointer's place according to the system. */
CGPoint input_pointer_now(void);

/* Each kind of input has a file of its own; text has passed input_text_ok(). */
bool macos_chord(struct macos_desktop *desktop, struct deadline *deadline, const struct input *what,
                 struct error *err);
bool macos_type(struct macos_desktop *desktop, struct deadline *deadline, const struct input *what,
                struct input_outcome *out, struct error *err);
bool macos_paste(struct macos_desktop *desktop, struct deadline *deadline, const struct input *what,
                 struct input_outcome *out, struct error *err);
bool macos_pointer(struct macos_desktop *desktop, struct deadline *deadline,
                   const struct input *what, struct error *err);

/* Notes the characters of the user's present keyboard. On the main thread. */
void keys_note_layouts(void);
/* The character of a key without modifiers, in the noted layout; 0: none. */
uint32_t keys_character(unsigned code);
/* The key of a chord by its virtual code, in the noted layout, and the modifiers that it needs
 * besides (Shift, for its character). "unknown_key": there is none, or the system handles it. */
bool keys_code(const struct chord *chord, unsigned *code, unsigned *modifiers, struct error *err);

/* Presses and lets go of the modifiers; the bits are enum modifier. */
void input_modifiers(struct macos_input *input, unsigned modifiers, bool down);
/* The flags of the modifiers that are down. */
CGEventFlags input_flags(const struct macos_input *input);

/* Notes a key or button that goes down or up by us, for a handler of fatal signals and for the
 * guard: `code` is a key's, or enum input_button. */
void input_held(bool button, unsigned code, bool down);

/* Lets go of all that is held, from such a handler. */
void input_release_in_signal(void);

void macos_input_free(struct macos_desktop *desktop);

#endif
