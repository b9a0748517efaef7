/* sys.clipboard -- reading, writing, and the history of what was copied. */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "script/bind.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { TYPES_MAX = 64, ENTRY_BYTES = 4 << 20 };

struct clip_call {
    struct thread_call call;
    struct buf words; /* the types, each with its NUL */
    const char **types;
    size_t max_bytes, entries, entry_bytes;
    struct clip clip;
    struct clip_list history;
    struct clip_changes changes;
};

static void clip_call_clear(struct thread_call *call)
{
    struct clip_call *self = container_of(call, struct clip_call, call);

    buf_free(&self->words);
    free(self->types);
    clip_free(&self->clip);
    clip_list_free(&self->history);
}

/* `push` is like that of a call. */
static struct clip_call *new_call(lua_State *L, bool (*run)(struct thread_call *, struct error *),
                                  int (*push)(lua_State *L, struct thread_call *call))
{
    struct clip_call *self = thread_call_new(L, sizeof *self, clip_call_clear);

    self->call.queue = QUEUE_CLIPBOARD;
    self->call.run = run;
    self->call.push = push;
    return self;
}

/* --- reading --------------------------------------------------------------------------- */

static bool clipboard_read_run(struct thread_call *call, struct error *err)
{
    struct clip_call *self = container_of(call, struct clip_call, call);

    return call->ops->clipboard->read(call->desktop, call->deadline, self->types, self->max_bytes,
                                      &self->clip, err);
}

/* Sets clip.parts of the table on top. */
static void set_parts(lua_State *L, const struct clip *clip)
{
    lua_createtable(L, 0, (int)clip->count);
    for (size_t i = 0; i < clip->count; i++) {
        lua_pushlstring(L, clip->parts[i].data, clip->parts[i].len);
        lua_setfield(L, -2, clip->parts[i].type);
    }
    lua_setfield(L, -2, "parts");
}

