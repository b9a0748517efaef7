/* The life of an entry, and what is asked of it. */
#include "registry/entry.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/log.h"
#include "registry/declared.h"
#include "registry/uri_template.h"
#include "script/vm.h"

const char *task_support_name(enum task_support support)
{
    static const char *const names[] = { "forbidden", "optional", "required" };

    return names[support];
}

struct entry *entry_new(struct vm *vm, struct libs *libs, const struct source *source)
{
    static const enum entry_kind kinds[] = {
        [SOURCE_TOOL] = ENTRY_TOOL,         [SOURCE_PROMPT] = ENTRY_PROMPT,
        [SOURCE_PROVIDER] = ENTRY_PROVIDER, [SOURCE_RESOURCE] = ENTRY_RESOURCE,
        [SOURCE_COMMAND] = ENTRY_COMMAND,   [SOURCE_POLICY] = ENTRY_POLICY,
        [SOURCE_SERVICE] = ENTRY_SERVICE,
    };
    struct entry *entry = mem_zero(sizeof *entry);

    entry->vm = vm;
    entry->libs = libs_ref(libs);
    entry->refs = 1;
    entry->kind = kinds[source->kind];
    entry->table = entry->run = entry->named = entry->subject = LUA_NOREF;
    entry->listed = true;
    entry->name = mem_strdup(source->name);
    entry->toolset = mem_strdup(source->toolset);
    entry->path = mem_strdup(source->path);
    entry->label = mem_strdup(source->label);
    entry->stamp = source->stamp;
    entry->root = source->root;
    entry->console = source->kind == SOURCE_TOOL && strcmp(source->toolset, TOOLSET_CONSOLE) == 0;
    entry->from_foreign = source->foreign;
    entry->packed = source->packed;
    entry->pack_state = source->pack_state;
    return entry;
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
    luaL_unref(L, LUA_REGISTRYINDEX, entry->named);
    luaL_unref(L, LUA_REGISTRYINDEX, entry->table);
    luaL_unref(L, LUA_REGISTRYINDEX, entry->subject);
    libs_unref(entry->libs);
    mem_strings_free(entry->aliases);
    mem_strings_free(entry->programs);
    free(entry->common);
    catalog_unref(entry->asleep.catalog);
    uri_template_free(entry->template);
    schema_free(entry->input);
    schema_free(entry->output);
    json_doc_free(entry->definition);
    free(entry->wire);
    free(entry->whole);
    free(entry->uri);
    free(entry->original);
    free(entry->stale);
    free(entry->name);
    free(entry->toolset);
    free(entry->path);
    free(entry->label);
    free(entry);
}

void entry_set_stale(struct entry *entry, const char *why)
{
    char *old = entry->stale;

    entry->stale = why ? mem_strdup(why) : NULL;
    free(old);
}

/* Out of the catalog. If that is damaged by now, its file is loaded; if that does not load either,
 * what lists show has to do. */
static void read_whole_definition(struct entry *entry)
{
    struct cached_text asleep = entry->whole_asleep;
    struct buf text = { 0 };
    struct error err;

    entry->whole_asleep.catalog = NULL;
    if (catalog_read(&asleep, &text, NULL)) {
        entry->whole_len = text.len;
        entry->whole = buf_take(&text);
    } else {
        catalog_remove(asleep.catalog);
        entry->whole_lost = true;
        if (!entry_wake(entry, &err))
            log_warn("%s: %s", entry->path, err.text);
    }
    buf_free(&text);
}

struct str entry_whole(struct entry *entry)
{
    if (entry->whole_asleep.catalog)
        read_whole_definition(entry);
    if (entry->whole)
        return (struct str){ entry->whole, entry->whole_len };
    return (struct str){ entry->wire, entry->wire_len };
}

const cJSON *entry_definition(struct entry *entry)
{
    struct str text;

    if (entry->definition)
        return json_root(entry->definition);
    text = entry_whole(entry);
    if (!entry->definition && text.len) /* it may have come with the code */
        entry->definition = json_parse(text.ptr, text.len, NULL, NULL);
    return json_root(entry->definition);
}

static bool compile_schema(struct entry *entry, const char *key, struct schema **schema,
                           struct error *err)
{
    const cJSON *node = json_get(entry_definition(entry), key);
    struct error inner;

    if (!node || *schema)
        return true;
    *schema = schema_compile_strict(node, &inner);
    if (!*schema)
        return error_set(err, "bad_schema", "%s: %s", key, inner.text);
    return true;
}

bool entry_schemas(struct entry *entry, struct error *err)
{
    return entry->kind != ENTRY_TOOL || !entry->libs ||
           (compile_schema(entry, "inputSchema", &entry->input, err) &&
            compile_schema(entry, "outputSchema", &entry->output, err));
}

bool entry_offered(const struct entry *entry)
{
    return entry->kind == ENTRY_TOOL && entry->here && !entry->console;
}

bool entry_shipped(const struct entry *entry)
{
    return entry->libs && entry->root == 0 && !entry->foreign;
}

static void need_code(struct entry *entry, lua_State *L)
{
    struct error err;

    if (entry->asleep.catalog && !entry_wake(entry, &err))
        luaL_error(L, "%s", err.text);
}

void entry_push_run(struct entry *entry, lua_State *L)
{
    need_code(entry, L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->run);
}

void entry_push_table(struct entry *entry, lua_State *L)
{
    need_code(entry, L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->table);
}

bool entry_has_argument(struct entry *entry, const char *name)
{
    const cJSON *item;

    if (entry->templated && !entry->template)
        return true; /* its server knows */
    for (size_t i = 0; entry->template && i < uri_template_count(entry->template); i++)
        if (strcmp(uri_template_name(entry->template, i), name) == 0)
            return true;
    cJSON_ArrayForEach (item, json_get(entry_definition(entry), "arguments")) {
        const cJSON *known = json_get(item, "name");

        if (cJSON_IsString(known) && strcmp(known->valuestring, name) == 0)
            return true;
    }
    return false;
}

void entry_push_values(const struct entry *entry, lua_State *L, const struct uri_values *values)
{
    luaL_Buffer text;

    lua_newtable(L); /* params */
    for (size_t i = 0; entry->template && i < uri_template_count(entry->template); i++) {
        struct str coded = values->at[i];

        if (!coded.ptr)
            continue;
        luaL_buffinit(L, &text);
        luaL_pushresultsize(&text,
                            uri_template_decode(luaL_prepbuffsize(&text, coded.len + 1), coded));
        lua_setfield(L, -2, uri_template_name(entry->template, i));
    }
}

int entry_push_read(lua_State *L, const void *address)
{
    const struct entry_address *a = address;

    entry_push_run(a->entry, L);
    lua_pushstring(L, a->uri);
    entry_push_values(a->entry, L, a->values);
    return 3;
}
