/* What is on the fake's clipboard. */
#ifndef PERIGEE_PLATFORM_FAKE_CLIPBOARD_H
#define PERIGEE_PLATFORM_FAKE_CLIPBOARD_H

#include "platform/fake/world.h"

/* An application copied this; takes its content. With the lock held. */
void fake_put_clip(struct fake *fake, struct clip *clip);

#endif
