/* A function that tells takes the place of another (sys/shared/functions.h), by its line in the
 * list. Where nothing is to be told the work is a plain call in C. */
#include "sys/taint/sources.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/util.h"
#include "registry/call/call_struct.h"
#include "registry/call/caller.h"
#include "registry/call/gate.h"
#include "script/anchor.h"
#include "script/bind.h"
#include "sys/shared/functions.h"
#include "sys/taint/texts.h"

struct reader {
    const char *module, *function; /* or the metatable of a kind of userdata, and a method */
    const char *from;              /* "screen", "clipboard", "web", "mount" */
    const char *fields; /* only texts by these names, each with blanks around it; NULL: all texts */
    unsigned how;
};

enum {
    TELLS_FAILURES = 1,  /* the words of its failures may be those of others */
    CALLS_FUNCTIONS = 2, /* functions in a table among its arguments are told more, later */
};

#define FIELD  "before behind text"
#define TITLES "title"
#define NODES  "description name text value"
#define CLIENT (TELLS_FAILURES | CALLS_FUNCTIONS)

/* clang-format off */
static const struct reader readers[] = {
    { "sys.clipboard", "history", "clipboard", NULL, 0 },
    { "sys.clipboard", "read", "clipboard", NULL, 0 },
    { "sys.dbus", "calls", "screen", NULL, 0 },
    { "sys.dbus.Wire", "call", "screen", NULL, 0 },
    { "sys.dbus.Wire", "next", "screen", NULL, 0 },
    { "sys.element", "at", "screen", NODES, 0 },
    { "sys.element", "field", "screen", FIELD, 0 },
    { "sys.element", "get", "screen", NODES, 0 },
    { "sys.element", "text", "screen", NODES, 0 },
    { "sys.element", "tree", "screen", NODES, 0 },
    { "sys.events.Stream", "next", "screen", TITLES, 0 },
    { "sys.http", "request", "web", NULL, 0 },
    { "sys.http", "stream", "web", NULL, 0 },
    { "sys.http.Stream", "event", "web", NULL, 0 },
    { "sys.http.Stream", "read", "web", NULL, 0 },
    { "sys.mcp", "connect", "mount", NULL, CLIENT },
    { "sys.mcp.client", "call", "mount", NULL, CLIENT },
    { "sys.mcp.client", "complete", "mount", NULL, CLIENT },
    { "sys.mcp.client", "definitions", "mount", NULL, CLIENT },
    { "sys.mcp.client", "get_prompt", "mount", NULL, CLIENT },
    { "sys.mcp.client", "list_prompts", "mount", NULL, CLIENT },
    { "sys.mcp.client", "list_resources", "mount", NULL, CLIENT },
    { "sys.mcp.client", "list_templates", "mount", NULL, CLIENT },
    { "sys.mcp.client", "list_tools", "mount", NULL, CLIENT },
    { "sys.mcp.client", "log_level", "mount", NULL, CLIENT },
    { "sys.mcp.client", "ping", "mount", NULL, CLIENT },
    { "sys.mcp.client", "read", "mount", NULL, CLIENT },
    { "sys.mcp.client", "request", "mount", NULL, CLIENT },
    { "sys.mcp.client", "subscribe", "mount", NULL, CLIENT },
    { "sys.mcp.client", "unsubscribe", "mount", NULL, CLIENT },
    { "sys.mcp.client", "wait", "mount", NULL, CLIENT },
    { "sys.ocr", "read", "screen", "text", 0 },
    { "sys.osascript", "run", "screen", NULL, TELLS_FAILURES },
    { "sys.picture", "words", "screen", "text", 0 },
    { "sys.webhook.Listener", "next", "web", NULL, 0 },
    { "sys.window", "get", "screen", TITLES, 0 },
    { "sys.window", "list", "screen", TITLES, 0 },
    { "sys.window", "over", "screen", TITLES, 0 },
};
/* clang-format on */

static lua_CFunction reads[countof(readers)]; /* that do the work, once their module is open */

/* --- whose reading it is -----------------------------------------------------------------------
 */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

enum code { CODE_OF_LIBS, CODE_OF_POLICY, CODE_OF_FILE };

