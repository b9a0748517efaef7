/* sys.permission -- what the user has allowed, asked without a dialog, and the dialog that asks for
 * it. */
#include <lauxlib.h>
#include <stdlib.h>

#include "process/identity.h"
#include "script/bind.h"
#include "sys/shared/desktop_call.h"
#include "sys/sys.h"

struct permission_call {
    struct desktop_call call;
    enum permission permission;
    char *app; /* PERMISSION_AUTOMATION: a bundle identifier; owned */
    bool ask;
};

static bool check_run(struct desktop_call *call, const struct platform_ops *ops,
                      struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    struct permission_call *self = container_of(call, struct permission_call, call);

    (void)deadline;
    if (self->ask)
        return !ops->ask || ops->ask(desktop, self->permission, self->app, err);
    if (self->permission != PERMISSION_AUTOMATION)
        return ops->permitted(desktop, self->permission, err);
    return !ops->may_automate || ops->may_automate(desktop, self->app, err);
}

static int check_push(lua_State *L, struct desktop_call *call)
{
    (void)call;
    lua_pushboolean(L, true);
    return 1;
}

static void check_clear(struct desktop_call *call)
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
    self = desktop_call_new(L, sizeof *self);
    self->permission = permission;
    self->app = app ? mem_strdup(app) : NULL;
    self->ask = ask;
    self->call.queue = QUEUE_QUERY;
    self->call.run = check_run;
    self->call.push = check_push;
    self->call.clear = check_clear;
    return desktop_call_start(L, 2, DESKTOP_TIMEOUT_S);
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
