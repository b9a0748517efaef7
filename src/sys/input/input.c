/* sys.input -- mouse and keyboard. Every function makes one table that says what to do, and one
 * function reads the table: each kind of input takes fields of its own. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "process/bus.h"
#include "script/bind.h"
#include "sys/effects.h"
#include "sys/input/outcome.h"
#include "sys/shared/desktop_service.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { TYPED_A_SECOND = 200, DURATION_MAX_S = 60 };

struct input_call {
    struct thread_call call;
    struct input input;
    struct buf text; /* memory that input.text and input.path point into */
    struct buf path;
    struct input_outcome out;
};

/* --- the table of what is to be done --------------------------------------------------- */

static const struct action_kind {
    const char *name;
    enum input_kind kind;
    const char *const *fields;
} kinds[] = {
#define FIELDS(...)                                                                                \
    (const char *const[])                                                                          \
    {                                                                                              \
        "kind", "timeout", "window", __VA_ARGS__, NULL                                             \
    }
    { "move", INPUT_MOVE, FIELDS("x", "y", "button", "modifiers", "duration") },
    { "click", INPUT_CLICK, FIELDS("x", "y", "button", "modifiers", "duration", "count") },
    { "press", INPUT_PRESS, FIELDS("x", "y", "button", "modifiers") },
    { "release", INPUT_RELEASE, FIELDS("x", "y", "button", "modifiers") },
    { "drag", INPUT_DRAG, FIELDS("path", "button", "modifiers", "duration") },
    { "scroll", INPUT_SCROLL, FIELDS("x", "y", "lines_x", "lines_y", "pixels", "modifiers") },
    { "keys", INPUT_KEYS, FIELDS("chord", "count", "duration") },
    { "key_down", INPUT_KEY_DOWN, FIELDS("chord") },
    { "key_up", INPUT_KEY_UP, FIELDS("chord") },
    { "text", INPUT_TEXT, FIELDS("text", "paste", "keys", "selection") },
    { "paste", INPUT_PASTE, FIELDS("text", "keys", "selection", "typed") },
    { "drop", INPUT_DROP, FIELDS("x", "y", "text", "action") },
#undef FIELDS
};

/* Reads the kind from argument 1, and checks its other fields: each kind takes fields of its own.
 * Raises. */
static enum input_kind read_kind(lua_State *L)
{
    const char *name = bind_text(L, 1, "kind", NULL);

    for (size_t i = 0; name && i < countof(kinds); i++) {
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        bind_check_fields(L, 1, kinds[i].fields);
        return kinds[i].kind;
    }
    bind_field_error(L, 1, "kind",
                     "expected move, click, press, release, drag, scroll, keys, "
                     "key_down, key_up, text or paste");
}

static double coordinate_field(lua_State *L, int arg, const char *name)
{
    return bind_number(L, arg, name, NAN, -DESKTOP_COORDINATE_MAX, DESKTOP_COORDINATE_MAX);
}

