/* The methods of what Lua code knows as `call`: progress, log lines, and the blocks that results
 * are made of. */
#include "registry/call/call.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "base/base64.h"
#include "registry/call/call_ask.h"
#include "registry/call/gate.h"
#include "registry/call/handle.h"
#include "script/bind.h"
#include "script/value.h"

static const char result_key, contents_key;

static void pass_on_progress(struct call *call, double done, double total, const char *message);

/* Beyond what was told before, as the protocol wants it: by next to nothing if need be. */
static double next_progress(double last)
{
    return last + fmax(1, fabs(last)) * 1e-9;
}

static void tell_progress(struct call *call, double done, double total, const char *message)
{
    call->last_progress = done;
    call->last_total = total;
    if (call->spec.progress)
        call->spec.progress(call->spec.arg, done, total, message);
    else
        pass_on_progress(call, done, total, message);
}

/* The call that made this one hears of it. One that counts by itself keeps its numbers, and passes
 * on the message; otherwise the steps of those that it makes are its own, one after another. */
static void pass_on_progress(struct call *call, double done, double total, const char *message)
{
    struct call *parent = call_parent(call);

    if (!parent)
        return;
    if (parent->own_progress > -HUGE_VAL) {
        done = next_progress(parent->last_progress);
        tell_progress(parent, done, done > parent->last_total ? NAN : parent->last_total, message);
        return;
    }
    if (isnan(call->base_progress))
        call->base_progress = fmax(0, parent->last_progress);
    if (call->base_progress + done > parent->last_progress)
        tell_progress(parent, call->base_progress + done, call->base_progress + total, message);
}

void call_report_progress(struct call *call, double done, double total, const char *message)
{
    if (!call || !(done > call->own_progress))
        return; /* the protocol wants it to grow */
    gate_note_text(call, message);
    call->own_progress = done;
    tell_progress(call, done > call->last_progress ? done : next_progress(call->last_progress),
                  total, message);
}

static int call_progress(lua_State *L)
{
    struct call *call = call_check(L);
    double done = luaL_checknumber(L, 2);
    double total = luaL_optnumber(L, 3, NAN);

    call_report_progress(call, done, total, luaL_optstring(L, 4, NULL));
    return 0;
}

void call_report_log(struct call *call, lua_State *L, int level)
{
    static const char *const levels[] = { "debug",    "info",  "notice",    "warning", "error",
                                          "critical", "alert", "emergency", NULL };
    const char *word = levels[luaL_checkoption(L, level, NULL, levels)];
    const char *logger = luaL_optstring(L, level + 2, NULL);

    luaL_checkany(L, level + 1);
    if (call)
        gate_note_value(call, L, level + 1);
    if (call && !call->spec.log)
        call = call_with_client(call);
    if (call && call->spec.log)
        call->spec.log(call->spec.arg, word, logger, L, level + 1);
}

static int call_log(lua_State *L)
{
    call_report_log(call_check(L), L, 2);
    return 0;
}

