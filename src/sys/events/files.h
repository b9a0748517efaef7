/* sys.events.files() -> a stream of names that change in granted folders */
#ifndef PERIGEE_SYS_EVENTS_FILES_H
#define PERIGEE_SYS_EVENTS_FILES_H

#include <lua.h>

int events_files(lua_State *L);
void events_files_init(lua_State *L);

#endif