/* Reads x and y: both or neither. */
static void read_input_place(lua_State *L, struct input *input)
{
    input->at = (struct point){ coordinate_field(L, 1, "x"), coordinate_field(L, 1, "y") };
    input->here = isnan(input->at.x) && isnan(input->at.y);
    if (!input->here && (isnan(input->at.x) || isnan(input->at.y)))
        bind_field_error(L, 1, isnan(input->at.x) ? "x" : "y", "pass x and y together");
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

static void read_input_modifiers(lua_State *L, struct input *input)
{
    lua_pushliteral(L, "modifiers");
    if (lua_rawget(L, 1) != LUA_TNIL) { /* list */
        luaL_argexpected(L, lua_istable(L, -1), 1, "list of modifiers");
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) { /* list, name */
            struct chord chord;

            if (!chord_parse(lua_tostring(L, -1), &chord, NULL) || chord.key != KEY_NONE)
                bind_field_error(
                    L, 1, "modifiers",
                    lua_pushfstring(L,
                                    "'%s' is not a modifier. Use shift, ctrl, alt, meta, cmd or fn",
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
        bind_field_error(L, 1, "path", "list of points {x=, y=} expected");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) { /* path, point */
        struct point at = { coordinate_field(L, lua_gettop(L), "x"),
                            coordinate_field(L, lua_gettop(L), "y") };

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

static void read_wheel(lua_State *L, struct input *input)
{
    double most;

    input->pixels = bind_flag(L, 1, "pixels");
    most = input->pixels ? 1000.0 * INPUT_LINE_PIXELS : 1000;
    input->lines = (struct point){ bind_number(L, 1, "lines_x", 0, -most, most),
                                   bind_number(L, 1, "lines_y", 0, -most, most) };
}

static void read_pointer(lua_State *L, struct input_call *self)
{
    struct input *input = &self->input;

    if (input->kind == INPUT_DRAG)
        read_path(L, self);
    else
        read_input_place(L, input);
    if (input->kind == INPUT_SCROLL)
        read_wheel(L, input);
    else
        read_button(L, input);
    read_input_modifiers(L, input);
}

/* Reads a chord. False with err if it names no key. */
static bool read_chord(lua_State *L, const char *field, struct chord *chord, struct error *err)
{
    const char *text = bind_text(L, 1, field, NULL);

    if (!text)
        bind_field_error(L, 1, field, "string expected, got nil");
    return chord_parse(text, chord, err);
}

static bool has_option(lua_State *L, const char *name)
{
    bool there;

    lua_pushstring(L, name);
    there = lua_rawget(L, 1) != LUA_TNIL;
    lua_pop(L, 1);
    return there;
}

static bool read_input_text(lua_State *L, struct input_call *self, struct error *err)
{
    size_t len;
    const char *text = bind_text(L, 1, "text", &len), *from = bind_text(L, 1, "selection", NULL);

    if (!text)
        bind_field_error(L, 1, "text", "string expected, got nil");
    if (from && strcmp(from, "clipboard") != 0 && strcmp(from, "primary") != 0)
        bind_field_error(L, 1, "selection", "expected clipboard or primary");
    buf_add(&self->text, text, len);
    self->input.text = (struct str){ self->text.data ? self->text.data : "", len };
    self->input.may_paste =
        self->input.kind == INPUT_TEXT && (!has_option(L, "paste") || bind_flag(L, 1, "paste"));
    self->input.typed = self->input.kind == INPUT_PASTE && bind_flag(L, 1, "typed");
    if (from)
        self->input.from = strcmp(from, "primary") == 0 ? PASTE_PRIMARY : PASTE_CLIPBOARD;
    return input_text_ok(self->input.text, err) &&
           (!has_option(L, "keys") || read_chord(L, "keys", &self->input.chord, err));
}

static void read_drop(lua_State *L, struct input_call *self)
{
    static const char *const names[] = { "copy", "link", "ask" };
    const char *action = bind_text(L, 1, "action", NULL), *text;
    size_t len;
    int found = action ? -1 : 0;

    for (int i = 0; action && i < (int)countof(names); i++)
        found = strcmp(names[i], action) == 0 ? i : found;
    if (found < 0)
        bind_field_error(L, 1, "action", "expected copy, link or ask");
    text = bind_text(L, 1, "text", &len);
    if (!text)
        bind_field_error(L, 1, "text", "string expected, got nil");
    read_input_place(L, &self->input);
    self->input.action = (enum drop_action)found;
    buf_add(&self->text, text, len);
    self->input.text = buf_str(&self->text);
}

/* Reads the window that has to get the input, which the policy may have judged it for already.
 * False with "moved" if that was another one. */
static bool read_window(lua_State *L, struct input *input, struct error *err)
{
    uint64_t window = (uint64_t)bind_number(L, 1, "window", 0, 0, UINT32_MAX);

    if (window && input->judged && input->judged != window)
        return error_set(err, "moved", "another window gets this input than the one it is for");
    if (window)
        input->judged = window;
    return true;
}

/* Fills call->input, whose kind is known, from argument 1. Wrong values raise. False with err if a
 * chord names no key or a text cannot be typed: the tool that passed it on fails. */
static bool read_input(lua_State *L, struct input_call *self, struct error *err)
{
    struct input *input = &self->input;
    bool keyboard =
        input->kind == INPUT_KEYS || input->kind == INPUT_KEY_DOWN || input->kind == INPUT_KEY_UP;

    input->count = (int)bind_number(L, 1, "count", 1, 1, INPUT_COUNT_MAX);
    input->ms = (uint64_t)(bind_number(L, 1, "duration", 0, 0, DURATION_MAX_S) * 1000);
    if (input->kind == INPUT_TEXT || input->kind == INPUT_PASTE)
        return read_input_text(L, self, err);
    if (keyboard)
        return read_chord(L, "chord", &input->chord, err);
    if (input->kind == INPUT_DROP)
        read_drop(L, self);
    else
        read_pointer(L, self);
    return true;
}

/* --- the call ---------------------------------------------------------------------------- */

static bool input_run(struct thread_call *call, struct error *err)
{
    struct input_call *self = container_of(call, struct input_call, call);
    struct input_effects late;
    struct error why;
    bool ok;

    if (call->ops->input->send(call->desktop, call->deadline, &self->input, &self->out, &why))
        return true;
    if (self->input.may_paste && strcmp(why.code, "paste_instead") == 0) {
        late = self->out.seen.late;
        self->input.kind = INPUT_PASTE;
        self->input.typed = true;
        ok = call->ops->input->send(call->desktop, call->deadline, &self->input, &self->out, err);
        if (!self->out.seen.late.count)
            self->out.seen.late = late;
        return ok;
    }
    *err = why;
    return false;
}

/* --- the outcome --------------------------------------------------------------------- */

static int push_outcome(lua_State *L, struct thread_call *call)
{
    const struct input_call *self = container_of(call, struct input_call, call);

    outcome_push(L, &self->out);
    return 1;
}

/* An error comes with how far the input came. */
static int push_input_failure(lua_State *L, struct thread_call *call)
{
    return bind_error(L, &call->err) + push_outcome(L, call);
}

static void input_clear(struct thread_call *call)
{
    struct input_call *self = container_of(call, struct input_call, call);

    buf_free(&self->text);
    buf_free(&self->path);
}

/* Starts the input. Argument 1 is the table that says what to do. */
/* The spec is argument 1. */
static int input_start(lua_State *L)
{
    struct input_call *self;
    enum input_kind kind;
    struct error err;

    luaL_checktype(L, 1, LUA_TTABLE);
    kind = read_kind(L);
    lua_settop(L, 1);
    self = thread_call_new(L, sizeof *self, input_clear);
    self->call.queue = QUEUE_INPUT;
    self->call.acts = true;
    self->call.run = input_run;
    self->call.push = push_outcome;
    self->call.fail = push_input_failure;
    self->input.kind = kind;
    self->input.judged = effects_take_window();
    if (!read_input(L, self, &err) || !read_window(L, &self->input, &err))
        return bind_error(L, &err);
    if (effects_only_check()) {
        lua_pushboolean(L, true);
        return 1;
    }
    bus_ready(NULL); /* without it no input method is seen */
    return thread_call_on_desktop(L, &self->call, 1,
                                  DESKTOP_TIMEOUT_S +
                                      (double)self->input.ms / 1000 * self->input.count +
                                      (double)self->input.text.len / TYPED_A_SECOND);
}

/* sys.input.send(spec). A drop is another effect for the policy, so it has its function alone. */
static int input_send(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (read_kind(L) == INPUT_DROP)
        bind_field_error(L, 1, "kind", "a drop is made by sys.input.drop");
    return input_start(L);
}

/* --- one function each ----------------------------------------------------------------- */

/* A function of the module: the arguments before the options, by their names in the table. */
struct action {
    const char *name, *kind;
    const char *arguments[4]; /* ends in NULL */
};

/* clang-format off */
static const struct action input_actions[] = {
    { "click",    "click",    { "x", "y" } },
    { "drag",     "drag",     { "path" } },
    { "drop",     "drop",     { "x", "y", "text" } },
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
        if (lua_isnil(L, i)) /* an option may give it */
            continue;
        lua_pushvalue(L, i);
        lua_setfield(L, -2, action->arguments[i - 1]);
    }
    lua_pushstring(L, action->kind);
    lua_setfield(L, -2, "kind");
    lua_replace(L, 1);
    lua_settop(L, 1);
    return input_start(L);
}

/* --- settling ------------------------------------------------------------------------------ */

struct settle_call {
    struct thread_call call;
    uint64_t ms;
    bool settled;
};

static bool settle_run(struct thread_call *call, struct error *err)
{
    struct settle_call *self = container_of(call, struct settle_call, call);

    if (!call->ops->input->settle)
        return error_set(err, "not_supported",
                         "applications of this desktop (%s) do not confirm input", call->ops->name);
    return call->ops->input->settle(call->desktop, call->deadline, self->ms, &self->settled, err);
}

static int settle_push(lua_State *L, struct thread_call *call)
{
    lua_pushboolean(L, container_of(call, struct settle_call, call)->settled);
    return 1;
}

/* sys.input.settle(seconds [, options]) -> settled | nil, text, code */
static int input_settle(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    double seconds = luaL_checknumber(L, 1);
    struct settle_call *self;

    luaL_argcheck(L, seconds >= 0 && seconds <= DURATION_MAX_S, 1, "expected 0 to 60 seconds");
    desktop_check_options(L, 2, options);
    self = thread_call_new(L, sizeof *self, NULL);
    self->call.queue = QUEUE_INPUT;
    self->call.run = settle_run;
    self->call.push = settle_push;
    self->ms = (uint64_t)ceil(seconds * 1000) + 1; /* 0 would mean all the time that the call has */
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S + seconds);
}

/* --- letting go, and the stop ------------------------------------------------------------ */

static bool release_run(struct thread_call *call, struct error *err)
{
    call->ops->input->release_all(call->desktop);
    return deadline_ok(call->deadline, err);
}

static int input_release_all(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    struct thread_call *call;

    desktop_check_options(L, 1, options);
    if (desktop_input_stopped(L, NULL)) { /* the stop let go of everything */
        lua_pushboolean(L, 1);
        return 1;
    }
    call = thread_call_new(L, sizeof *call, NULL);
    call->queue = QUEUE_INPUT;
    call->run = release_run;
    return thread_call_on_desktop(L, call, 1, DESKTOP_TIMEOUT_S);
}

/* Pushes true, or nil, text, code. */
static int push_done(lua_State *L, bool ok, const struct error *err)
{
    if (!ok)
        return bind_error(L, err);
    lua_pushboolean(L, 1);
    return 1;
}

static int input_stop(lua_State *L)
{
    struct error err;
    bool ok = desktop_input_stop(L, &err);

    return push_done(L, ok, &err);
}

static int input_allow(lua_State *L)
{
    struct error err;
    bool ok = desktop_input_allow(L, &err);

    return push_done(L, ok, &err);
}

static int input_stopped(lua_State *L)
{
    lua_pushboolean(L, desktop_input_stopped(L, NULL));
    return 1;
}

static const luaL_Reg input_funcs[] = { { "allow", input_allow },
                                        { "release_all", input_release_all },
                                        { "send", input_send },
                                        { "settle", input_settle },
                                        { "stop", input_stop },
                                        { "stopped", input_stopped },
                                        { NULL, NULL } };

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
