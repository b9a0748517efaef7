/* Displays, for the other files of this backend. */
#ifndef PERIGEE_PLATFORM_MACOS_DISPLAYS_H
#define PERIGEE_PLATFORM_MACOS_DISPLAYS_H

#include "platform/macos/macos.h"

bool macos_display_list(struct macos_desktop *desktop, struct deadline *deadline,
                        struct display_list *out, struct error *err);

#endif
