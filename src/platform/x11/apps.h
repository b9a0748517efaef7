/* The inside of applications: declarations that listing and opening share. */
#ifndef PERIGEE_PLATFORM_X11_APPS_H
#define PERIGEE_PLATFORM_X11_APPS_H

#include "platform/x11/wire/x11.h"

/* Describes the application of a window, without its fields windows, active and hidden. */
void app_describe(struct x11_desktop *desktop, const struct window_info *window,
                  struct app_info *out);

/* Counts the application's windows in the list. */
void app_count_windows(const struct window_list *windows, struct app_info *app);

/* app_open.c */
bool x11_app_open(struct desktop *handle, struct deadline *deadline, const struct app_open *what,
                  struct app_opened *out, struct error *err);

#endif
