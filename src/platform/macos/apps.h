/* Applications, for the other files of this backend. */
#ifndef PERIGEE_PLATFORM_MACOS_APPS_H
#define PERIGEE_PLATFORM_MACOS_APPS_H

#include "platform/macos/macos.h"
#include "platform/macos/system/appkit.h"

/* Of one that runs; its windows are among these. */
void macos_app_describe(const struct appkit_app *app, const struct window_list *windows,
                        struct app_info *out);

#endif
