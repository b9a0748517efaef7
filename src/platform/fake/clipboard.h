/* The content of the fake's clipboard. */
#ifndef PERIGEE_PLATFORM_FAKE_CLIPBOARD_H
#define PERIGEE_PLATFORM_FAKE_CLIPBOARD_H

#include "platform/fake/world.h"

/* Puts the content that an application copied on the clipboard, and takes it. With the lock
 * held. */
void fake_put_clip(struct fake *fake, struct clip *clip);

#endif
