/* Starts a program that is to outlive us. */
#ifndef PERIGEE_PLATFORM_FREEDESKTOP_LAUNCH_H
#define PERIGEE_PLATFORM_FREEDESKTOP_LAUNCH_H

#include "base/error.h"

#define LAUNCH_ID "perigee-" /* the beginning of our startup ids */

/* Starts argv (argv[0] by PATH) in a session of its own, not as our child, its input and output
 * on /dev/null. folder "" or NULL: ours. Its environment is ours with DESKTOP_STARTUP_ID, and with
 * what makes its toolkit tell of its elements: gail and atk-bridge, which are added to GTK_MODULES,
 * QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 unless that is set, and in JAVA_TOOL_OPTIONS Java's wrapper,
 * if that is installed. Returns its process id, 0 with "launch_failed". Any thread. */
int launch(char *const argv[], const char *folder, const char *startup_id, struct error *err);

/* True if the process was started, in any way, from the one with this startup id. */
bool launched_with(int pid, const char *startup_id);

/* True if the process is one that this program started itself, in this run or another. */
bool launched_here(int pid);

#endif
