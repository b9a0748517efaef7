/* The clipboard's history, between operations. */
#ifndef PERIGEE_PLATFORM_MACOS_CLIPBOARD_H
#define PERIGEE_PLATFORM_MACOS_CLIPBOARD_H

#include "platform/macos/macos.h"

/* Checks for a new copy, when a history is kept. */
void macos_clipboard_idle(struct macos_desktop *desktop);
bool macos_clipboard_watches(const struct macos_desktop *desktop);
void macos_clipboard_free(struct macos_desktop *desktop);

#endif
