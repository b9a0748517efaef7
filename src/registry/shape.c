/* Tables of keys. Rules and providers may have helpers of their own beside the keys
 * that are known, so only tools and prompts refuse what they do not know. */
#include "registry/shape.h"

#include <lauxlib.h>
#include <stdio.h>

#include "base/distance.h"

struct field_rule {
    const char *name;
    int type;
    bool required;
};

static const struct field_rule tool_keys[] = {
    { "description", LUA_TSTRING, true },
    { "inputSchema", LUA_TTABLE, true },
    { "run", LUA_TFUNCTION, true },
    { "title", LUA_TSTRING, false },
    { "outputSchema", LUA_TTABLE, false },
    { "annotations", LUA_TTABLE, false },
    { "icons", LUA_TTABLE, false },
    { "_meta", LUA_TTABLE, false },
    { "examples", LUA_TTABLE, false },
    { "platforms", LUA_TTABLE, false },
    { "aliases", LUA_TTABLE, false },
    { "timeout", LUA_TNUMBER, false },
    { "codes", LUA_TTABLE, false },
    { "listed", LUA_TBOOLEAN, false },
    { "common", LUA_TSTRING, false },
    { "keeps", LUA_TBOOLEAN, false },
    { "says_error", LUA_TBOOLEAN, false },
    { "programs", LUA_TTABLE, false },
    { "execution", LUA_TTABLE, false },
    { "stands_for", LUA_TFUNCTION, false },
    { "runs", LUA_TBOOLEAN, false },
    { "about", LUA_TTABLE, false },
    { "from", LUA_TSTRING, false },
    { "trust", LUA_TSTRING, false },
    { NULL, 0, false },
};

static const struct field_rule prompt_keys[] = {
    { "description", LUA_TSTRING, true },
    { "render", LUA_TFUNCTION, true },
    { "title", LUA_TSTRING, false },
    { "arguments", LUA_TTABLE, false },
    { "icons", LUA_TTABLE, false },
    { "complete", LUA_TTABLE, false },
    { "_meta", LUA_TTABLE, false },
    { "examples", LUA_TTABLE, false },
    { "rules", LUA_TTABLE, false },
    { "tools", LUA_TTABLE, false },
    { NULL, 0, false },
};

static const struct field_rule argument_keys[] = {
    { "name", LUA_TSTRING, true },
    { "title", LUA_TSTRING, false },
    { "description", LUA_TSTRING, false },
    { "required", LUA_TBOOLEAN, false },
    { NULL, 0, false },
};

static const struct field_rule resource_keys[] = {
    { "description", LUA_TSTRING, true }, { "read", LUA_TFUNCTION, true },
    { "uri", LUA_TSTRING, false },        { "uriTemplate", LUA_TSTRING, false },
    { "name", LUA_TSTRING, false },       { "title", LUA_TSTRING, false },
    { "mimeType", LUA_TSTRING, false },   { "icons", LUA_TTABLE, false },
    { "annotations", LUA_TTABLE, false }, { "size", LUA_TNUMBER, false },
    { "_meta", LUA_TTABLE, false },       { "complete", LUA_TTABLE, false },
    { "watch", LUA_TFUNCTION, false },    { "from", LUA_TSTRING, false },
    { "examples", LUA_TTABLE, false },    { "platforms", LUA_TTABLE, false },
    { "timeout", LUA_TNUMBER, false },    { NULL, 0, false },
};

static const struct field_rule about_keys[] = {
    /* a resource's annotations */
    { "audience", LUA_TTABLE, false },
    { "priority", LUA_TNUMBER, false },
    { "lastModified", LUA_TSTRING, false },
    { NULL, 0, false },
};

static const struct field_rule rule_keys[] = {
    { "description", LUA_TSTRING, true },
    { "parse", LUA_TFUNCTION, true },
    { "describe", LUA_TFUNCTION, true },
    { "request", LUA_TFUNCTION, true },
    { "decide", LUA_TFUNCTION, true },
    { "results", LUA_TFUNCTION, true },
    { "examples", LUA_TTABLE, false },
    { "timeout", LUA_TNUMBER, false },
    { NULL, 0, false },
};

