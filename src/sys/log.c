/* sys.log -- lines for the engine's log, led by the name of the task. */
#include "base/log.h"

#include <lauxlib.h>

#include "script/show.h"
#include "sys/sys.h"

static int log_at(lua_State *L, enum log_level level)
{
    struct task *task = task_current(L);
    int n = lua_gettop(L);
    luaL_Buffer text;

    if (!log_wanted(level))
        return 0;
    for (int i = 1; i <= n; i++) {
        show_push(L, i, NULL);
        lua_replace(L, i);
    }
    luaL_buffinit(L, &text);
    for (int i = 1; i <= n; i++) {
        if (i > 1)
            luaL_addchar(&text, ' ');
        lua_pushvalue(L, i);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    if (task)
        log_line(level, "%s: %s", task_name(task), lua_tostring(L, -1));
    else
        log_line(level, "%s", lua_tostring(L, -1));
    return 0;
}

static int log_debug_(lua_State *L)
{
    return log_at(L, LOG_DEBUG);
}

static int log_info_(lua_State *L)
{
    return log_at(L, LOG_INFO);
}

static int log_warn_(lua_State *L)
{
    return log_at(L, LOG_WARNING);
}

static int log_error_(lua_State *L)
{
    return log_at(L, LOG_ERROR);
}

static const luaL_Reg log_funcs[] = { { "debug", log_debug_ },
                                      { "error", log_error_ },
                                      { "info", log_info_ },
                                      { "warn", log_warn_ },
                                      { NULL, NULL } };

int luaopen_sys_log(lua_State *L)
{
    luaL_newlib(L, log_funcs);
    return 1;
}
