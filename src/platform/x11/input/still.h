/* Checks a condition before text is sent, and asks a question after it: struct input_still.
 *
 * The questions go to an application over D-Bus. They are sent as early as possible, and their
 * answers are awaited as late as possible. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_STILL_H
#define PERIGEE_PLATFORM_X11_INPUT_STILL_H

#include "platform/x11/wire/x11.h"

struct bus_asked;

struct x11_still {
    const struct input_still *wanted; /* NULL: no condition */
    struct bus_asked *asked;          /* NULL: no answers are awaited */
    bool all_sent;                    /* the last key was sent */
    bool then_asked;
};

/* Sends the question that is due before the text. */
void still_begin(struct x11_still *still, const struct input_still *wanted);
/* Checks the condition right before the first key. False: "changed". */
bool still_holds(struct x11_still *still, Window receiver, struct error *err);
/* Sends the question that is due after the last key, unless it was sent. */
void still_then(struct x11_still *still);
/* Takes the answers to it; called even after a failure. */
void still_end(struct x11_still *still);

#endif
