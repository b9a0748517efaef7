/* Frees lists of applications, for AppKit's as for a test's. */
#include <stdlib.h>

#include "platform/macos/system/appkit.h"

void appkit_app_free(struct appkit_app *app)
{
    free(app->name);
    free(app->id);
    free(app->bundle);
    *app = (struct appkit_app){ 0 };
}

void appkit_apps_free(struct appkit_apps *apps)
{
    for (size_t i = 0; i < apps->count; i++)
        appkit_app_free(&apps->items[i]);
    free(apps->items);
    *apps = (struct appkit_apps){ 0 };
}
