/* sys.files -- the files of the roots, and loading one with stand-ins for the
 * sys modules it requires, so that its examples can be run. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "files/file.h"
#include "files/trust.h"
#include "registry/entry_load.h"
#include "registry/mount.h"
#include "registry/source_text.h"
#include "registry/test_file.h"
#include "script/bind.h"
#include "script/sandbox/module_name.h"
#include "script/task.h"
#include "script/value.h"
#include "sys/shared/tool_call.h"
#include "sys/sys.h"

enum { TRUSTED_BYTES = 4 * 1024 * 1024 };

static const char file_key;

/* --- sys.files.list() --------------------------------------------------------------- */

static const char *const source_kinds[] = { "tool",    "prompt", "provider", "resource",
                                            "command", "policy", "lib",      "service" };

static void set_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* Is the loaded entry of this kind the one of this file? */
static bool is_loaded_as(const struct generation *generation, const struct source *source,
                         enum entry_kind kind)
{
    const struct entry *entry = generation_find(generation, kind, source->name);

    return entry && strcmp(entry->path, source->path) == 0;
}

/* Rules and texts are files of prompts/, too; only their loaded form shows what they are. */
static const char *source_kind_of(const struct generation *generation, const struct source *source)
{
    if (is_loaded_as(generation, source, ENTRY_RULE))
        return "rule";
    if (is_loaded_as(generation, source, ENTRY_TEXT))
        return "text";
    return source_kinds[source->kind];
}

static void push_source(lua_State *L, const struct generation *generation,
                        const struct source *source, const char *root)
{
    lua_createtable(L, 0, 8);
    set_string(L, "kind", source_kind_of(generation, source));
    set_string(L, "name", source->name);
    set_string(L, "toolset", source->toolset);
    set_string(L, "path", source->path);
    set_string(L, "label", source->label);
    set_string(L, "root", root);
    if (source->foreign) {
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, "foreign");
    }
}

/* The files of one root or pack. */
struct place {
    const char *path; /* borrowed */
    bool pack;
    struct source_list files;
};

struct places {
    struct place *items;
    size_t count;
};

/* The file of the same name that counts instead; NULL: this file counts. A lib file of a later root
 * only shadows this one, since files of its own root still use it. A lib file of a pack shadows
 * none. */
static const struct source *overriding_source(const struct places *places,
                                              const struct place *place,
                                              const struct source *source)
{
    const struct source *first = source;
    bool lib = source->kind == SOURCE_LIB;

    for (size_t i = 0; i < places->count; i++) {
        const struct place *at = &places->items[i];
        const struct source *other = lib && (place->pack || at->pack)
                                         ? NULL
                                         : sources_find(&at->files, source->kind, source->name);

        if (other && source_precedes(other, first))
            first = other;
    }
    return first == source ? NULL : first;
}

static int list_protected(lua_State *L)
{
    const struct places *places = lua_touserdata(L, 1);
    const struct generation *generation = registry_current(sys_registry(L));
    lua_Integer n = 0;

    lua_newtable(L); /* files */
    for (size_t p = 0; p < places->count; p++) {
        const struct place *place = &places->items[p];

        for (size_t i = 0; i < place->files.count; i++) {
            const struct source *source = &place->files.items[i];
            const struct source *other = overriding_source(places, place, source);

            push_source(L, generation, source, place->path); /* files, file */
            if (other)
                set_string(L, source->kind == SOURCE_LIB ? "shadowed_by" : "overridden_by",
                           other->path);
            lua_rawseti(L, -2, ++n);
        }
    }
    value_mark_array(L, -1);
    return 1;
}

/* Looks at each root, and at each pack, by itself. */
static void look_at_places(struct registry *registry, struct places *places)
{
    struct packs *packs = registry_packs(registry);
    size_t roots, count = 0;
    char *const *paths = registry_roots(registry, &roots);
    const struct pack *all = NULL;

    if (packs) {
        packs_look(packs);
        all = packs_all(packs, &count);
    }
    places->items = mem_zero((roots + count + 1) * sizeof *places->items);
    places->count = roots + count;
    for (size_t i = 0; i < roots; i++) {
        places->items[i].path = paths[i];
        sources_scan(&places->items[i].files, &paths[i], 1, NULL);
        for (size_t f = 0; f < places->items[i].files.count; f++)
            places->items[i].files.items[f].root = i;
    }
    for (size_t i = 0; i < count; i++) {
        struct place *place = &places->items[roots + i];

        place->path = all[i].path;
        place->pack = true;
        sources_scan_pack(&place->files, &all[i], roots + i);
    }
}

