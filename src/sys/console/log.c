/* sys.console.read_log -- the lines of the engine's log, as they come. */
#include <lauxlib.h>
#include <stdlib.h>

#include "base/log_feed.h"
#include "registry/call/call.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/wait_line.h"
#include "sys/console/pieces.h"

#define READER "sys.console.LogReader"

enum { LINES_AT_ONCE = 200 };

struct reader {
    struct log_reader place;
    struct wait_line line;
    bool closed;
    bool calls;
    char *tool; /* owned; NULL: lines of any */
};

static struct reader *check_reader(lua_State *L)
{
    return luaL_checkudata(L, 1, READER);
}

static int reader_close(lua_State *L)
{
    struct reader *reader = check_reader(L);

    if (reader->closed)
        return 0;
    reader->closed = true;
    log_reader_close(&reader->place);
    if (reader->calls)
        call_log_watched(false);
    free(reader->tool);
    reader->tool = NULL;
    return 0;
}

/* --- reading ------------------------------------------------------------------------------- */

static bool line_is_wanted(const struct reader *reader, const struct log_kept *line)
{
    return line->level >= reader->place.least && (!line->watched || reader->calls) &&
           (!reader->tool || strcmp(reader->tool, line->tool) == 0);
}

static void push_log_line(lua_State *L, const struct log_kept *line)
{
    static const char *const levels[] = { "debug", "info", "warning", "error" };

    lua_createtable(L, 0, 5);
    lua_pushnumber(L, line->time);
    lua_setfield(L, -2, "time");
    lua_pushstring(L, levels[line->level]);
    lua_setfield(L, -2, "level");
    if (*line->tool) {
        lua_pushstring(L, line->tool);
        lua_setfield(L, -2, "tool");
    }
    if (line->call) {
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, "call");
    }
    lua_pushlstring(L, line->text, line->len);
    lua_setfield(L, -2, "text");
}

/* Pushes the lines that are there, and how many were lost. */
static int push_log_lines(lua_State *L, struct reader *reader)
{
    struct log_kept line;
    lua_Integer count = 0;

    lua_newtable(L);
    value_mark_array(L, -1);
    while (count < LINES_AT_ONCE && log_reader_read(&reader->place, &line)) {
        if (!line_is_wanted(reader, &line))
            continue;
        push_log_line(L, &line);
        lua_rawseti(L, -2, ++count);
    }
    lua_pushinteger(L, (lua_Integer)reader->place.lost);
    reader->place.lost = 0;
    return 2;
}

/* reader:read() -> the lines that are there */
static int reader_read(lua_State *L)
{
    struct reader *reader = check_reader(L);

    luaL_argcheck(L, !reader->closed, 1, "it was closed");
    return push_log_lines(L, reader);
}

static void on_log_lines_added(struct wakeup *wakeup)
{
    struct log_reader *place = container_of(wakeup, struct log_reader, wakeup);

    wait_line_wake(&container_of(place, struct reader, place)->line);
}

static int take_log_lines(lua_State *L, enum wait_turn turn)
{
    struct reader *reader = check_reader(L);
    int top = lua_gettop(L);

    luaL_argcheck(L, turn != WAIT_BUSY, 1, "another task waits for its lines");
    luaL_argcheck(L, !reader->closed, 1, "it was closed");
    push_log_lines(L, reader);
    if (lua_rawlen(L, top + 1) || lua_tointeger(L, top + 2))
        return 2;
    log_reader_wait(&reader->place);
    return 0;
}

/* reader:next() -> lines, lost: waits until there is a line, or one was lost */
static int reader_next(lua_State *L)
{
    static const struct wait_kind kind = { "log lines", take_log_lines, false };

    return wait_in_line(L, &check_reader(L)->line, &kind, 0, WAIT_FOREVER);
}

/* --- opening ------------------------------------------------------------------------------- */

/* Moves the reader back, so that the last `last` lines that are wanted come first. */
static void go_back_lines(struct reader *reader, lua_Integer last)
{
    uint64_t end = reader->place.next;
    lua_Integer count = 0;
    struct log_kept line;

    log_reader_rewind(&reader->place);
    while (reader->place.next < end && log_reader_read(&reader->place, &line))
        count += line_is_wanted(reader, &line);
    log_reader_rewind(&reader->place);
    while (count > last && reader->place.next < end && log_reader_read(&reader->place, &line))
        count -= line_is_wanted(reader, &line);
    reader->place.lost = 0;
}

static enum log_level read_level(lua_State *L)
{
    enum log_level level = LOG_INFO;

    if (lua_getfield(L, 1, "level") != LUA_TNIL)
        luaL_argcheck(L, log_level_named(luaL_checkstring(L, -1), &level) && level < LOG_OFF, 1,
                      "level: debug, info, warning or error");
    lua_pop(L, 1);
    return level;
}

/* sys.console.read_log{level =, tool =, calls =, last =} */
int console_read_log(lua_State *L)
{
    static const char *const names[] = { "calls", "last", "level", "tool", NULL };
    struct reader *reader;
    enum log_level level;
    lua_Integer last;
    const char *tool;
    bool calls;

    luaL_checktype(L, 1, LUA_TTABLE);
    bind_check_fields(L, 1, names);
    level = read_level(L);
    last = (lua_Integer)bind_number(L, 1, "last", 0, 0, LOG_FEED_LINES);
    tool = bind_text(L, 1, "tool", NULL);
    calls = bind_flag(L, 1, "calls");
    reader = lua_newuserdatauv(L, sizeof *reader, 0);
    *reader = (struct reader){ .calls = calls, .closed = true };
    list_init(&reader->line.places);
    luaL_setmetatable(L, READER);
    log_reader_open(&reader->place, level);
    reader->place.wakeup.wake = on_log_lines_added;
    reader->closed = false;
    reader->tool = tool ? mem_strdup(tool) : NULL;
    if (calls)
        call_log_watched(true);
    go_back_lines(reader, last);
    return 1;
}

void console_log_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", reader_close },
                                     { "__gc", reader_close },
                                     { NULL, NULL } };
    static const luaL_Reg reader_methods[] = {
        { "close", reader_close }, { "next", reader_next }, { "read", reader_read }, { NULL, NULL }
    };

    bind_metatable(L, READER, meta, reader_methods);
}
