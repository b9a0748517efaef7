/* Keys of every keyboard as they go down and up, whoever gets them: the XInput extension's raw
 * events (inputproto 2.1, "Raw Events"). */
#ifndef PERIGEE_PLATFORM_X11_INPUT_RAW_KEYS_H
#define PERIGEE_PLATFORM_X11_INPUT_RAW_KEYS_H

#include "platform/x11/wire/x11.h"

struct raw_key {
    unsigned code; /* a key code */
    bool down;
};

/* From now on they come among the events of this connection, ours and the user's; never where the
 * server lacks the extension. */
void raw_keys_select(struct x11_desktop *desktop);

/* True and the key when the event is one. Any event may be asked about, once. */
bool raw_keys_take(struct x11_desktop *desktop, XEvent *event, struct raw_key *out);

#endif
