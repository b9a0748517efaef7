#include "registry/call/arguments.h"

#include "json/document.h"
#include "json/schema/schema.h"
#include "registry/call/from_text.h"
#include "registry/call/other_names.h"

static bool list_has_name(const cJSON *list, const char *name)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, list) {
        if (cJSON_IsString(item) && strcmp(item->valuestring, name) == 0)
            return true;
    }
    return false;
}

/* For sure: what a reference or a condition says is left to the check. */
static bool refuses_null(const cJSON *schema)
{
    const cJSON *type = json_get(schema, "type");

    if (cJSON_IsString(type))
        return strcmp(type->valuestring, "null") != 0;
    return cJSON_IsArray(type) && !list_has_name(type, "null");
}

/* Is something taken out? */
static bool take_out_nulls(cJSON *value, const cJSON *schema)
{
    const cJSON *properties = json_get(schema, "properties"),
                *required = json_get(schema, "required"), *items = json_get(schema, "items");
    bool taken = false;
    cJSON *next;

    for (cJSON *node = value->child; node; node = next) {
        const cJSON *inner = cJSON_IsArray(value) ? items : json_get(properties, node->string);

        next = node->next;
        if (!inner)
            continue;
        if (cJSON_IsObject(value) && cJSON_IsNull(node) && refuses_null(inner) &&
            !list_has_name(required, node->string)) {
            json_take_out(value, node);
            taken = true;
        } else if (cJSON_IsObject(node) || cJSON_IsArray(node)) {
            taken |= take_out_nulls(node, inner);
        }
    }
    return taken;
}

/* True if something is changed, so that the arguments may fit now. False: err stays, or says more.
 */
static bool settle(cJSON *args, const cJSON *schema, struct error *err)
{
    bool renamed;

    return other_names_settle(args, schema, &renamed, err) &&
           (take_out_nulls(args, schema) || renamed);
}

bool arguments_check(struct entry *entry, const cJSON *args, struct error *err)
{
    cJSON none = { .type = cJSON_Object };

    if (!entry_schemas(entry, err))
        return false;
    if (!entry->input || schema_check(entry->input, args ? args : &none, err))
        return true;
    return args && settle((cJSON *)args, json_get(entry_definition(entry), "inputSchema"), err) &&
           schema_check(entry->input, args, err);
}

bool arguments_take(struct entry *entry, const cJSON **args, struct json_doc **read,
                    struct buf *names, struct error *err)
{
    *read = NULL;
    if (arguments_check(entry, *args, err))
        return true;
    *read = arguments_from_text(*args, json_get(entry_definition(entry), "inputSchema"), names);
    if (!*read)
        return false;
    *args = json_root(*read);
    return arguments_check(entry, *args, err);
}
