/* The private folders by which the processes of a user find one another: sockets of engines, and
 * what holds for a whole desktop. */
#ifndef PERIGEE_PROCESS_RUNTIME_FOLDERS_H
#define PERIGEE_PROCESS_RUNTIME_FOLDERS_H

#include "base/util.h"

enum { RUNTIME_FOLDERS_MAX = 3 };

/* As this process's environment has them, best first, whether they exist or not:
 * $PERIGEE_RUNTIME_DIR alone, or below $XDG_RUNTIME_DIR, /run/user/UID and /tmp. A process that was
 * started with another environment is in another of them. Gives their number; free() each. */
size_t runtime_folders(char *folders[RUNTIME_FOLDERS_MAX]);

/* Those that are the same for every process of the user, whatever its environment says:
 * /run/user/UID/perigee and /tmp/perigee-UID. */
size_t runtime_shared_folders(char *folders[RUNTIME_FOLDERS_MAX]);

/* Is it a folder of ours that nobody else may enter? */
bool runtime_folder_safe(const char *path);

/* The same, after making it if it is not there. */
bool runtime_folder_make(const char *path);

#endif