static int files_list(lua_State *L)
{
    struct places places;
    int status;

    registry_current(sys_registry(L)); /* before the packs that the list borrows from */
    look_at_places(sys_registry(L), &places);
    lua_pushcfunction(L, list_protected);
    lua_pushlightuserdata(L, &places);
    status = lua_pcall(L, 1, 1, 0); /* files | error */
    for (size_t i = 0; i < places.count; i++)
        sources_free(&places.items[i].files);
    free(places.items);
    return status == LUA_OK ? 1 : lua_error(L);
}

/* --- the values of files -------------------------------------------------------------- */

static enum entry_kind check_kind(lua_State *L, int index)
{
    static const char *const kinds[] = { "tool",    "prompt", "rule",    "provider", "resource",
                                         "command", "policy", "service", "text",     NULL };

    return (enum entry_kind)luaL_checkoption(L, index, NULL, kinds);
}

static int not_loaded(lua_State *L)
{
    return bind_fail(L, "not_found", "there is no %s '%s', or its file did not load",
                     lua_tostring(L, 1), lua_tostring(L, 2));
}

static int command_table(lua_State *L)
{
    struct error err;
    struct entry *entry =
        registry_load_alone(sys_registry(L), SOURCE_COMMAND, luaL_checkstring(L, 2), &err);

    if (!entry)
        return bind_error(L, &err);
    entry_push_table(entry, L);
    entry_unref(entry);
    return 1;
}

/* sys.files.table(kind, name) */
static int files_table(lua_State *L)
{
    enum entry_kind kind = check_kind(L, 1);
    struct entry *entry;

    if (kind == ENTRY_COMMAND)
        return command_table(L);
    entry = generation_find(registry_current(sys_registry(L)), kind, luaL_checkstring(L, 2));
    if (!entry)
        return not_loaded(L);
    entry_push_table(entry, L);
    return 1;
}

/* sys.files.parameters(tool) -> the names of its parameters, in the order that the client sees */
static int files_parameters(lua_State *L)
{
    struct entry *entry =
        generation_tool(registry_current(sys_registry(L)), luaL_checkstring(L, 1));
    const cJSON *schema, *property;
    lua_Integer n = 0;

    if (!entry)
        return bind_fail(L, "unknown_tool", "there is no tool '%s'", lua_tostring(L, 1));
    schema = json_get(entry_definition(entry), "inputSchema");
    lua_newtable(L); /* names */
    cJSON_ArrayForEach (property, json_get(schema, "properties")) {
        struct str name = json_name(property);

        lua_pushlstring(L, name.ptr, name.len);
        lua_rawseti(L, -2, ++n);
    }
    value_mark_array(L, -1);
    return 1;
}

/* --- sys.files.load(kind, name, stand_in) ----------------------------------------------- */

struct file {
    struct entry *entry; /* counted */
    struct libs *libs;   /* counted */
    int stand_in;        /* registry ref: function(module) -> table | nil */
};

