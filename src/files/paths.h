/* Where things are: the shipped Lua files, the user's folder, state and logs. */
#ifndef PERIGEE_FILES_PATHS_H
#define PERIGEE_FILES_PATHS_H

#include "base/util.h"

/* The folder with the shipped tools/, prompts/, ...: $PERIGEE_LUA; else, from the
 * executable's folder, ../share/perigee/lua (installed), or lua of the
 * checkout it was built in. NULL if none is there. free() it. */
char *path_shipped_lua(void);

/* $PERIGEE_HOME, else $XDG_CONFIG_HOME/perigee, else ~/.config/perigee. It may not exist. free()
 * it. */
char *path_user_home(void);

/* $XDG_STATE_HOME/perigee, else ~/.local/state/perigee (macOS:
 * ~/Library/Application Support/perigee). It may not exist. free() it. */
char *path_state(void);

/* $XDG_CACHE_HOME/perigee, else ~/.cache/perigee (macOS: ~/Library/Caches/perigee). It may not
 * exist. free() it. */
char *path_cache(void);

#endif
