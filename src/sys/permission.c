/* sys.permission -- what the user has allowed, asked without a dialog, and the dialog that asks for
 * it. */
#include <lauxlib.h>
#include <stdlib.h>

#include "process/identity.h"
#include "script/bind.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

struct permission_call {
    struct thread_call call;
    enum permission permission;
    char *app; /* PERMISSION_AUTOMATION: a bundle identifier; owned */
    bool ask;
};

static bool check_run(struct thread_call *call, struct error *err)
{
    struct permission_call *self = container_of(call, struct permission_call, call);

    if (self->ask)
        return !call->ops->ask || call->ops->ask(call->desktop, self->permission, self->app, err);
    if (self->permission != PERMISSION_AUTOMATION)
        return call->ops->permitted(call->desktop, self->permission, err);
    return !call->ops->may_automate || call->ops->may_automate(call->desktop, self->app, err);
}

static void check_clear(struct thread_call *call)
{
    free(container_of(call, struct permission_call, call)->app);
}

static int start_check(lua_State *L, bool ask)
{
    static const char *const names[] = { "accessibility", "screen", "automation", NULL };
    static const enum permission permissions[] = { PERMISSION_ACCESSIBILITY, PERMISSION_SCREEN,
                                                   PERMISSION_AUTOMATION };
    static const char *const options[] = { "app", "timeout", NULL };
    enum permission permission = permissions[luaL_checkoption(L, 1, NULL, names)];
    struct permission_call *self;
    const char *app;

    lua_settop(L, 2);
    desktop_check_options(L, 2, options);
    app = bind_text(L, 2, "app", NULL);
    luaL_argcheck(L, (permission == PERMISSION_AUTOMATION) == (app != NULL), 2,
                  "app is required for automation, and allowed only for it");
    self = thread_call_new(L, sizeof *self, check_clear);
    self->permission = permission;
    self->app = app ? mem_strdup(app) : NULL;
    self->ask = ask;
    self->call.queue = QUEUE_QUERY;
    self->call.run = check_run;
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S);
}

/* sys.permission.check(name [, options]) -> true | nil, text, code */
static int permission_check(lua_State *L)
{
    return start_check(L, false);
}

/* sys.permission.ask(name [, options]) -> true | nil, text, code */
static int permission_ask(lua_State *L)
{
    return start_check(L, true);
}

/* sys.permission.responsible() -> process id, path */
static int permission_responsible(lua_State *L)
{
    char *path;

    lua_pushinteger(L, identity_responsible(&path));
    lua_pushstring(L, path);
    free(path);
    return 2;
}

static const luaL_Reg permission_funcs[] = { { "ask", permission_ask },
                                             { "check", permission_check },
                                             { "responsible", permission_responsible },
                                             { NULL, NULL } };

int luaopen_sys_permission(lua_State *L)
{
    luaL_newlib(L, permission_funcs);
    return 1;
}