/* The code that this file name, as debug information has it, is of. */
static enum code code_of(const char *file)
{
    if (strcmp(file, "@policy.lua") == 0)
        return CODE_OF_POLICY;
    if (begins(file, "@lib/policy/")) /* the guard is below the code of every call */
        return strcmp(file, "@lib/policy/guard.lua") == 0 ? CODE_OF_FILE : CODE_OF_POLICY;
    return begins(file, "@lib/") || *file != '@' || !strchr(file, '/') ? CODE_OF_LIBS
                                                                       : CODE_OF_FILE;
}

/* The code that runs: the innermost that is not of a library. */
static enum code running_code(lua_State *L)
{
    lua_Debug frame;
    enum code code = CODE_OF_LIBS;

    for (int level = 1; code == CODE_OF_LIBS && lua_getstack(L, level, &frame); level++)
        if (lua_getinfo(L, "S", &frame))
            code = code_of(frame.source);
    return code;
}

/* Callers who may do everything: what they read is not compared with anything. */
static bool is_trusted(enum caller_kind kind)
{
    return kind == CALLER_TERMINAL || kind == CALLER_SCRIPT;
}

static bool is_call_of_user(lua_State *L, struct call *call)
{
    struct entry *entry = call->spec.entry;
    struct caller *caller = call_caller(call);

    return entry->libs && !entry_shipped(entry) && call->begun && caller &&
           !is_trusted(caller_kind(caller)) && running_code(L) != CODE_OF_POLICY;
}

/* Does a file of the user's read here, for a call or as a service? */
static bool is_for_user(lua_State *L)
{
    struct task *task = task_current(L);
    struct call *call = call_above(task);
    const char *owner;
    enum code code;

    if (!task || task_is_own(task))
        return false;
    if (call)
        return is_call_of_user(L, call);
    if (is_trusted(caller_default()))
        return false;
    code = running_code(L);
    owner = anchors_owner(L);
    return code == CODE_OF_FILE ||
           (code == CODE_OF_LIBS && owner && begins(owner, "service ") && !strchr(owner, ','));
}

/* --- texts -------------------------------------------------------------------------------------
 */

enum { TEXTS_MAX = 200000, DEPTH_MAX = 32 };

struct gathered {
    struct buf all; /* texts, one after the other, each behind its length */
    struct str
        said; /* that the code said itself, and that is no text of others: the URL of a request */
};

static void add_text(void *context, struct str text)
{
    struct gathered *gathered = context;

    if (str_same(text, gathered->said))
        return;
    buf_add(&gathered->all, (const char *)&text.len, sizeof text.len);
    buf_add(&gathered->all, text.ptr, text.len);
}

static bool is_field(const char *fields, struct str name)
{
    for (const char *at = fields; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == name.len && memcmp(at, name.ptr, name.len) == 0)
            return true;
    return false;
}

struct picking {
    const char *fields;
    struct gathered *to;
    size_t left;
};

/* Adds the texts of these names in the value on top. Runs no metamethod. */
static void pick_texts(lua_State *L, struct picking *picking, int depth)
{
    int top = lua_gettop(L);
    struct str name, text;

    if (!lua_istable(L, -1) || depth > DEPTH_MAX || !lua_checkstack(L, 4))
        return;
    lua_pushnil(L);
    while (picking->left && lua_next(L, top)) {
        picking->left--;
        if (lua_type(L, -1) == LUA_TTABLE) {
            pick_texts(L, picking, depth + 1);
        } else if (lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING) {
            name.ptr = lua_tolstring(L, -2, &name.len);
            text.ptr = lua_tolstring(L, -1, &text.len);
            if (is_field(picking->fields, name))
                add_text(picking->to, text);
        }
        lua_settop(L, top + 1);
    }
    lua_settop(L, top);
}

/* Adds the texts of a value, and those that the fields of an object have. */
static void gather_value(lua_State *L, int index, const char *fields, struct gathered *to)
{
    struct texts texts = { add_text, to, TEXTS_MAX, false };
    struct picking picking = { fields, to, TEXTS_MAX };

    luaL_checkstack(L, 4, NULL);
    lua_pushvalue(L, index);
    if (lua_type(L, -1) == LUA_TUSERDATA) {
        lua_getiuservalue(L, -1, 1);
        lua_remove(L, -2);
    }
    if (fields)
        pick_texts(L, &picking, 0);
    else
        texts_of(L, -1, &texts);
    lua_pop(L, 1);
}