static const struct field_rule provider_keys[] = {
    { "description", LUA_TSTRING, true },
    { "complete", LUA_TFUNCTION, true },
    { "examples", LUA_TTABLE, false },
    { "timeout", LUA_TNUMBER, false },
    { NULL, 0, false },
};

/* lua/lib/cli/declaration.lua checks their content before the command runs. */
static const struct field_rule command_keys[] = {
    { "summary", LUA_TSTRING, true },
    { "description", LUA_TSTRING, false },
    { "usage", LUA_TTABLE, false },
    { "options", LUA_TTABLE, false },
    { "arguments", LUA_TTABLE, false },
    { "subcommands", LUA_TTABLE, false },
    { "default", LUA_TSTRING, false },
    { "notes", LUA_TSTRING, false },
    { "run", LUA_TFUNCTION, false },
    { "cancelled", LUA_TFUNCTION, false },
    { "failure", LUA_TFUNCTION, false },
    { "examples", LUA_TTABLE, false },
    { "log", LUA_TSTRING, false },
    { "role", LUA_TSTRING, false },
    { "stoppable", LUA_TBOOLEAN, false },
    { "hidden", LUA_TBOOLEAN, false },
    { "rest", LUA_TSTRING, false },
    { "acts", LUA_TBOOLEAN, false },
    { NULL, 0, false },
};

/* lua/lib/policy/compile.lua checks their content. */
static const struct field_rule policy_keys[] = {
    { "rules", LUA_TTABLE, true },      { "otherwise", LUA_TSTRING, false },
    { "examples", LUA_TTABLE, false },  { "audit", LUA_TTABLE, false },
    { "dry_run", LUA_TBOOLEAN, false }, { NULL, 0, false },
};

static const struct field_rule service_keys[] = {
    { "description", LUA_TSTRING, true }, { "start", LUA_TFUNCTION, true },
    { "stop", LUA_TFUNCTION, false },     { "platforms", LUA_TTABLE, false },
    { "examples", LUA_TTABLE, false },    { NULL, 0, false },
};

static const struct field_rule text_keys[] = {
    { "description", LUA_TSTRING, true },
    { "text", LUA_TSTRING, true },
    { "examples", LUA_TTABLE, false },
    { NULL, 0, false },
};

static const struct field_rule *const keys_of[] = { tool_keys,     prompt_keys,   rule_keys,
                                                    provider_keys, resource_keys, command_keys,
                                                    policy_keys,   service_keys,  text_keys };
static const char *const kind_names[] = { "tool",    "prompt", "rule",    "provider", "resource",
                                          "command", "policy", "service", "text" };

static const struct field_rule annotation_keys[] = {
    { "title", LUA_TSTRING, false },
    { "readOnlyHint", LUA_TBOOLEAN, false },
    { "destructiveHint", LUA_TBOOLEAN, false },
    { "idempotentHint", LUA_TBOOLEAN, false },
    { "openWorldHint", LUA_TBOOLEAN, false },
    { NULL, 0, false },
};

static const struct field_rule execution_keys[] = {
    { "taskSupport", LUA_TSTRING, false },
    { NULL, 0, false },
};

static const struct field_rule icon_keys[] = {
    { "src", LUA_TSTRING, true },
    { "mimeType", LUA_TSTRING, false },
    { "sizes", LUA_TTABLE, false },
    { "theme", LUA_TSTRING, false },
    { NULL, 0, false },
};

