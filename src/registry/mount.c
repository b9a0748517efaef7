/* Making entries of definitions that came over the wire. */
#include "registry/mount.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "script/vm.h"
#include "json/writer.h"

/* A schema we cannot read is the server's business: it gets whatever it is. */
static struct schema *input_schema(const cJSON *definition)
{
    static const char any[] = "{\"type\":\"object\"}";
    const cJSON *node = json_get(definition, "inputSchema");
    const cJSON *type = json_get(node, "type");
    struct schema *schema = NULL;
    struct json_doc *doc;

    if (cJSON_IsString(type) && strcmp(type->valuestring, "object") == 0)
        schema = schema_compile(node, NULL);
    if (schema)
        return schema;
    doc = json_parse(any, sizeof any - 1, NULL, NULL);
    schema = schema_compile(json_root(doc), NULL);
    json_doc_free(doc);
    return schema;
}

struct entry *entry_mounted(struct vm *vm, const struct mounted *mounted, struct error *err)
{
    struct json_doc *doc = json_parse(mounted->definition.ptr, mounted->definition.len, NULL, err);
    const char *name = doc ? cJSON_GetStringValue(json_get(json_root(doc), "name")) : NULL;
    struct entry *entry;

    if (!name) {
        if (doc)
            error_set(err, "bad_definition", "a tool of %s has no name", mounted->mount);
        json_doc_free(doc);
        luaL_unref(vm_lua(vm), LUA_REGISTRYINDEX, mounted->run);
        return NULL;
    }
    entry = mem_zero(sizeof *entry);
    entry->kind = ENTRY_TOOL;
    entry->refs = 1;
    entry->vm = vm;
    entry->name = mem_strdup(name);
    entry->toolset = mem_strdup(mounted->mount);
    entry->path = mem_strdup(mounted->path);
    entry->label = mem_printf("%s (mounted)", name);
    entry->table = LUA_NOREF;
    entry->run = mounted->run;
    entry->wire = mem_strndup(mounted->definition.ptr, mounted->definition.len);
    entry->wire_len = mounted->definition.len;
    entry->definition = doc;
    entry->input = input_schema(json_root(doc));
    entry->timeout_ms = mounted->timeout_ms;
    entry->takes_call = true;
    entry->here = true;
    entry->listed = mounted->listed;
    return entry;
}
