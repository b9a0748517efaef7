/* Settings of the log in the environment. The names that begin with PEEKABOO_ are those of the
 * server whose tools `image` and `list` are; ours win. */
#ifndef PERIGEE_CLI_LOGGING_H
#define PERIGEE_CLI_LOGGING_H

#include <stdbool.h>

/* Takes the level from PERIGEE_LOG_LEVEL, PEEKABOO_LOG_LEVEL or LOG_LEVEL; false: none is set, or
 * it names no level, which is told. */
bool logging_level(void);

/* Lines go to the end of the file PERIGEE_LOG_FILE or PEEKABOO_LOG_FILE, if set, instead of
 * stderr; with PERIGEE_CONSOLE_LOGGING or PEEKABOO_CONSOLE_LOGGING "true" to both. The file and its
 * folders are made, readable by the user alone. One that cannot be opened is said on stderr. */
void logging_file(void);

/* Says which file of the working directory set variables, and which: it may be a stranger's. */
void logging_settings(void);

#endif
