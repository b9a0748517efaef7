/* sys.input -- mouse and keyboard. Every function makes one table of what is to be done, and one
 * function reads it: kinds differ in the fields they take. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "script/sys/bind.h"
#include "script/sys/desktop.h"
#include "script/sys/sys.h"

enum { TIMEOUT_S = 10, DURATION_MAX_S = 60, TYPED_A_SECOND = 200 };

struct input_call {
    struct desktop_call call;
    struct input input;
    struct buf text; /* what input.text and input.path point into */
    struct buf path;
    bool may_paste; /* a text that cannot be typed */
    struct input_outcome out;
};

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

/* --- fields -------------------------------------------------------------------------- */

static const struct kind {
    const char *name;
    enum input_kind kind;
    const char *const *fields;
} kinds[] = {
#define FIELDS(...)                                                                                \
    (const char *const[])                                                                          \
    {                                                                                              \
        "kind", "timeout", __VA_ARGS__, NULL                                                       \
    }
    { "move", INPUT_MOVE, FIELDS("x", "y", "button", "modifiers", "duration") },
    { "click", INPUT_CLICK, FIELDS("x", "y", "button", "modifiers", "duration", "count") },
    { "press", INPUT_PRESS, FIELDS("x", "y", "button", "modifiers") },
    { "release", INPUT_RELEASE, FIELDS("x", "y", "button", "modifiers") },
    { "drag", INPUT_DRAG, FIELDS("path", "button", "modifiers", "duration") },
    { "scroll", INPUT_SCROLL, FIELDS("x", "y", "lines_x", "lines_y", "modifiers") },
    { "keys", INPUT_KEYS, FIELDS("chord", "count", "duration") },
    { "key_down", INPUT_KEY_DOWN, FIELDS("chord") },
    { "key_up", INPUT_KEY_UP, FIELDS("chord") },
    { "text", INPUT_TEXT, FIELDS("text", "paste", "keys", "selection") },
    { "paste", INPUT_PASTE, FIELDS("text", "keys", "selection") },
#undef FIELDS
};

static const struct kind *find_kind(lua_State *L)
{
    const char *name = bind_text(L, 1, "kind", NULL);

    for (size_t i = 0; name && i < countof(kinds); i++) {
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    }
    bind_field_error(L, 1, "kind",
                     "expected move, click, press, release, drag, scroll, keys, "
                     "key_down, key_up, text or paste");
}

static double coordinate(lua_State *L, int arg, const char *name)
{
    return bind_number(L, arg, name, NAN, -DESKTOP_COORDINATE_MAX, DESKTOP_COORDINATE_MAX);
}

/* Both or neither. */
static void read_place(lua_State *L, struct input *input)
{
    input->at = (struct point){ coordinate(L, 1, "x"), coordinate(L, 1, "y") };
    input->here = isnan(input->at.x) && isnan(input->at.y);
    if (!input->here && (isnan(input->at.x) || isnan(input->at.y)))
        bind_field_error(L, 1, isnan(input->at.x) ? "x" : "y", "x and y go together");
    if (input->here && input->kind == INPUT_MOVE)
        bind_field_error(L, 1, "x", "number expected, got nil");
}

static void read_button(lua_State *L, struct input *input)
{
    static const char *const names[] = { [BUTTON_LEFT] = "left",
                                         [BUTTON_MIDDLE] = "middle",
                                         [BUTTON_RIGHT] = "right",
                                         [BUTTON_BACK] = "back",
                                         [BUTTON_FORWARD] = "forward" };
    const char *name = bind_text(L, 1, "button", NULL);

    for (size_t i = 0; name && i < countof(names); i++) {
        if (strcmp(names[i], name) == 0) {
            input->button = (enum input_button)i;
            return;
        }
    }
    if (name)
        bind_field_error(L, 1, "button", "expected left, middle, right, back or forward");
}

