/* From a file's table to a checked, serialized definition.
 *
 * The definition is written once as JSON when the file is loaded; a list is then
 * a concatenation, and schemas keep the key order their tables carry. */
#include "registry/entry_load.h"

#include <ctype.h>
#include <lauxlib.h>

#include "registry/define.h"
#include "registry/foreign.h"
#include "registry/shape.h"
#include "registry/source_text.h"
#include "script/budget.h"
#include "script/purity.h"
#include "script/vm.h"

/* A file that takes longer is loaded again with the others, not while a call waits for it. */
enum { KEPT_MS = 50 };

struct entry_load {
    struct entry *entry;
    struct error *err;
    bool ok;
};

/* --- the protected part ------------------------------------------------------------ */

static int out_gc(lua_State *L)
{
    buf_free(lua_touserdata(L, 1));
    return 0;
}

static struct buf *push_out_buffer(lua_State *L)
{
    struct buf *out = lua_newuserdatauv(L, sizeof *out, 0);

    *out = (struct buf){ 0 };
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, out_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return out;
}

static bool has_value(lua_State *L, const char *key, int type)
{
    bool is = lua_getfield(L, 1, key) == type;

    lua_pop(L, 1);
    return is;
}

/* A prompts/ file with `parse` is a rule of the agent, one with `text` and no `render` a text. */
static void settle_kind(lua_State *L, struct entry *entry)
{
    if (entry->kind != ENTRY_PROMPT)
        return;
    if (has_value(L, "parse", LUA_TFUNCTION))
        entry->kind = ENTRY_RULE;
    else if (has_value(L, "render", LUA_TNIL) && !has_value(L, "text", LUA_TNIL))
        entry->kind = ENTRY_TEXT;
}

/* Most functions do not ask for the call object, which comes after `before` others; then none is
 * made. */
static bool takes_call(lua_State *L, int before)
{
    lua_Debug info;

    lua_pushvalue(L, -1);
    lua_getinfo(L, ">u", &info);
    return info.nparams > before || info.isvararg;
}

/* By then it has run: a mark that did not show in the text came too late. */
static bool check_mark(lua_State *L, const struct entry *entry, struct error *err)
{
    bool late = lua_getfield(L, 1, "trust") != LUA_TNIL && !entry->foreign;

    lua_pop(L, 1);
    return entry->kind != ENTRY_TOOL || !late ||
           error_set(err, "bad_key",
                     "'trust' must be in the file's text as trust = \"foreign\", so that "
                     "it is seen before the file runs");
}

/* (table, loading | table, loading, function of a policy) */
static int define_protected(lua_State *L)
{
    static const char *const functions[] = { "run", "render", "parse", "complete", "read",
                                             "run", "",       "start", "" };
    struct entry_load *loading = lua_touserdata(L, 2);
    struct entry *entry = loading->entry;
    struct buf *out = push_out_buffer(L);

    settle_kind(L, entry);
    if (!shape_check(L, 1, entry->kind, loading->err))
        return 0;
    if (!check_mark(L, entry, loading->err))
        return 0;
    entry->here = define_platforms(L);
    if (entry->kind == ENTRY_TOOL && !define_tool(L, entry, out, loading->err))
        return 0;
    if (entry->kind == ENTRY_PROMPT && !define_prompt(L, entry, out, loading->err))
        return 0;
    if (entry->kind == ENTRY_RESOURCE && !define_resource(L, entry, out, loading->err))
        return 0;
    if (entry->kind == ENTRY_TEXT && !define_text(L, entry, out, loading->err))
        return 0;
    if (entry->kind == ENTRY_POLICY)
        lua_pushvalue(L, 3);
    else if (lua_getfield(L, 1, functions[entry->kind]) == LUA_TFUNCTION)
        entry->takes_call = takes_call(L, entry->kind == ENTRY_RESOURCE ? 2 : 1);
    entry->run = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, 1);
    entry->table = luaL_ref(L, LUA_REGISTRYINDEX);
    loading->ok = true;
    return 0;
}

/* Leaves the function that decides on the main state, above the file's table. False: err, and
 * neither. */
static bool compile_policy(struct entry *entry, struct error *err)
{
    static const char source[] = "return require 'policy.compile'";
    lua_State *L = vm_lua(entry->vm);
    bool ok = sandbox_load_file(libs_sandbox(entry->libs), 0, entry->label, source,
                                sizeof source - 1, err) &&
              vm_call(entry->vm, 0, 1, SANDBOX_LOAD_MS, err); /* table, compile */

    if (ok) {
        lua_pushvalue(L, -2);
        ok = vm_call(entry->vm, 1, 1, SANDBOX_LOAD_MS, err);
    }
    if (!ok)
        lua_pop(L, 1);
    return ok;
}

/* The file's value is on the main state; pops it. */
static bool define_entry(struct entry *entry, struct error *err)
{
    lua_State *L = vm_lua(entry->vm);
    struct entry_load loading = { entry, err, false };
    bool policy = entry->kind == ENTRY_POLICY;

    if (!lua_istable(L, -1)) {
        error_set(err, "bad_file", "it must return a table, not %s", luaL_typename(L, -1));
        lua_pop(L, 1);
        return false;
    }
    if (policy && !compile_policy(entry, err))
        return false;
    lua_pushcfunction(L, define_protected);
    lua_insert(L, policy ? -3 : -2);
    lua_pushlightuserdata(L, &loading);
    if (policy)
        lua_insert(L, -2);
    return vm_call(entry->vm, policy ? 3 : 2, 0, SANDBOX_LOAD_MS, err) && loading.ok;
}