static const struct field_rule *find_field_rule(const struct field_rule *keys, const char *name)
{
    for (; keys->name; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

static bool fail_unknown_key(const struct field_rule *keys, const char *what, const char *name,
                             struct error *err)
{
    struct nearest_name nearest = { .typed = name };

    for (; keys->name; keys++)
        nearest_name_try(&nearest, keys->name);
    return error_set(err, "unknown_key", "unknown key '%s' in a %s%s", name, what,
                     nearest_name_text(&nearest).text);
}

static bool check_table_keys(lua_State *L, int index, const struct field_rule *keys,
                             const char *what, bool strict, struct error *err)
{
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) { /* k, v */
        const struct field_rule *key;
        const char *name;

        if (lua_type(L, -2) != LUA_TSTRING)
            return error_set(err, "unknown_key", "a %s may have only named keys", what);
        name = lua_tostring(L, -2);
        key = find_field_rule(keys, name);
        if (!key && strict)
            return fail_unknown_key(keys, what, name, err);
        if (key && lua_type(L, -1) != key->type)
            return error_set(err, "bad_key", "'%s' must be a %s, not a %s", name,
                             lua_typename(L, key->type), luaL_typename(L, -1));
    }
    for (const struct field_rule *key = keys; key->name; key++) {
        int type = lua_getfield(L, index, key->name);
        bool empty = type == LUA_TSTRING && lua_rawlen(L, -1) == 0;

        lua_pop(L, 1);
        if (key->required && (type == LUA_TNIL || empty))
            return error_set(err, "missing_key", "'%s' is missing%s", key->name,
                             empty ? " (it is empty)" : "");
    }
    return true;
}

static bool check_word(const char *key, const char *given, const char *const *words, size_t count,
                       struct error *err)
{
    struct nearest_name nearest = { .typed = given };
    struct error list = { .text = "" };

    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(list.text);

        if (strcmp(words[i], given) == 0)
            return true;
        nearest_name_try(&nearest, words[i]);
        snprintf(list.text + len, sizeof list.text - len, "%s\"%s\"",
                 i == 0 ? "" : (i + 1 == count ? " or " : ", "), words[i]);
    }
    return error_set(err, "bad_key", "%s: %s, not \"%.40s\"%s", key, list.text, given,
                     nearest_name_text(&nearest).text);
}

/* Each must be a text that fits where it is used. */
static bool check_names(lua_State *L, int index, const char *key, bool platforms, struct error *err)
{
    static const char *const systems[] = { "macos", "linux" };
    static const char *const chars =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

    if (lua_getfield(L, index, key) == LUA_TTABLE) {
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
            const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;

            if (!name)
                return error_set(err, "bad_key", "'%s'[%d] must be a string", key, (int)i);
            if (platforms && !check_word(key, name, systems, countof(systems), err))
                return false;
            if (!platforms && (!*name || strlen(name) > 128 || name[strspn(name, chars)]))
                return error_set(err, "bad_name",
                                 "'aliases': \"%s\" is not 1 to 128 of A-Z a-z 0-9 _ . -", name);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return true;
}

static bool check_timeout(lua_State *L, int index, struct error *err)
{
    lua_Number seconds;

    if (lua_getfield(L, index, "timeout") == LUA_TNIL) {
        lua_pop(L, 1);
        return true;
    }
    seconds = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (seconds > 0 && seconds <= 86400)
        return true;
    return error_set(err, "bad_key", "'timeout' must be more than 0 and at most 86400 seconds");
}

/* A code, and what it means to the caller. */
static bool check_codes(lua_State *L, int index, struct error *err)
{
    if (lua_getfield(L, index, "codes") == LUA_TTABLE) {
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) /* codes, k, v */
            if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
                return error_set(err, "bad_key",
                                 "'codes': write each as CODE = \"when it occurs\"");
    }
    lua_pop(L, 1);
    return true;
}

static bool check_programs(lua_State *L, int index, struct error *err)
{
    if (lua_getfield(L, index, "programs") == LUA_TTABLE) {
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++, lua_pop(L, 1))
            if (lua_type(L, -1) != LUA_TSTRING)
                return error_set(err, "bad_key", "'programs'[%d] must be a string", (int)i);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return true;
}