static void read_modifiers(lua_State *L, struct input *input)
{
    lua_pushliteral(L, "modifiers");
    if (lua_rawget(L, 1) != LUA_TNIL) { /* list */
        luaL_argexpected(L, lua_istable(L, -1), 1, "list of modifiers");
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) { /* list, name */
            struct chord chord;

            if (!chord_parse(lua_tostring(L, -1), &chord, NULL) || chord.key != KEY_NONE)
                bind_field_error(
                    L, 1, "modifiers",
                    lua_pushfstring(L, "'%s' is no modifier: shift, ctrl, alt, meta, cmd, fn",
                                    lua_tostring(L, -1)));
            input->modifiers |= chord.modifiers;
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_path(lua_State *L, struct input_call *self)
{
    lua_pushliteral(L, "path");
    if (lua_rawget(L, 1) != LUA_TTABLE) /* path */
        bind_field_error(L, 1, "path", "a list of points {x=, y=} expected");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) { /* path, point */
        struct point at = { coordinate(L, lua_gettop(L), "x"), coordinate(L, lua_gettop(L), "y") };

        if (isnan(at.x) || isnan(at.y) || i > INPUT_PATH_MAX)
            bind_field_error(L, 1, "path",
                             lua_pushfstring(L, "point %d: x and y expected, in a list of 2 to %d",
                                             (int)i, INPUT_PATH_MAX));
        buf_add(&self->path, (const char *)&at, sizeof at);
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    self->input.path = (const struct point *)(const void *)self->path.data;
    self->input.path_count = self->path.len / sizeof(struct point);
}

static void read_pointer(lua_State *L, struct input_call *self)
{
    struct input *input = &self->input;

    if (input->kind == INPUT_DRAG)
        read_path(L, self);
    else
        read_place(L, input);
    if (input->kind == INPUT_SCROLL)
        input->lines = (struct point){ bind_number(L, 1, "lines_x", 0, -1000, 1000),
                                       bind_number(L, 1, "lines_y", 0, -1000, 1000) };
    else
        read_button(L, input);
    read_modifiers(L, input);
}

/* False with err: a chord that names no key is a failure of whoever asked for it, as others. */
static bool read_chord(lua_State *L, const char *field, struct chord *chord, struct error *err)
{
    const char *text = bind_text(L, 1, field, NULL);

    if (!text)
        bind_field_error(L, 1, field, "string expected, got nil");
    return chord_parse(text, chord, err);
}

static bool has_field(lua_State *L, const char *name)
{
    bool there;

    lua_pushstring(L, name);
    there = lua_rawget(L, 1) != LUA_TNIL;
    lua_pop(L, 1);
    return there;
}

static bool read_text(lua_State *L, struct input_call *self, struct error *err)
{
    size_t len;
    const char *text = bind_text(L, 1, "text", &len), *from = bind_text(L, 1, "selection", NULL);

    if (!text)
        bind_field_error(L, 1, "text", "string expected, got nil");
    if (from && strcmp(from, "clipboard") != 0 && strcmp(from, "primary") != 0)
        bind_field_error(L, 1, "selection", "expected clipboard or primary");
    buf_add(&self->text, text, len);
    self->input.text = (struct str){ self->text.data ? self->text.data : "", len };
    self->may_paste =
        self->input.kind == INPUT_TEXT && (!has_field(L, "paste") || bind_flag(L, 1, "paste"));
    if (from)
        self->input.from = strcmp(from, "primary") == 0 ? PASTE_PRIMARY : PASTE_CLIPBOARD;
    return !has_field(L, "keys") || read_chord(L, "keys", &self->input.chord, err);
}

static bool read_input(lua_State *L, struct input_call *self, struct error *err)
{
    struct input *input = &self->input;
    bool keyboard =
        input->kind == INPUT_KEYS || input->kind == INPUT_KEY_DOWN || input->kind == INPUT_KEY_UP;

    input->count = (int)bind_number(L, 1, "count", 1, 1, INPUT_COUNT_MAX);
    input->ms = (uint64_t)(bind_number(L, 1, "duration", 0, 0, DURATION_MAX_S) * 1000);
    if (input->kind == INPUT_TEXT || input->kind == INPUT_PASTE)
        return read_text(L, self, err);
    if (keyboard)
        return read_chord(L, "chord", &input->chord, err);
    read_pointer(L, self);
    return true;
}

/* Over the table of what is to be done, as argument 1. */
static int input_send(lua_State *L)
{
    const struct kind *kind;
    struct input_call *self;
    struct error err;

    luaL_checktype(L, 1, LUA_TTABLE);
    kind = find_kind(L);
    bind_check_fields(L, 1, kind->fields);
    lua_settop(L, 1);
    self = desktop_call_new(L, sizeof *self);
    self->call.lane = LANE_INPUT;
    self->call.run = input_run;
    self->call.push = outcome_push;
    self->call.fail = outcome_fail;
    self->call.clear = input_clear;
    self->input.kind = kind->kind;
    if (!read_input(L, self, &err))
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
