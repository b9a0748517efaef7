/* sys.trace -- looks on while a function runs: its calls, and where it spends its time. */
#include <lauxlib.h>

#include "audit/arguments.h"
#include "sys/sys.h"
#include "sys/trace/calls.h"
#include "sys/trace/samples.h"
#include "sys/trace/scripts.h"

/* sys.trace.is_secret(name) */
static int trace_is_secret(lua_State *L)
{
    struct str name;

    name.ptr = luaL_checklstring(L, 1, &name.len);
    lua_pushboolean(L, audit_is_secret(name));
    return 1;
}

static const luaL_Reg trace_funcs[] = { { "calls", trace_calls },
                                        { "is_secret", trace_is_secret },
                                        { "profile", trace_profile },
                                        { "script", trace_script },
                                        { NULL, NULL } };

int luaopen_sys_trace(lua_State *L)
{
    trace_calls_init(L);
    trace_profile_init(L);
    luaL_newlib(L, trace_funcs);
    return 1;
}
