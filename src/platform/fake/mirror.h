/* The fake as a copy of another desktop, for dry runs.
 *
 * The copy is taken when the first connection is opened: displays, applications, windows, and the
 * text on the clipboard. The elements of an application and the list of installed applications
 * follow when they are first asked for, and pictures are taken of the other desktop. Reading
 * changes nothing there, and no other requests go to it. All functions are called with the lock
 * held, unless they say otherwise. */
#ifndef PERIGEE_PLATFORM_FAKE_MIRROR_H
#define PERIGEE_PLATFORM_FAKE_MIRROR_H

#include "platform/fake/world.h"

struct fake_mirror {
    const struct platform_ops *real;
    void *shared;                   /* for the other desktop's connections; owned, or NULL */
    struct desktop *desktop;        /* NULL: not open. Used with the lock held */
    _Atomic(struct desktop *) busy; /* while an operation runs, for fake_mirror_interrupt() */
    bool filled, knows_installed;
    struct platform_ops ops; /* the fake's, with the other one's functions for the main thread */
    struct element_ops elements;
};

/* Copies the desktop, once. False: err says why the other desktop cannot be read. */
bool fake_mirror_fill(struct fake *fake, struct error *err);

/* Copies the list of installed applications, once. */
void fake_mirror_installed(struct fake *fake);

/* Copies the elements in all windows of the application, once for each. */
void fake_mirror_elements(struct fake *fake, struct fake_app *app);

/* Takes a picture of the other desktop as it is now. A window that exists only in the copy has
 * none. */
bool fake_mirror_capture(struct fake *fake, struct deadline *deadline, const struct capture *what,
                         struct picture *out, struct error *err);

/* Ends the operation that runs; on any thread, without the lock. */
void fake_mirror_interrupt(struct fake *fake);

/* The connection to the other desktop, for operations until fake_mirror_close(). NULL: err. */
struct desktop *fake_mirror_open(struct fake_mirror *mirror, struct error *err);
void fake_mirror_close(struct fake_mirror *mirror);

void fake_mirror_free(struct fake_mirror *mirror); /* NULL is fine */

#endif
