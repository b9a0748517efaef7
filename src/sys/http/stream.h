/* The Stream object of sys.http. */
#ifndef PERIGEE_SYS_HTTP_STREAM_H
#define PERIGEE_SYS_HTTP_STREAM_H

#include <lua.h>

/* sys.http.stream */
int http_stream(lua_State *L);

/* Makes the metatable. Called when the module is opened. */
void http_stream_init(lua_State *L);

#endif
