/* The inside of the macOS backend: the part of a connection that its files share.
 *
 * It is all C. system/ makes functions of the parts of macOS: it knows nothing of a connection, and
 * its appkit.h and sckit.h hide the parts that only Objective-C can reach. */
#ifndef PERIGEE_PLATFORM_MACOS_MACOS_H
#define PERIGEE_PLATFORM_MACOS_MACOS_H

#include "platform/platform.h"

struct macos_input;
struct macos_clipboard;
struct macos_watch;

struct macos_desktop {
    _Atomic bool dead;                 /* given up: a call of it hung */
    struct macos_input *input;         /* made by the first input */
    struct macos_clipboard *clipboard; /* made by the first use */
    bool hears;                        /* macos_elements_free() ends it */
    struct macos_watch *watch;         /* NULL: the connection does not watch. watch.c */
};

/* The connection behind the handle that an operation is given. */
static inline struct macos_desktop *macos_of(struct desktop *handle)
{
    return (struct macos_desktop *)handle;
}

#endif
