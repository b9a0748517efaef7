/* What the user must have allowed, checked without asking for it.
 *
 * macOS charges a grant to the responsible process: the terminal, editor or client that started
 * this program, unless it was started on its own. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_PERMISSION_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_PERMISSION_H

#include "platform/platform.h"

/* False with permission_denied(). Automation is asked for each target: automation_granted(). */
bool permission_granted(enum permission permission, struct error *err);

/* Fills err: which permission, for which program, in which pane of the settings. Returns false. */
bool permission_denied(enum permission permission, struct error *err);

/* Whether Apple events may be sent to the application with this bundle identifier. Codes:
 * "permission_denied_automation", "app_not_running" (it must run to be asked about). May hang for
 * as long as the system likes: for a queue's thread. */
bool automation_granted(const char *identifier, struct error *err);

/* Has macOS ask the user, by a dialog or an entry in the settings that is to be switched on: the
 * panes list only who has asked. For automation it waits for the answer, and the application must
 * run. */
bool permission_ask(enum permission permission, const char *identifier, struct error *err);

#endif
