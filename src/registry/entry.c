/* From a file's table to a checked, serialised definition.
 *
 * The definition is written once as JSON when the file is loaded; a list is then
 * a concatenation, and schemas keep the key order their tables carry. */
#include "registry/entry.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "io/file.h"
#include "registry/shape.h"
#include "script/value.h"
#include "script/vm.h"
#include "json/writer.h"

#ifdef __APPLE__
#define PLATFORM "macos"
#else
#define PLATFORM "linux"
#endif

struct loading {
    struct entry *entry;
    struct error *err;
    bool ok;
};

/* --- pieces of a definition; the table is at index 1 of a protected call ------- */

static bool write_field(lua_State *L, struct buf *out, const char *key, struct error *err)
{
    struct error inner;
    bool ok = true;

    if (lua_getfield(L, 1, key) != LUA_TNIL) {
        buf_addf(out, ",\"%s\":", key);
        ok = value_write_json(L, -1, out, &inner);
        if (!ok)
            error_set(err, "bad_key", "%s: %s", key, inner.text);
    }
    lua_pop(L, 1);
    return ok;
}

/* All four hints are written: clients read an absent one as the worst case. */
static void write_annotations(lua_State *L, struct buf *out)
{
    static const struct {
        const char *name;
        const char *absent;
    } hints[] = { { "readOnlyHint", "false" },
                  { "destructiveHint", "true" },
                  { "idempotentHint", "false" },
                  { "openWorldHint", "true" } };
    size_t len;
    const char *title;

    lua_getfield(L, 1, "annotations"); /* annotations | nil */
    bool given = lua_istable(L, -1);
    buf_lit(out, ",\"annotations\":{");
    for (size_t i = 0; i < countof(hints); i++) {
        if (given)
            lua_getfield(L, -1, hints[i].name);
        else
            lua_pushnil(L);
        buf_addf(out, "%s\"%s\":%s", i ? "," : "", hints[i].name,
                 lua_isnil(L, -1)       ? hints[i].absent
                 : lua_toboolean(L, -1) ? "true"
                                        : "false");
        lua_pop(L, 1);
    }
    if (given && lua_getfield(L, -1, "title") == LUA_TSTRING) {
        title = lua_tolstring(L, -1, &len);
        buf_lit(out, ",\"title\":");
        json_write_string(out, title, len);
    }
    buf_addc(out, '}');
}