static bool table_has_mark(lua_State *L, int index, const void *key)
{
    bool same;

    if (!lua_istable(L, index) || !lua_getmetatable(L, index))
        return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

static int mark_table(lua_State *L, const void *key)
{
    call_check_handle(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    lua_setmetatable(L, 2);
    return 1;
}

/* The block on top, the `at`th of result.content: members without which no client can read it. */
static void check_block(lua_State *L, int at)
{
    static const struct {
        const char *type, *members[2];
    } kinds[] = { { "text", { "text" } },
                  { "image", { "data", "mimeType" } },
                  { "audio", { "data", "mimeType" } },
                  { "resource", { "resource" } },
                  { "resource_link", { "uri" } } }; /* mounted servers leave its name out */
    const char *type = "";
    char name[32], what[100];

    snprintf(name, sizeof name, "content[%d]", at);
    if (lua_istable(L, -1) && lua_getfield(L, -1, "type") == LUA_TSTRING)
        type = lua_tostring(L, -1);
    else
        bind_field_error(L, 2, name, "a block is a table with a type. Write call:text(...)");
    for (size_t i = 0; i < 2 * countof(kinds); i++) {
        const char *member = kinds[i / 2].members[i % 2];

        if (!member || strcmp(kinds[i / 2].type, type) != 0)
            continue;
        snprintf(what, sizeof what, "a block of type \"%s\" needs `%s`", type, member);
        if (lua_getfield(L, -2, member) !=
            (strcmp(member, type) == 0 && *type == 'r' ? LUA_TTABLE : LUA_TSTRING))
            bind_field_error(L, 2, name, what);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void check_content(lua_State *L)
{
    int type = lua_getfield(L, 2, "content");

    if (type != LUA_TNIL && type != LUA_TTABLE)
        bind_field_error(L, 2, "content", "a list of blocks expected");
    for (int i = 1; type == LUA_TTABLE && lua_geti(L, 3, i) != LUA_TNIL; i++) {
        check_block(L, i);
        lua_settop(L, 3);
    }
    lua_settop(L, 2);
}

/* Checks the members of results of tools, prompts and resources. Only those of files: results of
 * mounted servers are handed on whole. The last three come from client:call() of sys.mcp. */
static void check_result(lua_State *L, const struct entry *entry)
{
    static const char *const tool[] = {
        "content", "structuredContent", "isError", "_meta", "members", "resultType", "text",
        "code",    "timed_out",         NULL
    };
    static const char *const prompt[] = { "messages", "description", "_meta", NULL };
    static const char *const resource[] = { "contents", "_meta", NULL };

    if (!entry || !entry->libs)
        return;
    bind_check_fields(L, 2,
                      entry->kind == ENTRY_PROMPT     ? prompt
                      : entry->kind == ENTRY_RESOURCE ? resource
                                                      : tool);
    if (lua_getfield(L, 2, "text") != LUA_TNIL && lua_getfield(L, 2, "content") == LUA_TNIL &&
        lua_getfield(L, 2, "structuredContent") == LUA_TNIL)
        bind_field_error(L, 2, "text", "no client reads it. Write content = {call:text(...)}");
    lua_settop(L, 2);
    if (entry->kind == ENTRY_TOOL)
        check_content(L);
}

/* call:result{content = {...}, ...} -> the same table, marked */
static int call_result(lua_State *L)
{
    struct call *call = call_check(L);

    if (call)
        check_result(L, call->spec.entry);
    return mark_table(L, &result_key);
}

/* call:contents{ {text = ...}, {uri = ..., blob = ...} } -> the same table, marked */
static int call_contents(lua_State *L)
{
    return mark_table(L, &contents_key);
}

static const char *const shared[] = { "annotations", "_meta", NULL };

/* block = {type = TYPE}; with what options (an index, or 0) say for any block. They may have no
 * other names than these. */
static void push_block(lua_State *L, const char *type, int options, const char *const *names)
{
    if (options && !lua_isnoneornil(L, options) && names)
        bind_check_fields(L, options, names);
    lua_createtable(L, 0, 4); /* block */
    lua_pushstring(L, type);
    lua_setfield(L, -2, "type");
    for (size_t i = 0; options && lua_istable(L, options) && shared[i]; i++) {
        lua_getfield(L, options, shared[i]);
        lua_setfield(L, -2, shared[i]);
    }
}

static void set_base64(lua_State *L, const char *key, const char *bytes, size_t len)
{
    luaL_Buffer text;

    base64_encode(luaL_buffinitsize(L, &text, base64_length(len)), bytes, len);
    luaL_pushresultsize(&text, base64_length(len));
    lua_setfield(L, -2, key);
}

/* call:text(text [, options]) */
static int call_text(lua_State *L)
{
    call_check_handle(L);
    luaL_checkstring(L, 2);
    push_block(L, "text", 3, shared);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "text");
    return 1;
}

static int media_block(lua_State *L, const char *type)
{
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);

    call_check_handle(L);
    luaL_checkstring(L, 3);
    push_block(L, type, 4, shared);
    lua_pushvalue(L, 3);
    lua_setfield(L, -2, "mimeType");
    set_base64(L, "data", bytes, len);
    return 1;
}

static int call_image(lua_State *L)
{
    return media_block(L, "image");
}

static int call_audio(lua_State *L)
{
    return media_block(L, "audio");
}

/* block[key] = options[key]; raises when it is no text and has to be one. */
static void copy_field(lua_State *L, const char *key, bool needed)
{
    if (lua_getfield(L, 2, key) == LUA_TSTRING || (!needed && !lua_isnil(L, -1)))
        lua_setfield(L, -2, key);
    else if (needed)
        luaL_error(L, "bad argument #1 (field '%s': string expected)", key);
    else
        lua_pop(L, 1);
}

/* call:link{uri =, name =, ...} */
static int call_link(lua_State *L)
{
    static const char *const others[] = { "title", "description", "mimeType", "size", "icons" };
    static const char *const names[] = { "uri",  "name",  "title",       "description", "mimeType",
                                         "size", "icons", "annotations", "_meta",       NULL };

    call_check_handle(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    push_block(L, "resource_link", 2, names);
    copy_field(L, "uri", true);
    copy_field(L, "name", true);
    for (size_t i = 0; i < countof(others); i++)
        copy_field(L, others[i], false);
    return 1;
}

/* call:resource{uri =, mimeType =, text = | blob =} */
static int call_resource(lua_State *L)
{
    static const char *const names[] = { "uri",         "mimeType", "text", "blob",
                                         "annotations", "_meta",    NULL };
    size_t len;
    const char *bytes;

    call_check_handle(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    push_block(L, "resource", 2, names); /* block */
    lua_createtable(L, 0, 3);            /* block, resource */
    copy_field(L, "uri", true);
    copy_field(L, "mimeType", false);
    if (lua_getfield(L, 2, "blob") == LUA_TSTRING) { /* block, resource, blob */
        bytes = lua_tolstring(L, -1, &len);
        lua_insert(L, -3); /* blob, block, resource: it stays alive */
        set_base64(L, "blob", bytes, len);
    } else {
        lua_pop(L, 1);
        copy_field(L, "text", true);
    }
    lua_setfield(L, -2, "resource");
    return 1;
}

static int call_updated(lua_State *L)
{
    struct call *call = call_check(L);

    if (call && call->spec.updated)
        call->spec.updated(call->spec.arg);
    return 0;
}

/* call:via() -> the names of the calls that led to this one, the first that was made last */
static int call_via(lua_State *L)
{
    struct call *call = call_check(L);
    lua_Integer n = 0;

    lua_newtable(L);
    while (call && (call = call_parent(call))) {
        lua_pushstring(L, call->spec.entry->name);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

static const luaL_Reg call_methods[] = { { "ask", call_ask },
                                         { "audio", call_audio },
                                         { "can", call_can },
                                         { "contents", call_contents },
                                         { "image", call_image },
                                         { "inputs", call_inputs },
                                         { "link", call_link },
                                         { "log", call_log },
                                         { "progress", call_progress },
                                         { "resource", call_resource },
                                         { "result", call_result },
                                         { "roots", call_roots },
                                         { "sample", call_sample },
                                         { "text", call_text },
                                         { "updated", call_updated },
                                         { "via", call_via },
                                         { NULL, NULL } };

static void make_mark(lua_State *L, const void *key)
{
    lua_createtable(L, 0, 1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

int call_init(lua_State *L)
{
    call_handle_init(L, call_methods);
    make_mark(L, &result_key);
    make_mark(L, &contents_key);
    call_ask_init(L);
    return 0;
}

bool call_is_result(lua_State *L, int index)
{
    return table_has_mark(L, index, &result_key);
}

bool call_is_contents(lua_State *L, int index)
{
    return table_has_mark(L, index, &contents_key);
}
