/* Decides which files are foreign, and loads them. */
#include "registry/foreign.h"
#include "registry/source_text.h"

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

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Moves behind the long bracket that begins here, and gives its level; -1: none does. */
static int open_bracket(struct place *place)
{
    struct place next = *place;
    int level = 0;

    if (!next_is(&next, "["))
        return -1;
    for (next.at++; next_is(&next, "="); next.at++)
        level++;
    if (!next_is(&next, "["))
        return -1;
    next.at++;
    *place = next;
    return level;
}

static bool long_bracket_closes(struct place place, int level)
{
    if (!next_is(&place, "]"))
        return false;
    for (place.at++; level > 0 && next_is(&place, "="); place.at++)
        level--;
    return level == 0 && next_is(&place, "]");
}

static void skip_comment(struct place *place)
{
    int level;

    place->at += strlen("--");
    level = open_bracket(place);
    while (place->at < place->end &&
           (level < 0 ? *place->at != '\n' : !long_bracket_closes(*place, level)))
        place->at++;
    if (level >= 0 && place->at < place->end)
        place->at += level + 2;
}

/* Blanks, comments, and any of these characters. */
static void skip_between(struct place *place, const char *these)
{
    while (place->at < place->end) {
        if (next_is(place, "--"))
            skip_comment(place);
        else if (isspace((unsigned char)*place->at) || (*place->at && strchr(these, *place->at)))
            place->at++;
        else
            return;
    }
}

/* Is it the string "foreign"? One with a backslash may be any. */
static bool is_foreign_string(struct place place)
{
    char quote = place.at < place.end ? *place.at : '\0';

    if (open_bracket(&place) >= 0) {
        skip_blanks(&place); /* the first of them may be a line's end that does not count */
        return next_is(&place, "foreign");
    }
    if (quote != '"' && quote != '\'')
        return false;
    place.at++;
    if (next_is(&place, "foreign"))
        return true;
    while (place.at < place.end && *place.at != quote && *place.at != '\n')
        if (*place.at++ == '\\')
            return true;
    return false;
}

/* Behind the word: a field `trust =`, `["trust"] =`, with the string behind it. */
static bool says_foreign(struct place place)
{
    skip_between(&place, "\"']");
    if (!next_is(&place, "=") || next_is(&place, "=="))
        return false;
    place.at++;
    skip_between(&place, "(");
    return is_foreign_string(place);
}

/* Comments and strings are looked into like the rest: a reader who takes something for a comment
 * that is none to Lua runs what is marked, and a mark too many costs a word in an error. */
static bool is_marked(struct str text)
{
    struct place place = { text.ptr, text.ptr + text.len };
    char before = '\n';

    for (; place.at < place.end; before = *place.at++) {
        if (!is_word_char(before) && next_is(&place, "trust") &&
            says_foreign((struct place){ place.at + strlen("trust"), place.end }))
            return true;
    }
    return false;
}

bool foreign_is(const struct source *source, struct str text)
{
    return source->foreign || (source->kind == SOURCE_TOOL && text.ptr && is_marked(text));
}

bool foreign_is_file(const struct source *source)
{
    struct buf text = { 0 };
    struct error err;
    bool is = source->foreign || (source_text(source, LUA_FILE_MAX, &text, &err) &&
                                  foreign_is(source, buf_str(&text)));

    buf_free(&text);
    return is;
}

/* --- loading it -------------------------------------------------------------------------- */

struct file {
    struct libs *libs;
    const struct source *source;
    struct str text;
};

/* (file) -> the function */
static int push_file_protected(lua_State *L)
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
    lua_pushcfunction(L, push_file_protected);
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
