/* Making entries of definitions that came over the wire. */
#include "registry/mount.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/log.h"
#include "json/marks.h"
#include "json/shown.h"
#include "json/utf8.h"
#include "json/writer.h"
#include "registry/uri_template.h"
#include "script/vm.h"

enum { MOUNTED_NAME_MAX = 400 };

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

/* FNV-1a */
static uint32_t hash_uri(const char *text)
{
    uint32_t sum = 2166136261u;

    while (*text)
        sum = (sum ^ (unsigned char)*text++) * 16777619u;
    return sum;
}

/* The text that sorts it and names it in messages: a URI may be longer than a place in a list can
 * be. */
static char *mounted_name(enum entry_kind kind, const cJSON *definition)
{
    const char *text = cJSON_GetStringValue(json_get(definition, "name"));
    const char *uri = cJSON_GetStringValue(json_get(definition, "uri"));

    if (kind != ENTRY_RESOURCE || !text)
        return text ? mem_strdup(text) : NULL;
    if (!uri)
        uri = cJSON_GetStringValue(json_get(definition, "uriTemplate"));
    if (!uri)
        return NULL;
    if (strlen(uri) <= MOUNTED_NAME_MAX)
        return mem_strdup(uri);
    return mem_printf("%.*s~%08x", (int)utf8_cut(uri, strlen(uri), MOUNTED_NAME_MAX), uri,
                      (unsigned)hash_uri(uri));
}

/* Fills in what the definition says. */
static void define_mounted(struct entry *entry)
{
    const cJSON *definition = json_root(entry->definition);
    const cJSON *template;

    if (entry->kind == ENTRY_TOOL) {
        entry->input = input_schema(definition);
    } else if (entry->kind == ENTRY_RESOURCE) {
        template = json_get(definition, "uriTemplate");
        entry->templated = template != NULL;
        entry->uri = mem_strdup((template ? template : json_get(definition, "uri"))->valuestring);
        if (template)
            entry->template = uri_template_new(entry->uri, &(struct error){ 0 });
    }
}

struct entry *entry_mounted(struct vm *vm, const struct mounted *mounted, struct error *err)
{
    char *wire = mem_strndup(mounted->definition.ptr, mounted->definition.len);
    size_t wire_len = mounted->definition.len, hidden = json_show(wire, &wire_len);
    struct json_doc *doc;
    struct entry *entry;
    char *name;

    json_drop_marks(wire, &wire_len);
    doc = json_parse(wire, wire_len, NULL, err);
    name = doc ? mounted_name(mounted->kind, json_root(doc)) : NULL;
    if (!name) {
        if (doc)
            error_set(err, "bad_definition", "an item of %s has no name or no URI", mounted->mount);
        json_doc_free(doc);
        free(wire);
        luaL_unref(vm_lua(vm), LUA_REGISTRYINDEX, mounted->run);
        luaL_unref(vm_lua(vm), LUA_REGISTRYINDEX, mounted->named);
        luaL_unref(vm_lua(vm), LUA_REGISTRYINDEX, mounted->table);
        return NULL;
    }
    entry = mem_zero(sizeof *entry);
    entry->kind = mounted->kind;
    entry->refs = 1;
    entry->vm = vm;
    entry->name = name;
    entry->toolset = mem_strdup(mounted->mount);
    entry->path = mem_strdup(mounted->path);
    entry->label = mem_printf("%s (mounted)", name);
    entry->table = mounted->table;
    entry->run = mounted->run;
    entry->named = mounted->named;
    entry->subject = LUA_NOREF;
    entry->original = mounted->original ? mem_strdup(mounted->original) : NULL;
    entry->wire = wire;
    entry->wire_len = wire_len;
    if (hidden)
        log_info("%s: its definition had %zu hidden characters; they were taken out", entry->label,
                 hidden);
    entry->definition = doc;
    entry->timeout_ms = mounted->timeout_ms;
    entry->tasks = mounted->tasks;
    entry->takes_call = true;
    entry->here = true;
    entry->listed = mounted->listed;
    define_mounted(entry);
    return entry;
}