static int clipboard_read_push(lua_State *L, struct thread_call *call)
{
    const struct clip *clip = &container_of(call, struct clip_call, call)->clip;

    lua_createtable(L, 0, 3); /* clip */
    set_parts(L, clip);
    lua_createtable(L, (int)clip->type_count, 0); /* clip, types */
    for (size_t i = 0; i < clip->type_count; i++) {
        lua_pushstring(L, clip->types[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "types");
    desktop_set_flag(L, "secret", clip->secret);
    return 1;
}

static void take_types(lua_State *L, int arg, struct clip_call *self)
{
    size_t count;
    const char *at;

    lua_pushliteral(L, "types");
    if (lua_rawget(L, arg) == LUA_TNIL) { /* list */
        lua_pop(L, 1);
        return;
    }
    if (!lua_istable(L, -1))
        bind_field_error(L, arg, "types", "list of media types expected");
    count = bind_words(L, arg, -1, "types", &self->words);
    lua_pop(L, 1);
    if (count > TYPES_MAX)
        bind_field_error(L, arg, "types", "too many");
    self->types = mem_zero((count + 1) * sizeof *self->types);
    at = self->words.data;
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
        self->types[i] = at;
}

static int clipboard_read(lua_State *L)
{
    static const char *const options[] = { "types", "max_bytes", "timeout", NULL };
    struct clip_call *self;

    desktop_check_options(L, 1, options);
    self = new_call(L, clipboard_read_run, clipboard_read_push);
    take_types(L, 1, self);
    self->max_bytes = (size_t)bind_number(L, 1, "max_bytes", CLIP_BYTES_MAX, 1, CLIP_BYTES_MAX);
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

/* --- writing --------------------------------------------------------------------------- */

static bool clipboard_write_run(struct thread_call *call, struct error *err)
{
    struct clip_call *self = container_of(call, struct clip_call, call);

    return call->ops->clipboard->write(call->desktop, call->deadline, &self->clip, err);
}

static void take_clip_parts(lua_State *L, int arg, struct clip *clip)
{
    for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) { /* type, bytes */
        const char *type = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        size_t len = 0;
        const char *bytes = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;

        if (!type || !bytes) {
            luaL_argerror(L, arg, "expected a table of media type to bytes");
            return;
        }
        luaL_argcheck(
            L, strcmp(type, "text") != 0 && strcmp(type, "html") != 0, arg,
            "'text' and 'html' are not media types. Use [\"text/plain\"] or [\"text/html\"]");
        clip_add(clip, type, bytes, len);
    }
    luaL_argcheck(L, clip->count > 0, arg, "it has no parts; clear() empties the clipboard");
}

static int clipboard_write(lua_State *L)
{
    static const char *const options[] = { "secret", "timeout", NULL };
    struct clip_call *self;

    luaL_checktype(L, 1, LUA_TTABLE);
    desktop_check_options(L, 2, options);
    self = new_call(L, clipboard_write_run, NULL);
    self->call.acts = true;
    take_clip_parts(L, 1, &self->clip);
    self->clip.secret = bind_flag(L, 2, "secret");
    return thread_call_on_desktop(L, &self->call, 2, DESKTOP_TIMEOUT_S);
}

static bool clipboard_clear_run(struct thread_call *call, struct error *err)
{
    return call->ops->clipboard->clear(call->desktop, call->deadline, err);
}

static int clipboard_clear(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    struct clip_call *self;

    desktop_check_options(L, 1, options);
    self = new_call(L, clipboard_clear_run, NULL);
    self->call.acts = true;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

/* --- history --------------------------------------------------------------------------- */

static bool clipboard_keep_run(struct thread_call *call, struct error *err)
{
    struct clip_call *self = container_of(call, struct clip_call, call);

    return call->ops->clipboard->keep_history(call->desktop, call->deadline, self->entries,
                                              self->entry_bytes, err);
}

static int clipboard_keep_history(lua_State *L)
{
    static const char *const options[] = { "entries", "entry_bytes", "timeout", NULL };
    struct clip_call *self;
    double entries;

    bind_check_fields(L, 1, options);
    entries = bind_number(L, 1, "entries", -1, 0, CLIP_HISTORY_MAX);
    if (entries < 0)
        bind_field_error(L, 1, "entries", "number expected, got nil");
    self = new_call(L, clipboard_keep_run, NULL);
    self->entries = (size_t)entries;
    self->entry_bytes = (size_t)bind_number(L, 1, "entry_bytes", ENTRY_BYTES, 1, CLIP_BYTES_MAX);
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

static bool history_run(struct thread_call *call, struct error *err)
{
    struct clip_call *self = container_of(call, struct clip_call, call);

    return call->ops->clipboard->history(call->desktop, call->deadline, &self->history, err);
}

static int history_push(lua_State *L, struct thread_call *call)
{
    const struct clip_list *history = &container_of(call, struct clip_call, call)->history;

    lua_createtable(L, (int)history->count, 0); /* entries */
    for (size_t i = 0; i < history->count; i++) {
        lua_createtable(L, 0, 2); /* entries, entry */
        set_parts(L, &history->items[i]);
        lua_pushnumber(L, (lua_Number)history->items[i].when / 1000);
        lua_setfield(L, -2, "when");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int clipboard_history(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };

    desktop_check_options(L, 1, options);
    return thread_call_on_desktop(L, &new_call(L, history_run, history_push)->call, 1,
                                  DESKTOP_TIMEOUT_S);
}

/* --- marks of copies ------------------------------------------------------------------ */

static bool changes_run(struct thread_call *call, struct error *err)
{
    struct clip_call *self = container_of(call, struct clip_call, call);

    return call->ops->clipboard->changes(call->desktop, call->deadline, &self->changes, err);
}

static int changes_push(lua_State *L, struct thread_call *call)
{
    const struct clip_changes *changes = &container_of(call, struct clip_call, call)->changes;

    lua_createtable(L, 0, 3);
    lua_pushinteger(L, (lua_Integer)changes->next);
    lua_setfield(L, -2, "next");
    desktop_set_flag(L, "changed", changes->changed);
    if (changes->by != CLIP_BY_UNKNOWN)
        desktop_set_flag(L, "own", changes->by == CLIP_BY_WINDOW);
    return 1;
}

static int clipboard_changes(lua_State *L)
{
    static const char *const options[] = { "since", "window", "timeout", NULL };
    struct clip_call *self;

    desktop_check_options(L, 1, options);
    self = new_call(L, changes_run, changes_push);
    self->changes.since = (uint64_t)bind_number(L, 1, "since", 0, 0, 0x1p53);
    self->changes.window = (uint64_t)bind_number(L, 1, "window", 0, 0, 0x1p53);
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

static const luaL_Reg clipboard_funcs[] = { { "changes", clipboard_changes },
                                            { "clear", clipboard_clear },
                                            { "history", clipboard_history },
                                            { "keep_history", clipboard_keep_history },
                                            { "read", clipboard_read },
                                            { "write", clipboard_write },
                                            { NULL, NULL } };

int luaopen_sys_clipboard(lua_State *L)
{
    luaL_newlib(L, clipboard_funcs);
    return 1;
}
