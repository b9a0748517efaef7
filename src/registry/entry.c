/* The life of an entry, and what is asked of it. */
#include "registry/entry.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "registry/uri_template.h"
#include "script/vm.h"

const char *task_support_name(enum task_support support)
{
    static const char *const names[] = { "forbidden", "optional", "required" };

    return names[support];
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
    uri_template_free(entry->template);
    schema_free(entry->input);
    schema_free(entry->output);
    json_doc_free(entry->definition);
    free(entry->wire);
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

void entry_push_run(struct entry *entry, lua_State *L)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->run);
}

void entry_push_table(struct entry *entry, lua_State *L)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, entry->table);
}

bool entry_has_argument(const struct entry *entry, const char *name)
{
    const cJSON *item;

    if (entry->templated && !entry->template)
        return true; /* its server knows */
    for (size_t i = 0; entry->template && i < uri_template_count(entry->template); i++)
        if (strcmp(uri_template_name(entry->template, i), name) == 0)
            return true;
    cJSON_ArrayForEach (item, json_get(json_root(entry->definition), "arguments")) {
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
