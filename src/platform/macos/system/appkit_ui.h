/* A window of a script, as C. appkit_ui.m has the real thing.
 *
 * For the main thread of `perigee --ui` (macos/ui.c), whose run loop is appkit_news_run(). Actions
 * of the user go to ui_say(). Nodes are borrowed as platform/ui.h says. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_UI_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_UI_H

#include "platform/ui.h"

/* Makes this process an application without a Dock tile. */
void appkit_ui_begin(void);

/* Called once. Says "shown". An alert ends the run loop after its time. */
void appkit_ui_open(const cJSON *window);

void appkit_ui_rows(const cJSON *const *rows, int count);
void appkit_ui_select(int row);

#endif
