/* The options with which Chromium's family reports its elements. */
#ifndef PERIGEE_PLATFORM_FREEDESKTOP_CHROMIUM_H
#define PERIGEE_PLATFORM_FREEDESKTOP_CHROMIUM_H

/* Takes argv (NULL-terminated) and gives it back, with the option behind the program if that is one
 * of the family: by its name, or by Chromium's resources beside it, as every application made with
 * Electron has them. The program may be started by env or by flatpak. */
char **chromium_argv(char **argv);

#endif
