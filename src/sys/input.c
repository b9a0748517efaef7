/* sys.input -- mouse and keyboard. Every function makes one table of what is to be done, and one
 * function reads it: kinds differ in the fields they take. */
#include <lauxlib.h>
#include <stdlib.h>

#include "script/bind.h"
#include "sys/input_call.h"
#include "sys/sys.h"

enum { TYPED_A_SECOND = 200 };

static bool input_run(struct desktop_call *call, const struct platform_ops *ops,
                      struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    struct input_call *self = container_of(call, struct input_call, call);
    struct error why;

    if (ops->input->send(desktop, deadline, &self->input, &self->out, &why))
        return true;
    if (self->may_paste && strcmp(why.code, "paste_instead") == 0) {
        self->input.kind = INPUT_PASTE;
        return ops->input->send(desktop, deadline, &self->input, &self->out, err);
    }
    *err = why;
    return false;
}

/* --- what came of it ----------------------------------------------------------------- */

static int outcome_push(lua_State *L, struct desktop_call *call)
{
    static const char *const fates[] = {
        [CLIP_WAS_EMPTY] = "was empty",
        [CLIP_RESTORED] = "restored",
        [CLIP_PARTLY_RESTORED] = "partly restored",
        [CLIP_LOST] = "not restored",
    };
    const struct input_outcome *out = &container_of(call, struct input_call, call)->out;

    lua_createtable(L, 0, 6); /* outcome */
    lua_createtable(L, 0, 2); /* outcome, pointer */
    desktop_set_number(L, "x", out->pointer.x);
    desktop_set_number(L, "y", out->pointer.y);
    lua_setfield(L, -2, "pointer");
    desktop_set_integer(L, "sent", out->sent);
    desktop_set_integer(L, "characters", out->characters);
    desktop_set_flag(L, "settled", out->settled);
    desktop_set_text(L, "route", out->route);
    if (out->clipboard != CLIP_UNTOUCHED)
        desktop_set_text(L, "clipboard", fates[out->clipboard]);
    return 1;
}

/* How far a text came. */
static int outcome_fail(lua_State *L, struct desktop_call *call)
{
    struct input_call *self = container_of(call, struct input_call, call);

    if (self->input.kind != INPUT_TEXT && self->input.kind != INPUT_PASTE)
        return 0;
    return outcome_push(L, call);
}

static void input_clear(struct desktop_call *call)
{
    struct input_call *self = container_of(call, struct input_call, call);

    buf_free(&self->text);
    buf_free(&self->path);
}

/* Over the table of what is to be done, as argument 1. */
static int input_send(lua_State *L)
{
    struct input_call *self;
    enum input_kind kind;
    struct error err;

    luaL_checktype(L, 1, LUA_TTABLE);
    kind = input_read_kind(L);
    lua_settop(L, 1);
    self = desktop_call_new(L, sizeof *self);
    self->call.queue = QUEUE_INPUT;
    self->call.run = input_run;
    self->call.push = outcome_push;
    self->call.fail = outcome_fail;
    self->call.clear = input_clear;
    self->input.kind = kind;
    if (!input_read(L, self, &err))
        return bind_error(L, &err);
    return desktop_call_start(L, 1,
                              DESKTOP_TIMEOUT_S +
                                  (double)self->input.ms / 1000 * self->input.count +
                                  (double)self->input.text.len / TYPED_A_SECOND);
}

/* --- one function each ----------------------------------------------------------------- */

/* A function of the module: its arguments before the options, by their names in the table. */
struct action {
    const char *name, *kind;
    const char *arguments[3]; /* ends in NULL */
};

/* clang-format off */
static const struct action input_actions[] = {
    { "click",    "click",    { "x", "y" } },
    { "drag",     "drag",     { "path" } },
    { "key_down", "key_down", { "chord" } },
    { "key_up",   "key_up",   { "chord" } },
    { "keys",     "keys",     { "chord" } },
    { "move",     "move",     { "x", "y" } },
    { "paste",    "paste",    { "text" } },
    { "press",    "press",    { "x", "y" } },
    { "release",  "release",  { "x", "y" } },
    { "scroll",   "scroll",   { "lines_x", "lines_y" } },
    { "type",     "text",     { "text" } },
};
/* clang-format on */

/* Copies the options into the table on top. */
static void copy_options(lua_State *L, int options)
{
    if (lua_isnil(L, options))
        return;
    luaL_checktype(L, options, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, options);) { /* ..., spec, k, v */
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4); /* ..., spec, k */
    }
}

/* Makes one table of the arguments and the options, and sends it; upvalue 1 is the action. */
static int input_act(lua_State *L)
{
    const struct action *action = lua_touserdata(L, lua_upvalueindex(1));
    int options = 1;

    while (action->arguments[options - 1])
        options++;
    lua_settop(L, options);
    lua_newtable(L); /* ..., spec */
    copy_options(L, options);
    for (int i = 1; i < options; i++) {
        if (lua_isnil(L, i)) /* an option may say it */
            continue;
        lua_pushvalue(L, i);
        lua_setfield(L, -2, action->arguments[i - 1]);
    }
    lua_pushstring(L, action->kind);
    lua_setfield(L, -2, "kind");
    lua_replace(L, 1);
    lua_settop(L, 1);
    return input_send(L);
}

/* --- letting go, and the stop ------------------------------------------------------------ */

static bool release_run(struct desktop_call *call, const struct platform_ops *ops,
                        struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    (void)call;
    ops->input->release_all(desktop);
    return deadline_ok(deadline, err);
}

static int release_push(lua_State *L, struct desktop_call *call)
{
    (void)call;
    lua_pushboolean(L, 1);
    return 1;
}

static int input_release_all(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    struct desktop_call *call;

    desktop_check_options(L, 1, options);
    if (desktop_input_stopped(L)) /* which let go of everything */
        return release_push(L, NULL);
    call = desktop_call_new(L, sizeof *call);
    call->queue = QUEUE_INPUT;
    call->run = release_run;
    call->push = release_push;
    return desktop_call_start(L, 1, DESKTOP_TIMEOUT_S);
}

static int input_stop(lua_State *L)
{
    desktop_input_stop(L);
    return 0;
}

static int input_allow(lua_State *L)
{
    desktop_input_allow(L);
    return 0;
}

static int input_stopped(lua_State *L)
{
    lua_pushboolean(L, desktop_input_stopped(L));
    return 1;
}

static const luaL_Reg input_funcs[] = {
    { "allow", input_allow }, { "release_all", input_release_all }, { "send", input_send },
    { "stop", input_stop },   { "stopped", input_stopped },         { NULL, NULL }
};

int luaopen_sys_input(lua_State *L)
{
    luaL_newlib(L, input_funcs);
    for (size_t i = 0; i < countof(input_actions); i++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)&input_actions[i]);
        lua_pushcclosure(L, input_act, 1);
        lua_setfield(L, -2, input_actions[i].name);
    }
    return 1;
}
