/* Keys of every keyboard as they go down and up, whichever client gets them: the XInput extension's
 * raw events (inputproto 2.1, "Raw Events"). */
#ifndef PERIGEE_PLATFORM_X11_INPUT_RAW_KEYS_H
#define PERIGEE_PLATFORM_X11_INPUT_RAW_KEYS_H

#include "platform/x11/wire/x11.h"

struct raw_key {
    unsigned code; /* a key code */
    bool down;
};

/* Adds raw keys, ours and the user's, to the events of this connection; does nothing if the server
 * lacks the extension. */
void raw_keys_select(struct x11_desktop *desktop);

/* True if the event is a raw key, which is put into *out. Any event may be asked about, once. */
bool raw_keys_take(struct x11_desktop *desktop, XEvent *event, struct raw_key *out);

#endif
