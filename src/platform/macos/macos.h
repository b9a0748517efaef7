/* The inside of the macOS backend: what its files share of a connection.
 *
 * C throughout. system/ makes functions of what macOS offers: it knows nothing of a connection, and
 * what only Objective-C can reach is behind its appkit.h and sckit.h. */
#ifndef PERIGEE_PLATFORM_MACOS_MACOS_H
#define PERIGEE_PLATFORM_MACOS_MACOS_H

#include "platform/platform.h"

struct macos_input;
struct macos_clipboard;
struct macos_watch;

struct macos_desktop {
    _Atomic bool dead;                 /* interrupted: a call of it hung */
    struct macos_input *input;         /* from the first input on */
    struct macos_clipboard *clipboard; /* from the first use on */
    bool hears;                        /* macos_elements_free() ends it */
    struct macos_watch *watch;         /* NULL: it does not watch. watch.c */
};

/* What is behind the handle that an operation is given. */
static inline struct macos_desktop *macos_of(struct desktop *handle)
{
    return (struct macos_desktop *)handle;
}

#endif