/* Pushes the list of the texts. */
static void push_texts(lua_State *L, struct str all)
{
    lua_Integer count = 0;
    size_t len;

    lua_newtable(L);
    for (size_t at = 0; at < all.len; at += len) {
        memcpy(&len, all.ptr + at, sizeof len);
        at += sizeof len;
        lua_pushlstring(L, all.ptr + at, len);
        lua_rawseti(L, -2, ++count);
    }
}

#define GATHERED "sys.sources.gathered"

static int gathered_gc(lua_State *L)
{
    buf_free(&((struct gathered *)lua_touserdata(L, 1))->all);
    return 0;
}

static struct gathered *push_gathered(lua_State *L)
{
    struct gathered *gathered = lua_newuserdatauv(L, sizeof *gathered, 0);

    *gathered = (struct gathered){ 0 };
    luaL_setmetatable(L, GATHERED);
    return gathered;
}

/* --- URLs of streams ---------------------------------------------------------------------------
 */

static const char urls_key; /* key in the registry: a weak table from streams to their URLs */

/* Pushes the URL of a request, or of the stream that is the first argument; or nil. */
static void push_url(lua_State *L)
{
    if (lua_istable(L, 1)) {
        lua_pushliteral(L, "url");
        lua_rawget(L, 1);
        return;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &urls_key);
    lua_pushvalue(L, 1);
    lua_rawget(L, -2);
    lua_remove(L, -2);
}

/* Keeps the URL on top for a stream. */
static void keep_url(lua_State *L, int stream)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &urls_key);
    lua_pushvalue(L, stream);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* Pushes the scheme, the host and the port of a URL. */
static void push_origin(lua_State *L, const char *url)
{
    const char *host = strstr(url, "://") ? strstr(url, "://") + 3 : url;
    const char *end = host + strcspn(host, "/?#"), *from = end;

    while (from > host && from[-1] != '@')
        from--;
    lua_pushlstring(L, url, (size_t)(host - url));
    lua_pushlstring(L, from, (size_t)(end - from));
    lua_concat(L, 2);
}

/* After a redirect the text is from where it led. Of that URL no word is the caller's own, so only
 * its origin takes the place of the URL at 1. The answer is behind it. */
static void follow_url(lua_State *L)
{
    int top = lua_gettop(L);

    if (!lua_isstring(L, 1) || !(lua_istable(L, 2) || lua_isuserdata(L, 2)))
        return;
    if (lua_getfield(L, 2, "url") == LUA_TSTRING && !lua_rawequal(L, 1, -1)) {
        push_origin(L, lua_tostring(L, -1));
        lua_replace(L, 1);
    }
    lua_settop(L, top);
}

/* --- telling -----------------------------------------------------------------------------------
 */

/* Tells of the values from `first` to `last`. The URL that they are from, or nil, is on top. */
static void tell_values(lua_State *L, const struct reader *reader, int first, int last, bool to_all)
{
    int url = lua_gettop(L);
    struct gathered *gathered = push_gathered(L);

    if (lua_type(L, url) == LUA_TSTRING)
        gathered->said.ptr = lua_tolstring(L, url, &gathered->said.len);
    for (int i = first; i <= last; i++)
        gather_value(L, i, reader->fields, gathered);
    if (gathered->all.len) {
        push_texts(L, buf_str(&gathered->all));
        gate_note_reading(L, to_all ? NULL : call_above(task_current(L)), to_all, reader->from,
                          url);
    }
    lua_settop(L, url);
}

/* A function that is told by those of others: all that it is told counts as given to everyone,
 * because it may be called when the call that passed it on is over. Upvalues: the function, and the
 * line in the list. */
static int heard(lua_State *L, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    return lua_gettop(L);
}

static int hear(lua_State *L)
{
    const struct reader *reader = lua_touserdata(L, lua_upvalueindex(2));
    int last = lua_gettop(L);

    lua_pushnil(L);
    tell_values(L, reader, 1, last, true);
    lua_settop(L, last);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_callk(L, last, LUA_MULTRET, 0, heard);
    return heard(L, LUA_OK, 0);
}

