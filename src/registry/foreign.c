/* What is foreign, and how it is loaded all the same. */
#include "registry/foreign.h"

#include <ctype.h>
#include <lauxlib.h>

#include "script/vm.h"

static lua_CFunction declarer;

void foreign_set_declare(lua_CFunction declare)
{
    declarer = declare;
}

/* --- which it is --------------------------------------------------------------------- */

struct place {
    const char *at, *end;
};

static bool next_is(const struct place *place, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(place->end - place->at) >= len && memcmp(place->at, text, len) == 0;
}

static void skip_blanks(struct place *place)
{
    while (place->at < place->end && isspace((unsigned char)*place->at))
        place->at++;
}

/* A comment that ends with its line. Long ones (--[[) are looked into: more counts, never less. */
static void skip_comment(struct place *place)
{
    while (place->at < place->end && *place->at != '\n')
        place->at++;
}

/* = "foreign", in any quotes */
static bool says_foreign(struct place place)
{
    skip_blanks(&place);
    if (!next_is(&place, "=") || next_is(&place, "=="))
        return false;
    place.at++;
    skip_blanks(&place);
    return next_is(&place, "\"foreign\"") || next_is(&place, "'foreign'") ||
           next_is(&place, "[[foreign]]");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_marked(struct str text)
{
    struct place place = { text.ptr, text.ptr + text.len };
    char before = '\n';

    for (; place.at < place.end; before = *place.at++) {
        if (next_is(&place, "--") && !next_is(&place, "--[")) {
            skip_comment(&place);
            if (place.at == place.end)
                return false;
        } else if (!is_word(before) && next_is(&place, "trust") &&
                   says_foreign((struct place){ place.at + strlen("trust"), place.end })) {
            return true;
        }
    }
    return false;
}

bool foreign_is(const struct source *source, struct str text)
{
    return source->foreign || (source->kind == SOURCE_TOOL && text.ptr && is_marked(text));
}

/* --- loading it -------------------------------------------------------------------------- */

struct file {
    struct libs *libs;
    const struct source *source;
    struct str text;
};

/* (file) -> the function */
static int push_protected(lua_State *L)
{
    const struct file *file = lua_touserdata(L, 1);

    lua_pushlightuserdata(L, file->libs);
    lua_pushinteger(L, (lua_Integer)file->source->root);
    lua_pushstring(L, file->source->label);
    lua_pushlstring(L, file->text.ptr ? file->text.ptr : "", file->text.len);
    lua_pushcclosure(L, declarer, FOREIGN_UPVALUES);
    return 1;
}

bool foreign_push(struct vm *vm, struct libs *libs, const struct source *source, struct str text,
                  struct error *err)
{
    lua_State *L = vm_lua(vm);

    if (!declarer)
        return error_set(err, "no_jail", "%s: this program runs no foreign files", source->label);
    lua_pushcfunction(L, push_protected);
    lua_pushlightuserdata(L, &(struct file){ libs, source, text });
    return vm_call(vm, 1, 1, 0, err);
}

/* (adopt, declared, file) -> adopt and its arguments */
static int push_arguments(lua_State *L)
{
    const struct file *file = lua_touserdata(L, 3);

    lua_settop(L, 2);
    lua_pushlstring(L, file->text.ptr ? file->text.ptr : "", file->text.len);
    lua_pushstring(L, file->source->label);
    lua_pushinteger(L, (lua_Integer)file->source->root);
    return 5;
}

bool foreign_adopt(struct vm *vm, struct libs *libs, const struct source *source, struct str text,
                   struct error *err)
{
    static const char adopt[] = "return require 'foreign'";
    lua_State *L = vm_lua(vm);

    if (!sandbox_load_file(libs_sandbox(libs), 0, source->label, adopt, sizeof adopt - 1, err) ||
        !vm_call(vm, 0, 1, SANDBOX_LOAD_MS, err)) {
        lua_pop(L, 1);
        return false;
    }
    lua_insert(L, -2);
    lua_pushcfunction(L, push_arguments);
    lua_insert(L, -3); /* push_arguments, adopt, declared */
    lua_pushlightuserdata(L, &(struct file){ libs, source, text });
    return vm_call(vm, 3, 5, 0, err) && vm_call(vm, 4, 1, SANDBOX_LOAD_MS, err);
}
