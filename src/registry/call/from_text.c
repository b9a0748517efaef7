/* Several clients and models send "[1,2]" for [1,2] and "3" for 3, and a model cannot help what its
 * client does. Where a string is allowed, it stays one: nobody knows better than the sender. */
#include "registry/call/from_text.h"

#include <stdlib.h>

#include "json/writer.h"

enum { REFS_MAX = 8, NAMES_MAX = 300 };

struct from_text {
    const cJSON *root; /* the whole schema */
    struct buf *out, *names;
};

/* The schema that it refers to, within its document; itself if it does not. */
static const cJSON *resolved(const struct from_text *read, const cJSON *schema)
{
    for (int i = 0; i < REFS_MAX; i++) {
        const char *ref = cJSON_GetStringValue(json_get(schema, "$ref"));
        const char *name = ref ? strrchr(ref, '/') : NULL;

        if (name && strncmp(ref, "#/$defs/", 8) == 0 && name == ref + 7)
            schema = json_get(json_get(read->root, "$defs"), name + 1);
        else if (name && strncmp(ref, "#/definitions/", 14) == 0 && name == ref + 13)
            schema = json_get(json_get(read->root, "definitions"), name + 1);
        else
            break;
    }
    return schema;
}

static bool names_kind(const cJSON *type, const cJSON *value)
{
    const char *name = cJSON_GetStringValue(type);

    if (!name)
        return false;
    if (cJSON_IsNumber(value))
        return strcmp(name, "number") == 0 || strcmp(name, "integer") == 0;
    return strcmp(name, cJSON_IsString(value)   ? "string"
                        : cJSON_IsArray(value)  ? "array"
                        : cJSON_IsObject(value) ? "object"
                        : cJSON_IsBool(value)   ? "boolean"
                                                : "null") == 0;
}

static bool same_kind(const cJSON *a, const cJSON *b)
{
    return a->type == b->type || (cJSON_IsBool(a) && cJSON_IsBool(b));
}

/* Might a value of this kind fit? Only what the schema says plainly rules it out. */
static bool allows_kind(const struct from_text *read, const cJSON *schema, const cJSON *value,
                        int depth)
{
    static const char *const choices[] = { "anyOf", "oneOf" };
    const cJSON *type, *item, *list;
    bool any;

    schema = resolved(read, schema);
    type = json_get(schema, "type");
    if (depth > REFS_MAX || !cJSON_IsObject(schema))
        return true;
    any = !type || names_kind(type, value);
    cJSON_ArrayForEach (item, type) /* a string has no items */
        any = any || names_kind(item, value);
    list = json_get(schema, "enum");
    if (any && cJSON_IsArray(list)) {
        any = false;
        cJSON_ArrayForEach (item, list)
            any = any || same_kind(item, value);
    }
    item = json_get(schema, "const");
    any = any && (!item || same_kind(item, value));
    for (size_t i = 0; any && i < countof(choices); i++) {
        list = json_get(schema, choices[i]);
        any = !cJSON_IsArray(list);
        cJSON_ArrayForEach (item, list)
            any = any || allows_kind(read, item, value, depth + 1);
    }
    cJSON_ArrayForEach (item, json_get(schema, "allOf"))
        any = any && allows_kind(read, item, value, depth + 1);
    return any;
}

static void add_name(struct from_text *read, const char *path)
{
    if (read->names->len > NAMES_MAX)
        return;
    if (read->names->len)
        buf_lit(read->names, ", ");
    buf_adds(read->names, path);
}

static void write_string(struct from_text *read, const cJSON *node, const cJSON *schema,
                         const char *path)
{
    struct str text = json_string(node);
    struct json_doc *doc =
        allows_kind(read, schema, node, 0) ? NULL : json_parse(text.ptr, text.len, NULL, NULL);
    const cJSON *value = json_root(doc);

    if (value && !cJSON_IsString(value) && allows_kind(read, schema, value, 0)) {
        add_name(read, path);
        json_write(read->out, value);
    } else {
        json_write(read->out, node);
    }
    json_doc_free(doc);
}

static void write_value(struct from_text *read, const cJSON *node, const cJSON *schema,
                        const char *path);

static void write_object(struct from_text *read, const cJSON *node, const cJSON *schema,
                         const char *path)
{
    const cJSON *properties = json_get(schema, "properties");

    buf_addc(read->out, '{');
    for (const cJSON *item = node->child; item; item = item->next) {
        const cJSON *inner = json_get(properties, item->string);
        struct str name = json_name(item);
        char *place = mem_printf("%s%s%.60s", path, *path ? "." : "", name.ptr);

        if (item != node->child)
            buf_addc(read->out, ',');
        json_write_string(read->out, name.ptr, name.len);
        buf_addc(read->out, ':');
        write_value(read, item, inner ? inner : json_get(schema, "additionalProperties"), place);
        free(place);
    }
    buf_addc(read->out, '}');
}

static void write_array(struct from_text *read, const cJSON *node, const cJSON *schema,
                        const char *path)
{
    const cJSON *items = json_get(schema, "items");
    int at = 0;

    buf_addc(read->out, '[');
    for (const cJSON *item = node->child; item; item = item->next, at++) {
        const cJSON *first = cJSON_GetArrayItem(json_get(schema, "prefixItems"), at);
        char *place = mem_printf("%s[%d]", path, at);

        if (at)
            buf_addc(read->out, ',');
        write_value(read, item, first ? first : items, place);
        free(place);
    }
    buf_addc(read->out, ']');
}

static void write_value(struct from_text *read, const cJSON *node, const cJSON *schema,
                        const char *path)
{
    schema = resolved(read, schema);
    if (!cJSON_IsObject(schema))
        json_write(read->out, node);
    else if (cJSON_IsString(node))
        write_string(read, node, schema, path);
    else if (cJSON_IsObject(node))
        write_object(read, node, schema, path);
    else if (cJSON_IsArray(node))
        write_array(read, node, schema, path);
    else
        json_write(read->out, node);
}

struct json_doc *arguments_from_text(const cJSON *args, const cJSON *schema, struct buf *names)
{
    struct buf out = { 0 };
    struct from_text read = { schema, &out, names };
    size_t before = names->len;
    struct json_doc *doc = NULL;

    if (cJSON_IsObject(args))
        write_value(&read, args, schema, "");
    if (names->len > before)
        doc = json_parse(out.data, out.len, NULL, NULL);
    if (!doc)
        names->len = before;
    buf_free(&out);
    return doc;
}