/* Equivalent to: local module = stand_in(name); return module ~= nil */
static bool push_stand_in(void *arg, lua_State *L, const char *module)
{
    const struct file *file = arg;

    lua_rawgeti(L, LUA_REGISTRYINDEX, file->stand_in);
    lua_pushstring(L, module);
    lua_call(L, 1, 1); /* module | nil; inside the protected call of the file that requires */
    if (!lua_isnil(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

static int file_gc(lua_State *L)
{
    struct file *file = lua_touserdata(L, 1);

    if (file->libs)
        sandbox_set_stand_in(libs_sandbox(file->libs), NULL, NULL);
    entry_unref(file->entry);
    libs_unref(file->libs);
    luaL_unref(L, LUA_REGISTRYINDEX, file->stand_in);
    *file = (struct file){ .stand_in = LUA_NOREF };
    return 0;
}

static struct file *check_file(lua_State *L)
{
    struct file *file = lua_touserdata(L, 1);
    bool ok = file && lua_getmetatable(L, 1);

    if (ok) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &file_key);
        ok = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    if (!ok)
        luaL_argerror(L, 1, "file expected; write file:name(...), with a colon");
    return file;
}

/* file:call(args [, options]) -> as sys.engine.call() */
static int file_call(lua_State *L)
{
    struct file *file = check_file(L);

    luaL_argcheck(L, file->entry->kind == ENTRY_TOOL, 1, "only a tool can be called");
    lua_settop(L, 3);
    return entry_call(L, file->entry, 2, 3, false);
}

/* file:read(uri) -> as sys.engine.read() */
static int file_read(lua_State *L)
{
    struct file *file = check_file(L);

    luaL_argcheck(L, file->entry->kind == ENTRY_RESOURCE, 1, "only a resource can be read");
    lua_settop(L, 3);
    return entry_read(L, file->entry, 2, 3);
}

static int file_table(lua_State *L)
{
    entry_push_table(check_file(L)->entry, L);
    return 1;
}

static void push_file_meta(lua_State *L)
{
    static const luaL_Reg loaded_methods[] = {
        { "call", file_call }, { "read", file_read }, { "table", file_table }, { NULL, NULL }
    };

    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &file_key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_createtable(L, 0, 3); /* mt */
    luaL_newlib(L, loaded_methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, file_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &file_key);
}

static const enum source_kind kinds_of_files[] = {
    SOURCE_TOOL,    SOURCE_PROMPT, SOURCE_PROMPT,  SOURCE_PROVIDER, SOURCE_RESOURCE,
    SOURCE_COMMAND, SOURCE_POLICY, SOURCE_SERVICE, SOURCE_PROMPT
};

static bool load_entry(lua_State *L, struct file *file, enum entry_kind kind, const char *name,
                       struct error *err)
{
    struct registry *registry = sys_registry(L);
    struct vm *vm = vm_of(L);
    struct source_list sources;
    const struct source *source;
    struct buf text = { 0 };

    registry_scan(registry, &sources);
    source = sources_find(&sources, kinds_of_files[kind], name);
    file->libs = registry_libs_apart(registry, &sources);
    sandbox_set_stand_in(libs_sandbox(file->libs), push_stand_in, file);
    if (!source)
        error_set(err, "not_found", "there is no file for '%s'", name);
    else if (source_text(source, LUA_FILE_MAX, &text, err))
        file->entry = entry_load(vm, file->libs, source, text.data, text.len, SANDBOX_LOAD_MS, err);
    buf_free(&text);
    sources_free(&sources);
    return file->entry != NULL;
}

static int files_load(lua_State *L)
{
    enum entry_kind kind = check_kind(L, 1);
    const char *name = luaL_checkstring(L, 2);
    bool as_it_is = lua_isnoneornil(L, 3);
    struct registry *registry = sys_registry(L);
    struct file *file;
    struct error err;

    if (!as_it_is)
        luaL_checktype(L, 3, LUA_TFUNCTION);
    if (!as_it_is && kind != ENTRY_COMMAND &&
        !generation_find(registry_current(registry), kind, name))
        return not_loaded(L);
    file = lua_newuserdatauv(L, sizeof *file, 0); /* file */
    *file = (struct file){ .stand_in = LUA_NOREF };
    push_file_meta(L);
    lua_setmetatable(L, -2);
    if (as_it_is) {
        file->entry = registry_load_alone(registry, kinds_of_files[kind], name, &err);
        if (file->entry && file->entry->console)
            return not_loaded(L);
        return file->entry ? 1 : bind_error(L, &err);
    }
    lua_pushvalue(L, 3);
    file->stand_in = luaL_ref(L, LUA_REGISTRYINDEX);
    return load_entry(L, file, kind, name, &err) ? 1 : bind_error(L, &err);
}

/* Moves the value that a file left on the main state to this state. */
static int move_value_here(lua_State *L, struct registry *registry)
{
    if (vm_lua(registry_vm(registry)) != L)
        lua_xmove(vm_lua(registry_vm(registry)), L, 1);
    return 1;
}

/* sys.files.lib(module, root, seconds) -> what requiring it gives to a file of that root | nil,
 * text, code */
static int files_lib(lua_State *L)
{
    struct registry *registry = sys_registry(L);
    const char *module = luaL_checkstring(L, 1), *root = luaL_optstring(L, 2, NULL);
    lua_Number most = SANDBOX_LOAD_MS / 1000.0, seconds = luaL_optnumber(L, 3, most);
    int home = root ? registry_home(registry, root) : HOME_NONE;
    struct error err;

    luaL_argcheck(L, seconds > 0 && seconds <= most, 3, "expected more than 0, at most 2 seconds");
    if (!registry_require(registry, home, module, (uint64_t)ceil(seconds * 1000), &err))
        return bind_error(L, &err);
    return move_value_here(L, registry);
}

/* sys.files.test(path) -> what a file of a root's tests/ returns | nil, text, code */
static int files_test(lua_State *L)
{
    struct registry *registry = sys_registry(L);
    struct error err;

    if (!test_file_run(registry, luaL_checkstring(L, 1), &err))
        return bind_error(L, &err);
    return move_value_here(L, registry);
}

/* --- the modules of sys ------------------------------------------------------------------ */

/* True if the module is in C; a part of it may still be Lua. */
static bool is_in_c(lua_State *L, const char *name)
{
    const char *each;

    for (int i = 0; (each = vm_module_name(vm_of(L), i)); i++)
        if (strcmp(each, name) == 0)
            return true;
    return false;
}

/* Adds to the list on top the names of the modules that are Lua alone. */
static void add_lua_modules(lua_State *L, const char *root)
{
    struct source_list sources;
    char *const roots[] = { (char *)(uintptr_t)root };

    sources_scan(&sources, roots, 1, NULL);
    for (size_t i = 0; i < sources.count; i++) {
        const struct source *source = &sources.items[i];

        if (source->kind != SOURCE_LIB || strncmp(source->name, "sys.", 4) != 0 ||
            is_in_c(L, source->name))
            continue;
        lua_pushstring(L, source->name);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    sources_free(&sources);
}

/* sys.files.modules() -> names of what `require "sys.NAME"` finds */
static int files_modules(lua_State *L)
{
    size_t count;
    char *const *roots = registry_roots(sys_registry(L), &count);
    const char *name;

    lua_newtable(L);
    value_mark_array(L, -1);
    for (int i = 0; (name = vm_module_name(vm_of(L), i)); i++) {
        if (strncmp(name, "sys.", 4) != 0)
            continue;
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    if (count)
        add_lua_modules(L, roots[0]);
    return 1;
}

/* Turns "sys.text" into the name of a file in a folder. */
static void file_of_module(char *name)
{
    for (; *name; name++)
        if (*name == '.')
            *name = '/';
}

/* sys.files.stub(module) -> the text that declares it | nil, text, code */
static int files_stub(lua_State *L)
{
    /* The places of a module's declaration: for C, and for Lua. */
    static const char *const places[] = { "%s/types/%s.lua", "%s/lib/%s.lua" };
    const char *name = luaL_checkstring(L, 1);
    size_t count;
    char *const *roots = registry_roots(sys_registry(L), &count);
    struct buf *text = bind_buffer(L);
    struct error err;

    error_set(&err, "not_found", "no module %s is declared", name);
    for (size_t i = 0; i < countof(places) && count && module_name_ok(name); i++) {
        char *inner = mem_strdup(name), *path;

        file_of_module(inner);
        path = mem_printf(places[i], roots[0], inner);
        if (file_read_all(path, LUA_FILE_MAX, text, &err))
            buf_addc(text, '\n');
        free(path);
        free(inner);
    }
    if (!text->len)
        return bind_error(L, &err);
    lua_pushlstring(L, text->data, text->len);
    buf_free(text);
    return 1;
}

/* sys.files.trusted(path) -> text, path | nil, text, code */
static int files_trusted(lua_State *L)
{
    struct buf *path = bind_buffer(L), *text = bind_buffer(L);
    char *real = path_expand_home(luaL_checkstring(L, 1));
    struct error err;

    buf_adds(path, real);
    free(real);
    if (!trust_read(buf_text(path), TRUST_RULES, TRUSTED_BYTES, text, &err))
        return bind_error(L, &err);
    lua_pushlstring(L, buf_text(text), text->len);
    lua_pushstring(L, buf_text(path));
    return 2;
}

static const luaL_Reg files_funcs[] = { { "lib", files_lib },
                                        { "list", files_list },
                                        { "load", files_load },
                                        { "look", sys_files_look },
                                        { "modules", files_modules },
                                        { "parameters", files_parameters },
                                        { "stub", files_stub },
                                        { "table", files_table },
                                        { "test", files_test },
                                        { "trusted", files_trusted },
                                        { NULL, NULL } };

int luaopen_sys_files(lua_State *L)
{
    luaL_newlib(L, files_funcs);
    return 1;
}