/* execution = { taskSupport = "forbidden" | "optional" | "required" } */
static bool check_execution(lua_State *L, int index, struct error *err)
{
    bool ok = true;

    if (lua_getfield(L, index, "execution") == LUA_TTABLE) {
        if (!check_table_keys(L, lua_gettop(L), execution_keys, "tool's execution", true, err))
            return false;
        if (lua_getfield(L, -1, "taskSupport") == LUA_TSTRING) {
            const char *const words[] = { task_support_name(TASKS_OPTIONAL),
                                          task_support_name(TASKS_REQUIRED),
                                          task_support_name(TASKS_FORBIDDEN) };

            ok = check_word("execution.taskSupport", lua_tostring(L, -1), words, countof(words),
                            err);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return ok;
}

/* icons = { {src =, mimeType =, sizes =, theme =}, ... } */
static bool check_icons(lua_State *L, int index, struct error *err)
{
    if (lua_getfield(L, index, "icons") == LUA_TTABLE) {
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
            if (!lua_istable(L, -1))
                return error_set(err, "bad_key", "'icons'[%d] must be a table", (int)i);
            if (!check_table_keys(L, lua_gettop(L), icon_keys, "list of icons", true, err))
                return false;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return true;
}

static bool check_trust(lua_State *L, int index, struct error *err)
{
    static const char *const words[] = { "foreign" };
    bool ok = lua_getfield(L, index, "trust") != LUA_TSTRING ||
              check_word("trust", lua_tostring(L, -1), words, countof(words), err);

    lua_pop(L, 1);
    return ok;
}

/* Where the content of its results is from: lua/lib/policy/provenance.lua. */
static bool check_provenance(lua_State *L, int index, struct error *err)
{
    static const char *const words[] = { "screen", "clipboard", "web", "mount", "file", "own" };
    bool ok = lua_getfield(L, index, "from") != LUA_TSTRING ||
              check_word("from", lua_tostring(L, -1), words, countof(words), err);

    lua_pop(L, 1);
    return ok;
}

/* The words of `about`: first those for calls, then those for arguments. "nothing" is both.
 * lua/lib/policy/target.lua and lua/lib/policy/declared.lua read them. */
static const char *const about_words[] = {
    "focused",
    "every",
    "input",
    "main_display",
    "nothing",
    "application",
    "window",
    "element",
    "opened",
    "display",
    "region",
    "path",
    "folder",
    "host",
    "server_path",
    "program_path",
    "application_words",
};
enum { ABOUT_CALLS = 5, ABOUT_NOTHING = ABOUT_CALLS - 1 };

/* The value at the top: a word, or with `words` a table of them. */
static bool check_about_words(lua_State *L, const char *key, size_t from, size_t count, bool words,
                              struct error *err)
{
    if (lua_type(L, -1) == LUA_TSTRING)
        return check_word(key, lua_tostring(L, -1), about_words + from, count, err);
    if (!words || !lua_istable(L, -1))
        return error_set(err, "bad_key", "%s must be a word%s, not a %s", key,
                         words ? " or a table of words" : "", luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) /* words, k, v */
        if (!check_about_words(L, key, 0, countof(about_words), false, err))
            return false;
    return true;
}

/* about = { "every" | { "NAME", ... }, argument = "path" | { "nothing", value = "every" }, ... } */
static bool check_about(lua_State *L, int index, struct error *err)
{
    if (lua_getfield(L, index, "about") == LUA_TTABLE) {
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) { /* about, k, v */
            char key[64];

            if (lua_isinteger(L, -2) && lua_tointeger(L, -2) == 1) {
                if (!lua_istable(L, -1) &&
                    !check_about_words(L, "about", 0, ABOUT_CALLS, false, err))
                    return false;
                continue;
            }
            if (lua_type(L, -2) != LUA_TSTRING)
                return error_set(err, "bad_key",
                                 "'about' has one word, and arguments by name: { \"focused\", "
                                 "path = \"path\" }");
            snprintf(key, sizeof key, "about.%s", lua_tostring(L, -2));
            if (!check_about_words(L, key, ABOUT_NOTHING, countof(about_words) - ABOUT_NOTHING,
                                   true, err))
                return false;
        }
    }
    lua_pop(L, 1);
    return true;
}

static bool check_tool(lua_State *L, int index, struct error *err)
{
    bool ok = true;

    if (lua_getfield(L, index, "annotations") == LUA_TTABLE)
        ok = check_table_keys(L, lua_gettop(L), annotation_keys, "tool's annotations", true, err);
    if (!ok)
        return false;
    lua_pop(L, 1);
    return check_names(L, index, "aliases", false, err) &&
           check_names(L, index, "platforms", true, err) && check_timeout(L, index, err) &&
           check_codes(L, index, err) && check_programs(L, index, err) &&
           check_execution(L, index, err) && check_about(L, index, err) &&
           check_trust(L, index, err) && check_provenance(L, index, err);
}

/* complete = { name = function | list of texts } */
static bool check_complete(lua_State *L, int index, struct error *err)
{
    if (lua_getfield(L, index, "complete") == LUA_TTABLE) {
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) { /* complete, k, v */
            if (lua_type(L, -2) != LUA_TSTRING)
                return error_set(err, "bad_key",
                                 "complete: each key must be the name of an argument");
            if (!lua_isfunction(L, -1) && !lua_istable(L, -1))
                return error_set(err, "bad_key",
                                 "complete.%s must be a function or a list of strings, not a %s",
                                 lua_tostring(L, -2), luaL_typename(L, -1));
        }
    }
    lua_pop(L, 1);
    return true;
}

/* arguments = { {name =, description =, required =}, ... } */
static bool check_arguments(lua_State *L, int index, struct error *err)
{
    if (lua_getfield(L, index, "arguments") == LUA_TTABLE) {
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
            if (!lua_istable(L, -1))
                return error_set(err, "bad_key", "arguments[%d] must be a table", (int)i);
            if (!check_table_keys(L, lua_gettop(L), argument_keys, "prompt's argument", true, err))
                return false;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return true;
}

static bool check_resource(lua_State *L, int index, struct error *err)
{
    bool fixed = lua_getfield(L, index, "uri") != LUA_TNIL;
    bool template = lua_getfield(L, index, "uriTemplate") != LUA_TNIL;
    bool ok = true;

    lua_pop(L, 2);
    if (fixed == template)
        return error_set(err, "bad_key", "a resource must have either 'uri' or 'uriTemplate'%s",
                         fixed ? ", not both" : "");
    if (lua_getfield(L, index, "annotations") == LUA_TTABLE)
        ok = check_table_keys(L, lua_gettop(L), about_keys, "resource's annotations", true, err);
    if (!ok)
        return false;
    lua_pop(L, 1);
    return check_names(L, index, "platforms", true, err) && check_timeout(L, index, err) &&
           check_provenance(L, index, err);
}

bool shape_check(lua_State *L, int index, enum entry_kind kind, struct error *err)
{
    bool strict = kind != ENTRY_RULE && kind != ENTRY_PROVIDER;

    index = lua_absindex(L, index);
    if (!check_table_keys(L, index, keys_of[kind], kind_names[kind], strict, err))
        return false;
    if (strict && kind < ENTRY_COMMAND && !check_icons(L, index, err))
        return false;
    if (kind == ENTRY_PROMPT && !check_arguments(L, index, err))
        return false;
    if ((kind == ENTRY_PROMPT || kind == ENTRY_RESOURCE) && !check_complete(L, index, err))
        return false;
    if (kind == ENTRY_RESOURCE)
        return check_resource(L, index, err);
    return kind == ENTRY_TOOL ? check_tool(L, index, err) : check_timeout(L, index, err);
}