static void read_aliases(lua_State *L, struct entry *entry)
{
    if (lua_getfield(L, 1, "aliases") == LUA_TTABLE) {
        size_t count = lua_rawlen(L, -1);

        entry->aliases = mem_zero(count * sizeof *entry->aliases + 1);
        for (size_t i = 0; i < count; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            entry->aliases[entry->alias_count++] = mem_strdup(lua_tostring(L, -1));
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

static bool read_platforms(lua_State *L)
{
    bool here = true;

    if (lua_getfield(L, 1, "platforms") == LUA_TTABLE) {
        here = false;
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
            here |= strcmp(lua_tostring(L, -1), PLATFORM) == 0;
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return here;
}

/* `listed`, and whether one of `programs` is there. */
static bool read_listed(lua_State *L)
{
    bool listed = lua_getfield(L, 1, "listed") == LUA_TNIL || lua_toboolean(L, -1);

    lua_pop(L, 1);
    if (lua_getfield(L, 1, "programs") == LUA_TTABLE && listed) {
        listed = false;
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
            listed = listed || file_on_path(lua_tostring(L, -1));
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return listed;
}

static bool compile_schema(struct entry *entry, const char *key, struct schema **schema,
                           struct error *err)
{
    const cJSON *node = json_get(json_root(entry->definition), key);
    const cJSON *type = json_get(node, "type");
    struct error inner;

    if (!node)
        return true;
    if (!cJSON_IsObject(node) || !cJSON_IsString(type) || strcmp(type->valuestring, "object") != 0)
        return error_set(err, "bad_schema", "%s: its root must be {type = \"object\", ...}", key);
    *schema = schema_compile(node, &inner);
    if (!*schema)
        return error_set(err, "bad_schema", "%s: %s", key, inner.text);
    return true;
}

static void take_definition(struct entry *entry, struct buf *out, struct error *err)
{
    entry->definition = json_parse(out->data, out->len, NULL, err);
    entry->wire_len = out->len;
    entry->wire = buf_take(out);
}

static bool define_tool(lua_State *L, struct entry *entry, struct buf *out, struct error *err)
{
    buf_lit(out, "{\"name\":");
    json_write_string(out, entry->name, strlen(entry->name));
    if (!write_field(L, out, "title", err) || !write_field(L, out, "description", err) ||
        !write_field(L, out, "icons", err) || !write_field(L, out, "inputSchema", err) ||
        !write_field(L, out, "outputSchema", err))
        return false;
    write_annotations(L, out);
    if (!write_field(L, out, "_meta", err))
        return false;
    buf_addc(out, '}');
    take_definition(entry, out, err);
    if (!entry->definition || !compile_schema(entry, "inputSchema", &entry->input, err) ||
        !compile_schema(entry, "outputSchema", &entry->output, err))
        return false;
    read_aliases(L, entry);
    entry->listed = read_listed(L);
    lua_getfield(L, 1, "timeout");
    entry->timeout_ms = lua_isnumber(L, -1) ? (uint64_t)ceil(lua_tonumber(L, -1) * 1000) : 0;
    return true;
}

static bool define_prompt(lua_State *L, struct entry *entry, struct buf *out, struct error *err)
{
    buf_lit(out, "{\"name\":");
    json_write_string(out, entry->name, strlen(entry->name));
    if (!write_field(L, out, "title", err) || !write_field(L, out, "description", err) ||
        !write_field(L, out, "icons", err) || !write_field(L, out, "arguments", err))
        return false;
    buf_addc(out, '}');
    take_definition(entry, out, err);
    return entry->definition != NULL;
}

/* --- the protected part ------------------------------------------------------------ */

static int out_gc(lua_State *L)
{
    buf_free(lua_touserdata(L, 1));
    return 0;
}

static struct buf *push_out(lua_State *L)
{
    struct buf *out = lua_newuserdatauv(L, sizeof *out, 0);

    *out = (struct buf){ 0 };
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, out_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return out;
}

static bool has_function(lua_State *L, const char *key)
{
    bool is = lua_getfield(L, 1, key) == LUA_TFUNCTION;

    lua_pop(L, 1);
    return is;
}

/* A prompts/ file with `parse` is a rule of the agent. */
static void settle_kind(lua_State *L, struct entry *entry)
{
    if (entry->kind == ENTRY_PROMPT && has_function(L, "parse"))
        entry->kind = ENTRY_RULE;
}

/* Most tools do not ask for the call object; then none is made. */
static bool takes_call(lua_State *L)
{
    lua_Debug info;

    lua_pushvalue(L, -1);
    lua_getinfo(L, ">u", &info);
    return info.nparams > 1 || info.isvararg;
}

/* (table, loading) */
static int define_protected(lua_State *L)
{
    static const char *const functions[] = { "run", "render", "parse", "complete" };
    struct loading *loading = lua_touserdata(L, 2);
    struct entry *entry = loading->entry;
    struct buf *out = push_out(L);

    settle_kind(L, entry);
    if (!shape_check(L, 1, entry->kind, loading->err))
        return 0;
    entry->here = read_platforms(L);
    if (entry->kind == ENTRY_TOOL && !define_tool(L, entry, out, loading->err))
        return 0;
    if (entry->kind == ENTRY_PROMPT && !define_prompt(L, entry, out, loading->err))
        return 0;
    lua_getfield(L, 1, functions[entry->kind]);
    entry->takes_call = takes_call(L);
    entry->run = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, 1);
    entry->table = luaL_ref(L, LUA_REGISTRYINDEX);
    loading->ok = true;
    return 0;
}

/* The file's value is on the main state; pops it. */
static bool define(struct entry *entry, struct error *err)
{
    lua_State *L = vm_lua(entry->vm);
    struct loading loading = { entry, err, false };

    if (!lua_istable(L, -1)) {
        error_set(err, "bad_file", "it must return a table, not %s", luaL_typename(L, -1));
        lua_pop(L, 1);
        return false;
    }
    lua_pushcfunction(L, define_protected);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, &loading);
    return vm_call(entry->vm, 2, 0, SANDBOX_LOAD_MS, err) && loading.ok;
}

struct entry *entry_load(struct vm *vm, struct libs *libs, const struct source *source,
                         const char *text, size_t len, struct error *err)
{
    static const enum entry_kind kinds[] = { ENTRY_TOOL, ENTRY_PROMPT, ENTRY_PROVIDER };
    struct entry *entry;
    struct error inner = { .text = "" };

    if (!sandbox_run(libs_sandbox(libs), source->label, text, len, &inner)) {
        if (strstr(inner.text, source->label))
            error_set(err, inner.code, "%s", inner.text);
        else /* bytecode, out of memory or time, a lib file: Lua does not name this one */
            error_set(err, inner.code, "%s: %s", source->label, inner.text);
        return NULL;
    }
    entry = mem_zero(sizeof *entry);
    entry->vm = vm;
    entry->libs = libs_ref(libs);
    entry->refs = 1;
    entry->kind = kinds[source->kind];
    entry->table = entry->run = LUA_NOREF;
    entry->name = mem_strdup(source->name);
    entry->toolset = mem_strdup(source->toolset);
    entry->path = mem_strdup(source->path);
    entry->label = mem_strdup(source->label);
    entry->stamp = source->stamp;
    if (define(entry, &inner))
        return entry;
    entry_unref(entry);
    error_set(err, inner.code, "%s: %s", source->label, inner.text);
    return NULL;
}

struct entry *entry_ref(struct entry *entry)
{
    entry->refs++;
    return entry;
}

void entry_unref(struct entry *entry)
{
    lua_State *L;

    if (!entry || --entry->refs > 0)
        return;
    L = vm_lua(entry->vm);
    luaL_unref(L, LUA_REGISTRYINDEX, entry->run);
    luaL_unref(L, LUA_REGISTRYINDEX, entry->table);
    libs_unref(entry->libs);
    for (size_t i = 0; i < entry->alias_count; i++)
        free(entry->aliases[i]);
    free(entry->aliases);
    schema_free(entry->input);
    schema_free(entry->output);
    json_doc_free(entry->definition);
    free(entry->wire);
    free(entry->name);
    free(entry->toolset);
    free(entry->path);
    free(entry->label);
    free(entry);
}

void entry_push_run(struct entry *entry, lua_State *L)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->run);
}

void entry_push_table(struct entry *entry, lua_State *L)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->table);
}
