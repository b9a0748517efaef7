/* A shallow reader of schemas. */
#include "cli/schema_types.h"

#include <stdlib.h>

#include "base/util.h"
#include "json/document.h"

enum { DEPTH_MAX = 16 };

static const char *const parts[] = { "allOf", "anyOf", "oneOf" };

/* One step of a JSON pointer: a member, or an item. ~1 and ~0 stand for / and ~. */
static const cJSON *step(const cJSON *node, const char *name, size_t len)
{
    char *key = mem_strndup(name, len), *to = key;

    for (const char *from = key; *from; from++) {
        if (from[0] == '~' && (from[1] == '0' || from[1] == '1'))
            *to++ = *++from == '0' ? '~' : '/';
        else
            *to++ = *from;
    }
    *to = '\0';
    node = cJSON_IsArray(node) ? cJSON_GetArrayItem(node, atoi(key)) : json_get(node, key);
    free(key);
    return node;
}

/* The schema itself, or what its $ref leads to. */
static const cJSON *resolve(const cJSON *root, const cJSON *schema)
{
    for (int hops = 0; hops < DEPTH_MAX; hops++) {
        const cJSON *ref = json_get(schema, "$ref");
        const char *at;

        if (!cJSON_IsString(ref) || ref->valuestring[0] != '#')
            break;
        schema = root;
        for (at = ref->valuestring + 1; schema && *at == '/';) {
            size_t len = strcspn(++at, "/");

            schema = step(schema, at, len);
            at += len;
        }
    }
    return schema;
}

static unsigned type_named(const cJSON *name)
{
    static const char *const names[] = { "null",   "boolean", "integer", "number",
                                         "string", "array",   "object" };

    for (unsigned i = 0; cJSON_IsString(name) && i < countof(names); i++)
        if (strcmp(name->valuestring, names[i]) == 0)
            return 1u << i;
    return 0;
}

static unsigned type_of(const cJSON *value)
{
    return cJSON_IsNull(value)     ? SCHEMA_NULL
           : cJSON_IsBool(value)   ? SCHEMA_BOOLEAN
           : cJSON_IsNumber(value) ? SCHEMA_NUMBER
           : cJSON_IsString(value) ? SCHEMA_STRING
           : cJSON_IsArray(value)  ? SCHEMA_ARRAY
                                   : SCHEMA_OBJECT;
}

static unsigned own_types(const cJSON *schema)
{
    const cJSON *type = json_get(schema, "type"), *constant = json_get(schema, "const"), *each;
    unsigned types = type_named(type);

    cJSON_ArrayForEach (each, type)
        types |= type_named(each);
    if (types)
        return types;
    cJSON_ArrayForEach (each, json_get(schema, "enum"))
        types |= type_of(each);
    return constant ? types | type_of(constant) : types;
}

static unsigned types_below(const cJSON *root, const cJSON *schema, int depth)
{
    unsigned types;
    const cJSON *each;

    schema = resolve(root, schema);
    types = own_types(schema);
    for (size_t i = 0; !types && depth < DEPTH_MAX && i < countof(parts); i++)
        cJSON_ArrayForEach (each, json_get(schema, parts[i]))
            types |= types_below(root, each, depth + 1);
    return types;
}

unsigned schema_types(const cJSON *root, const cJSON *schema)
{
    return types_below(root, schema, 0);
}

/* schema.OUTER, or schema.OUTER.INNER: the schema's own, else the first of its parts. */
static const cJSON *first_below(const cJSON *root, const cJSON *schema, const char *outer,
                                const char *inner, int depth)
{
    const cJSON *found, *each;

    schema = resolve(root, schema);
    found = json_get(schema, outer);
    if (inner)
        found = json_get(found, inner);
    for (size_t i = 0; !found && depth < DEPTH_MAX && i < countof(parts); i++) {
        cJSON_ArrayForEach (each, json_get(schema, parts[i])) {
            found = first_below(root, each, outer, inner, depth + 1);
            if (found)
                break;
        }
    }
    return found;
}

const cJSON *schema_items(const cJSON *root, const cJSON *schema)
{
    return first_below(root, schema, "items", NULL, 0);
}

const cJSON *schema_property_of(const cJSON *root, const cJSON *schema, const char *name)
{
    const cJSON *found = first_below(root, schema, "properties", name, 0);

    return found ? found : first_below(root, schema, "additionalProperties", NULL, 0);
}

bool schema_declares(const cJSON *root, const cJSON *schema, const char *name)
{
    return first_below(root, schema, "properties", name, 0) != NULL;
}