/* Puts a copy of a table among the arguments in its place, whose functions tell what they are told.
 */
static void tap_functions(lua_State *L, int arg, const struct reader *reader)
{
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, arg)) {
        if (lua_isfunction(L, -1)) {
            lua_pushlightuserdata(L, (void *)reader);
            lua_pushcclosure(L, hear, 2);
        }
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_replace(L, arg);
}

static bool has_functions(lua_State *L, int arg)
{
    lua_pushnil(L);
    while (lua_next(L, arg)) {
        bool is = lua_isfunction(L, -1);

        lua_pop(L, 1);
        if (!is)
            continue;
        lua_pop(L, 1);
        return true;
    }
    return false;
}

/* --- the work ----------------------------------------------------------------------------------
 */

/* Does an error name a line of Lua? */
static bool has_place(const char *text)
{
    const char *line = strchr(text, ':');

    return line && line[1] >= '0' && line[1] <= '9' &&
           line[1 + strspn(line + 1, "0123456789")] == ':';
}

/* An error of the work: as it would be if the function stood there itself, with its place and its
 * name. */
static int raise_as_before(lua_State *L, const struct reader *reader)
{
    static const char unnamed[] = "bad argument #";
    const char *text = lua_tostring(L, -1), *rest = text ? strstr(text, " to '?' (") : NULL;
    bool method = !begins(reader->module, "sys.") || strchr(reader->module + 4, '.');
    int arg;

    if (task_late(L) || lua_type(L, -1) != LUA_TSTRING || has_place(text))
        return lua_error(L);
    if (!rest || !begins(text, unnamed))
        return luaL_error(L, "%s", text);
    arg = (int)strtol(text + sizeof unnamed - 1, NULL, 10) - method;
    if (!arg)
        return luaL_error(L, "calling '%s' on bad self%s", reader->function, rest + 7);
    return luaL_error(L, "bad argument #%d to '%s'%s", arg, reader->function, rest + 7);
}

/* The URL, or nil, is at 1; the results are behind it. */
static int tell(lua_State *L, int status, lua_KContext context)
{
    const struct reader *reader = &readers[context];
    int last = lua_gettop(L);

    if (status != LUA_OK && status != LUA_YIELD)
        return raise_as_before(L, reader);
    luaL_checkstack(L, 8, NULL);
    follow_url(L);
    lua_pushvalue(L, 1);
    if (last > 1 && (!lua_isnil(L, 2) || reader->how & TELLS_FAILURES))
        tell_values(L, reader, 2, last, false);
    if (lua_isuserdata(L, 2) && lua_isstring(L, 1))
        keep_url(L, 2);
    lua_settop(L, last);
    return last - 1;
}

/* A function that tells. */
static int read_and_tell(lua_State *L)
{
    const struct reader *reader = functions_line(L, readers, sizeof readers);
    int count = lua_gettop(L);

    if (!is_for_user(L))
        return reads[reader - readers](L);
    luaL_checkstack(L, 8, NULL);
    for (int i = 1; reader->how & CALLS_FUNCTIONS && i <= count; i++)
        if (lua_istable(L, i) && has_functions(L, i))
            tap_functions(L, i, reader);
    if (strcmp(reader->from, "web") == 0)
        push_url(L);
    else
        lua_pushnil(L);
    lua_insert(L, 1);
    functions_push_work(L, reads[reader - readers], reader);
    lua_insert(L, 2); /* url, work, arguments */
    return tell(L, lua_pcallk(L, count, LUA_MULTRET, 0, reader - readers, tell), reader - readers);
}

static void make_tables(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", gathered_gc }, { NULL, NULL } };

    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &urls_key) == LUA_TNIL) {
        bind_metatable(L, GATHERED, meta, NULL);
        lua_newtable(L);
        lua_createtable(L, 0, 1);
        lua_pushliteral(L, "k");
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &urls_key);
    }
    lua_pop(L, 1);
}

void sources_wrap(lua_State *L, const char *module)
{
    make_tables(L);
    for (size_t i = 0; i < countof(readers); i++) {
        lua_CFunction work = functions_replace(L, module, readers[i].module, readers[i].function,
                                               read_and_tell, &readers[i]);

        if (work)
            reads[i] = work;
    }
}
