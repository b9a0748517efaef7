/* Applications, for the other files of this backend. */
#ifndef PERIGEE_PLATFORM_MACOS_APPS_H
#define PERIGEE_PLATFORM_MACOS_APPS_H

#include "platform/macos/macos.h"
#include "platform/macos/system/appkit.h"

/* Describes a running application; its windows are counted in the list. */
void macos_app_describe(const struct appkit_app *app, const struct window_list *windows,
                        struct app_info *out);

#endif
