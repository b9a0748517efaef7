/* Values of a desktop out of Lua, and back. */
#include "sys/shared/desktop_values.h"

#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "json/line.h"
#include "script/bind.h"

/* Reads a field that has to be an integer. */
static uint64_t whole_number_field(lua_State *L, int arg, const char *name)
{
    lua_Integer value;
    int ok;

    lua_pushstring(L, name);
    lua_rawget(L, arg);
    value = lua_tointegerx(L, -1, &ok);
    if (!ok || lua_type(L, -1) != LUA_TNUMBER)
        bind_field_error(L, arg, name,
                         lua_pushfstring(L, "whole number expected, got %s", luaL_typename(L, -1)));
    lua_pop(L, 1);
    return (uint64_t)value;
}

struct window_ref desktop_check_app(lua_State *L, int arg)
{
    struct window_ref ref = { 0 };
    uint64_t pid;

    luaL_checktype(L, arg, LUA_TTABLE);
    pid = whole_number_field(L, arg, "pid");
    if (pid > INT_MAX)
        bind_field_error(L, arg, "pid", "it is not a process ID");
    ref.pid = (int)pid;
    ref.started = whole_number_field(L, arg, "started");
    return ref;
}

struct window_ref desktop_check_window(lua_State *L, int arg)
{
    struct window_ref ref = desktop_check_app(L, arg);

    ref.id = whole_number_field(L, arg, "id");
    return ref;
}

double desktop_check_coordinate(lua_State *L, int arg)
{
    double value = luaL_checknumber(L, arg);

    if (!(fabs(value) <= DESKTOP_COORDINATE_MAX))
        luaL_argerror(
            L, arg,
            lua_pushfstring(L, "expected at most %d points either way", DESKTOP_COORDINATE_MAX));
    return value;
}

static double rect_field(lua_State *L, int arg, const char *name, double min)
{
    double value = bind_number(L, arg, name, NAN, min, DESKTOP_COORDINATE_MAX);

    if (isnan(value))
        bind_field_error(L, arg, name, "it is missing");
    return value;
}

struct rect desktop_check_rect(lua_State *L, int arg)
{
    luaL_checktype(L, arg, LUA_TTABLE);
    return (struct rect){ .x = rect_field(L, arg, "x", -DESKTOP_COORDINATE_MAX),
                          .y = rect_field(L, arg, "y", -DESKTOP_COORDINATE_MAX),
                          .width = rect_field(L, arg, "width", 1),
                          .height = rect_field(L, arg, "height", 1) };
}

void desktop_set_integer(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void desktop_set_window(lua_State *L, const struct window_ref *ref)
{
    desktop_set_integer(L, "pid", (uint64_t)ref->pid);
    desktop_set_integer(L, "started", ref->started);
    desktop_set_integer(L, "id", ref->id);
}

const char *desktop_window_kind(enum window_kind kind)
{
    static const char *const kinds[] = { "normal", "dialog", "utility", "panel", "popup" };

    return kinds[kind];
}

void desktop_push_number(lua_State *L, double value)
{
    lua_Integer integer;

    if (lua_numbertointeger(value, &integer) && (double)integer == value)
        lua_pushinteger(L, integer);
    else
        lua_pushnumber(L, value);
}

void desktop_set_number(lua_State *L, const char *name, double value)
{
    desktop_push_number(L, value);
    lua_setfield(L, -2, name);
}

void desktop_set_flag(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void desktop_set_text(lua_State *L, const char *name, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

void desktop_set_said(lua_State *L, const char *name, const char *value)
{
    size_t len = strlen(value);
    luaL_Buffer out;

    luaL_buffinitsize(L, &out, len);
    luaL_pushresultsize(&out, line_clean(luaL_buffaddr(&out), value, len)); /* line */
    lua_setfield(L, -2, name);
}

void desktop_push_rect(lua_State *L, struct rect rect)
{
    lua_createtable(L, 0, 4); /* rect */
    desktop_set_number(L, "x", rect.x);
    desktop_set_number(L, "y", rect.y);
    desktop_set_number(L, "width", rect.width);
    desktop_set_number(L, "height", rect.height);
}
