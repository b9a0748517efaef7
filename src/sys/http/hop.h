/* A redirect to another host is a request of its own, and judged as one before it is followed. */
#ifndef PERIGEE_SYS_HTTP_HOP_H
#define PERIGEE_SYS_HTTP_HOP_H

#include <lua.h>

#include "http/client/request.h"

/* For a request that is held, in the task that waits for it: the table that it was made from is at
 * 1, the userdata that waits at 2. Calls the running function again, with the table of the next
 * request and the same userdata, and then `after`, with the results on top of both. So the judge of
 * effects (sys/effects.h), which stands before that function, sees each host. */
int hop_call(lua_State *L, const struct http_fetch *http, lua_KFunction after);

#endif
