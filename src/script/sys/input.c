/* sys.input -- mouse and keyboard. Every function makes one table of what is to be done, and one
 * function reads it: kinds differ in the fields they take. */
#include <lauxlib.h>
#include <stdlib.h>

#include "script/sys/bind.h"
#include "script/sys/input.h"
#include "script/sys/sys.h"

enum { TIMEOUT_S = 10, TYPED_A_SECOND = 200 };

static bool input_run(struct desktop_call *call, const struct platform_ops *ops,
                      struct desktop *desktop, struct ticket *ticket, struct error *err)
{
    struct input_call *self = container_of(call, struct input_call, call);
    struct error why;

    if (ops->input->send(desktop, ticket, &self->input, &self->out, &why))
        return true;
    if (self->may_paste && strcmp(why.code, "paste_instead") == 0) {
        self->input.kind = INPUT_PASTE;
        return ops->input->send(desktop, ticket, &self->input, &self->out, err);
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
    self->call.lane = LANE_INPUT;
    self->call.run = input_run;
    self->call.push = outcome_push;
    self->call.fail = outcome_fail;
    self->call.clear = input_clear;
    self->input.kind = kind;
    if (!input_read(L, self, &err))
        return bind_error(L, &err);
    return desktop_call_start(L, 1,
                              TIMEOUT_S + (double)self->input.ms / 1000 * self->input.count +
                                  (double)self->input.text.len / TYPED_A_SECOND);
}

/* --- one function each ----------------------------------------------------------------- */

/* Replaces the arguments by one table: the options at `options`, the kind, and the arguments before
 * by these names (ends in NULL). */
static int send_as(lua_State *L, const char *kind, int options, const char *const *names)
{
    lua_settop(L, options);
    if (!lua_isnil(L, options))
        luaL_checktype(L, options, LUA_TTABLE);
    lua_newtable(L); /* ..., spec */
    if (!lua_isnil(L, options)) {
        for (lua_pushnil(L); lua_next(L, options);) { /* ..., spec, k, v */
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, -4); /* ..., spec, k */
        }
    }
    for (int i = 0; names[i]; i++) {
        if (lua_isnil(L, i + 1)) /* an option may say it */
            continue;
        lua_pushvalue(L, i + 1);
        lua_setfield(L, -2, names[i]);
    }
    lua_pushstring(L, kind);
    lua_setfield(L, -2, "kind");
    lua_replace(L, 1);
    lua_settop(L, 1);
    return input_send(L);
}

static const char *const place_names[] = { "x", "y", NULL };
static const char *const path_names[] = { "path", NULL };
static const char *const line_names[] = { "lines_x", "lines_y", NULL };
static const char *const chord_names[] = { "chord", NULL };
static const char *const text_names[] = { "text", NULL };

static int input_click(lua_State *L)
{
    return send_as(L, "click", 3, place_names);
}

static int input_move(lua_State *L)
{
    return send_as(L, "move", 3, place_names);
}

static int input_press(lua_State *L)
{
    return send_as(L, "press", 3, place_names);
}

static int input_release(lua_State *L)
{
    return send_as(L, "release", 3, place_names);
}

static int input_drag(lua_State *L)
{
    return send_as(L, "drag", 2, path_names);
}

static int input_scroll(lua_State *L)
{
    return send_as(L, "scroll", 3, line_names);
}

static int input_keys(lua_State *L)
{
    return send_as(L, "keys", 2, chord_names);
}

static int input_key_down(lua_State *L)
{
    return send_as(L, "key_down", 2, chord_names);
}

static int input_key_up(lua_State *L)
{
    return send_as(L, "key_up", 2, chord_names);
}

static int input_type(lua_State *L)
{
    return send_as(L, "text", 2, text_names);
}

static int input_paste(lua_State *L)
{
    return send_as(L, "paste", 2, text_names);
}

/* --- letting go, and the stop ------------------------------------------------------------ */

static bool release_run(struct desktop_call *call, const struct platform_ops *ops,
                        struct desktop *desktop, struct ticket *ticket, struct error *err)
{
    (void)call;
    ops->input->release_all(desktop);
    return ticket_ok(ticket, err);
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
    call->lane = LANE_INPUT;
    call->run = release_run;
    call->push = release_push;
    return desktop_call_start(L, 1, TIMEOUT_S);
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

static const luaL_Reg input_funcs[] = { { "allow", input_allow },
                                        { "click", input_click },
                                        { "drag", input_drag },
                                        { "key_down", input_key_down },
                                        { "key_up", input_key_up },
                                        { "keys", input_keys },
                                        { "move", input_move },
                                        { "paste", input_paste },
                                        { "press", input_press },
                                        { "release", input_release },
                                        { "release_all", input_release_all },
                                        { "scroll", input_scroll },
                                        { "send", input_send },
                                        { "stop", input_stop },
                                        { "stopped", input_stopped },
                                        { "type", input_type },
                                        { NULL, NULL } };

int luaopen_sys_input(lua_State *L)
{
    luaL_newlib(L, input_funcs);
    return 1;
}
