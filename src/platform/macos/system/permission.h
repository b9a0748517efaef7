/* The permissions that the user must have granted, checked without asking for them.
 *
 * macOS charges a grant to the responsible process: the terminal, editor or client that started
 * this program, unless it was started on its own. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_PERMISSION_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_PERMISSION_H

#include "platform/platform.h"

/* True if it is granted; false with permission_denied(). Automation is granted for each target:
 * automation_granted(). */
bool permission_granted(enum permission permission, struct error *err);

/* Fills err with the permission, the program that needs it, and the pane of the settings. Returns
 * false. */
bool permission_denied(enum permission permission, struct error *err);

/* True if Apple events may be sent to the application with this bundle identifier. Codes:
 * "permission_denied_automation", "app_not_running" (the question needs it to run). May hang for as
 * long as the system likes: for a queue's thread. */
bool automation_granted(const char *identifier, struct error *err);

/* Makes macOS ask the user, by a dialog or by an entry in the settings that is to be switched on:
 * the panes list only programs that have asked. For automation it waits for the answer, and the
 * application must run. */
bool permission_ask(enum permission permission, const char *identifier, struct error *err);

#endif
