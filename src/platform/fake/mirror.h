/* The fake as a copy of another desktop, for dry runs.
 *
 * The copy is taken when the first connection is opened: displays, applications, windows, and the
 * text on the clipboard. The elements of an application and the list of what is installed follow
 * when they are first asked for, and pictures are taken of the other desktop. Reading changes
 * nothing there, and nothing else is ever asked of it. Everything here with the lock held. */
#ifndef PERIGEE_PLATFORM_FAKE_MIRROR_H
#define PERIGEE_PLATFORM_FAKE_MIRROR_H

#include "platform/fake/world.h"

struct fake_mirror {
    const struct platform_ops *real;
    void *shared;                   /* of the other desktop's connections; owned, or NULL */
    struct desktop *desktop;        /* NULL: not open. Used with the lock held */
    _Atomic(struct desktop *) busy; /* while an operation runs, for fake_mirror_interrupt() */
    bool filled, knows_installed;
    struct platform_ops ops; /* the fake's, with what the other one needs of the main thread */
    struct element_ops elements;
};

/* Once: what there is. False: err says why the other desktop cannot be read. */
bool fake_mirror_fill(struct fake *fake, struct error *err);

/* Once: the applications that could be opened. */
void fake_mirror_installed(struct fake *fake);

/* Once for each application: the elements in all of its windows. */
void fake_mirror_elements(struct fake *fake, struct fake_app *app);

/* A picture of the other desktop as it is now. What exists only in the copy has none. */
bool fake_mirror_capture(struct fake *fake, struct deadline *deadline, const struct capture *what,
                         struct picture *out, struct error *err);

/* On any thread, without the lock: ends the operation that runs. */
void fake_mirror_interrupt(struct fake *fake);

/* The connection to the other desktop, for operations until fake_mirror_close(). NULL: err. */
struct desktop *fake_mirror_open(struct fake_mirror *mirror, struct error *err);
void fake_mirror_close(struct fake_mirror *mirror);

void fake_mirror_free(struct fake_mirror *mirror); /* NULL is fine */

#endif
