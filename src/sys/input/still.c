#include "sys/input/still.h"

#include <lauxlib.h>

#include "json/document.h"
#include "process/bus.h"
#include "script/bind.h"
#include "script/value.h"

/* Reads the calls of a field of the table at `at`. NULL: there are none. Raises. */
static struct bus_prepared *read_calls(lua_State *L, int at, const char *name)
{
    struct json_doc **calls;
    struct bus_prepared *prepared = NULL;
    struct buf *text;
    struct error err;
    int top = lua_gettop(L);

    if (lua_getfield(L, at, name) == LUA_TNIL) {
        lua_settop(L, top);
        return NULL;
    }
    luaL_argexpected(L, lua_istable(L, -1), 1, "list of calls in still");
    text = bind_buffer(L);
    calls = bind_document(L);
    if (!value_write_json(L, top + 1, text, &err) ||
        !(*calls = json_parse(text->data, text->len, NULL, &err)) ||
        !(prepared = bus_prepare(json_root(*calls), &err)))
        luaL_error(L, "still: %s", err.text);
    lua_settop(L, top);
    return prepared;
}

const struct input_still *still_read(lua_State *L, struct still *self)
{
    static const char *const names[] = { "window", "bus", "calls", "answers", "after", NULL };
    struct input_still *still = &self->wanted;
    int top = lua_gettop(L), at = top + 1;
    const char *bus;
    struct error err;

    if (lua_getfield(L, 1, "still") == LUA_TNIL) {
        lua_settop(L, top);
        return NULL;
    }
    luaL_argexpected(L, lua_istable(L, at), 1, "table in still");
    bind_check_fields(L, at, names);
    still->window = (uint64_t)bind_number(L, at, "window", 0, 0, UINT32_MAX);
    still->told = &self->told;
    bus = bind_text(L, at, "bus", NULL);
    still->calls = self->before = bus ? read_calls(L, at, "calls") : NULL;
    still->then = self->after = bus ? read_calls(L, at, "after") : NULL;
    lua_getfield(L, at, "answers"); /* still, answers */
    if (still->calls && !value_write_json(L, -1, &self->answers, &err))
        luaL_error(L, "still: %s", err.text);
    still->answers = buf_str(&self->answers);
    if (still->calls) {
        buf_add(&self->bus, bus, strlen(bus) + 1);
        still->bus = self->bus.data;
    }
    lua_settop(L, top);
    return still;
}

void still_free(struct still *self)
{
    bus_prepared_free(self->before);
    bus_prepared_free(self->after);
    buf_free(&self->bus);
    buf_free(&self->answers);
    buf_free(&self->told);
}