/* --- where it is wrong --------------------------------------------------------------- */

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Does `key` stand here as the key of a table: key = , ["key"] = ? */
static bool is_table_key(const char *at, const char *end, size_t len)
{
    for (at += len; at < end && strchr(" \t\"']", *at); at++)
        ;
    return end - at > 1 && at[0] == '=' && at[1] != '=';
}

/* The line where the text has this key for the first time; 0: nowhere. */
static int line_of_key(const char *text, size_t size, const char *key, size_t len)
{
    const char *end = text + size;
    int line = 1;

    for (const char *at = text; (size_t)(end - at) > len; at++) {
        if (*at == '\n')
            line++;
        else if (at[0] == '-' && at[1] == '-') /* a comment */
            while (at + 1 < end && at[1] != '\n')
                at++;
        else if (memcmp(at, key, len) == 0 && !is_word_char(at[len]) &&
                 is_table_key(at, end, len) && (at == text || !is_word_char(at[-1])))
            return line;
    }
    return 0;
}

/* The line where the text has this value as a string for the first time; 0: nowhere. */
static int line_of_value(const char *text, size_t size, const char *value, size_t len)
{
    const char *end = text + size;
    int line = 1;

    for (const char *at = text; (size_t)(end - at) > len + 1; at++) {
        if (*at == '\n')
            line++;
        else if (strchr("\"'", *at) && memcmp(at + 1, value, len) == 0 && at[len + 1] == *at)
            return line;
    }
    return 0;
}

/* The line of what is wrong: of the value in `not "VALUE"`, or of the first key in quotes. */
static int line_of_what(const char *text, size_t len, const char *what)
{
    const char *value = strstr(what, "not \""), *key = strchr(what, '\'');
    const char *end = value ? strchr(value + 5, '"') : NULL;
    int line = end ? line_of_value(text, len, value + 5, (size_t)(end - value - 5)) : 0;

    end = key ? strchr(key + 1, '\'') : NULL;
    if (!line && end && end > key + 1)
        line = line_of_key(text, len, key + 1, (size_t)(end - key - 1));
    return line;
}

/* "LABEL:LINE: WHAT", where the text has what WHAT quotes. */
static void say_where(const char *label, const char *text, size_t len, const struct error *inner,
                      struct error *err)
{
    int line = line_of_what(text, len, inner->text);

    if (line)
        error_set(err, inner->code, "%s:%d: %s", label, line, inner->text);
    else
        error_set(err, inner->code, "%s: %s", label, inner->text);
}

/* Names the file where Lua did not: bytecode, out of memory or time, a lib file. */
void entry_name_failure(const struct source *source, const struct error *inner, struct error *err)
{
    if (strstr(inner->text, source->label))
        error_set(err, inner->code, "%s", inner->text);
    else
        error_set(err, inner->code, "%s: %s", source->label, inner->text);
}

struct entry *entry_made(struct vm *vm, struct libs *libs, const struct source *source,
                         const char *text, size_t len, struct error *err)
{
    struct entry *entry = entry_new(vm, libs, source);
    struct error inner = { .text = "" };

    entry->foreign = foreign_is(source, (struct str){ text, len });
    if ((!entry->foreign || foreign_adopt(vm, libs, source, (struct str){ text, len }, &inner)) &&
        define_entry(entry, &inner))
        return entry;
    entry_unref(entry);
    say_where(source->label, text, len, &inner, err);
    return NULL;
}

bool entry_compile(struct libs *libs, const struct source *source, const char *text, size_t len,
                   struct error *err)
{
    struct error inner = { .text = "" };
    struct str whole = { text, len };

    if (foreign_is(source, whole) ? foreign_push(libs_vm(libs), libs, source, whole, &inner)
                                  : sandbox_load_file(libs_sandbox(libs), (int)source->root,
                                                      source->label, text, len, &inner))
        return true;
    entry_name_failure(source, &inner, err);
    return false;
}

/* Runs the function on the main state, which was made of the text. */
static struct entry *run_entry_file(struct vm *vm, struct libs *libs, const struct source *source,
                                    struct str text, uint64_t budget_ms, struct error *err)
{
    struct error inner = { .text = "" };
    struct entry *entry;
    uint64_t began;
    bool ran, pure;

    purity_watch(vm);
    began = processor_time();
    ran = vm_call(vm, 0, 1, budget_ms, &inner);
    pure = purity_end(vm) && processor_time() - began < (uint64_t)KEPT_MS * 1000 * 1000;
    if (!ran) {
        entry_name_failure(source, &inner, err);
        return NULL;
    }
    entry = entry_made(vm, libs, source, text.ptr, text.len, err);
    if (entry)
        entry->keepable = pure && !entry->foreign;
    return entry;
}

struct entry *entry_load(struct vm *vm, struct libs *libs, const struct source *source,
                         const char *text, size_t len, uint64_t budget_ms, struct error *err)
{
    if (!entry_compile(libs, source, text, len, err))
        return NULL;
    return run_entry_file(vm, libs, source, (struct str){ text, len }, budget_ms, err);
}

struct entry *entry_load_source(struct vm *vm, struct libs *libs, const struct source *source,
                                uint64_t budget_ms, struct error *err)
{
    struct buf text = { 0 };
    struct entry *entry = NULL;

    if (source_text(source, LUA_FILE_MAX, &text, err))
        entry = entry_load(vm, libs, source, text.data, text.len, budget_ms, err);
    buf_free(&text);
    return entry;
}

struct entry *entry_load_code(struct vm *vm, struct libs *libs, const struct source *source,
                              struct str code, uint64_t budget_ms, struct error *err)
{
    struct error inner = { .text = "" };

    if (sandbox_load_code(libs_sandbox(libs), (int)source->root, source->label, code, &inner))
        return run_entry_file(vm, libs, source, STR(""), budget_ms, err);
    entry_name_failure(source, &inner, err);
    return NULL;
}
