/* What has to be so before text is sent, and what is asked after it: struct input_still.
 *
 * The questions go to an application over D-Bus. They are sent as early as can be, and their
 * answers are awaited as late. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_STILL_H
#define PERIGEE_PLATFORM_X11_INPUT_STILL_H

#include "platform/x11/wire/x11.h"

struct bus_asked;

struct x11_still {
    const struct input_still *wanted; /* NULL: nothing */
    struct bus_asked *asked;          /* NULL: no answers are awaited */
    bool all_sent;                    /* the last key was */
    bool then_asked;
};

/* Sends the question of before. */
void still_begin(struct x11_still *still, const struct input_still *wanted);
/* Right before the first key: whether it is so. False: "changed". */
bool still_holds(struct x11_still *still, Window receiver, struct error *err);
/* After the last key: sends the other question, unless it was sent. */
void still_then(struct x11_still *still);
/* Takes its answers; also after a failure. */
void still_end(struct x11_still *still);

#endif
