/* The table of what is to be done, read into a struct input. */
#include <lauxlib.h>
#include <math.h>

#include "script/bind.h"
#include "sys/input_call.h"

enum { DURATION_MAX_S = 60 };

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
    { "scroll", INPUT_SCROLL, FIELDS("x", "y", "lines_x", "lines_y", "pixels", "modifiers") },
    { "keys", INPUT_KEYS, FIELDS("chord", "count", "duration") },
    { "key_down", INPUT_KEY_DOWN, FIELDS("chord") },
    { "key_up", INPUT_KEY_UP, FIELDS("chord") },
    { "text", INPUT_TEXT, FIELDS("text", "paste", "keys", "selection") },
    { "paste", INPUT_PASTE, FIELDS("text", "keys", "selection") },
#undef FIELDS
};

enum input_kind input_read_kind(lua_State *L)
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
        read_place(L, input);
    if (input->kind == INPUT_SCROLL)
        read_wheel(L, input);
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

bool input_read(lua_State *L, struct input_call *self, struct error *err)
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
