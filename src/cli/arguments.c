/* Coercion of words by a JSON Schema. */
#include "cli/arguments.h"

#include <stdlib.h>
#include <strings.h>

#include "base/buf.h"
#include "cli/args.h"
#include "cli/read_input.h"
#include "cli/schema_types.h"
#include "files/file.h"
#include "json/document.h"
#include "json/utf8.h"

enum { JSON_BYTES = 10 * 1024 * 1024 };

void arguments_init(struct arguments *arguments, const cJSON *schema)
{
    *arguments = (struct arguments){ cJSON_CreateObject(), schema };
}

void arguments_free(struct arguments *arguments)
{
    cJSON_Delete(arguments->object);
}

/* --- JSON text ------------------------------------------------------------------ */

/* A tree of its own; NULL and err if it is no JSON. */
static cJSON *parse(const char *text, size_t len, struct error *err)
{
    struct json_doc *doc = json_parse(text, len, NULL, err);
    cJSON *tree = doc ? cJSON_Duplicate(json_root(doc), true) : NULL;

    json_doc_free(doc);
    return tree;
}

bool arguments_read(struct arguments *arguments, const char *source, struct error *err)
{
    struct buf text = { 0 };
    struct error inner;
    cJSON *tree = NULL;
    bool ok = true;

    if (strcmp(source, "-") == 0)
        ok = read_input("-", JSON_BYTES, &text, err);
    else if (*source == '@')
        ok = file_read_all(source + 1, JSON_BYTES, &text, err);
    else
        buf_adds(&text, source);
    if (ok && !(tree = parse(text.data, text.len, &inner)))
        ok = error_set(err, "usage", "--args is not JSON: %s", inner.text);
    if (ok && !cJSON_IsObject(tree))
        ok = error_set(err, "usage", "--args is a JSON object, as in {\"key\": \"value\"}");
    buf_free(&text);
    if (!ok) {
        cJSON_Delete(tree);
        return false;
    }
    cJSON_Delete(arguments->object);
    arguments->object = tree;
    return true;
}

/* --- one value ---------------------------------------------------------------------- */

/* Plain decimal, as people write it: 5, -0.5, .5, 1e3; no hex, no "inf". */
static bool read_number(const char *text, double *number)
{
    char *end;

    if (!*text || text[strspn(text, "+-.0123456789eE")] != '\0')
        return false;
    *number = strtod(text, &end);
    return *end == '\0';
}

static bool read_boolean(const char *text, bool *value)
{
    static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1" };

    for (size_t i = 0; i < countof(words); i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *value = i % 2 == 1;
            return true;
        }
    }
    return false;
}

static cJSON *coerce(const cJSON *root, const cJSON *schema, const char *text);

/* `a,b,c`, each by the schema of the items. */
static cJSON *split(const cJSON *root, const cJSON *schema, const char *text)
{
    const cJSON *items = schema_items(root, schema);
    cJSON *list = cJSON_CreateArray();
    char *copy = mem_strdup(text);
    char *rest = copy, *part;

    while (*text && (part = strsep(&rest, ",")))
        cJSON_AddItemToArray(list, coerce(root, items, part));
    free(copy);
    return list;
}

/* Text that opens like JSON of an allowed type and is that; else NULL. */
static cJSON *read_json(unsigned types, const char *text)
{
    bool array = *text == '[' && (types & SCHEMA_ARRAY);
    bool object = *text == '{' && (types & SCHEMA_OBJECT);

    return array || object ? parse(text, strlen(text), NULL) : NULL;
}

static cJSON *coerce(const cJSON *root, const cJSON *schema, const char *text)
{
    unsigned types = schema_types(root, schema);
    cJSON *tree = read_json(types, text);
    double number;
    bool truth;

    if (tree)
        return tree;
    if ((types & (SCHEMA_NUMBER | SCHEMA_INTEGER)) && read_number(text, &number))
        return cJSON_CreateNumber(number);
    if ((types & SCHEMA_BOOLEAN) && read_boolean(text, &truth))
        return cJSON_CreateBool(truth);
    if (types & SCHEMA_STRING)
        return cJSON_CreateString(text);
    if ((types & SCHEMA_NULL) && strcmp(text, "null") == 0)
        return cJSON_CreateNull();
    if (types & SCHEMA_ARRAY)
        return split(root, schema, text);
    return cJSON_CreateString(text);
}

/* --- where it goes -------------------------------------------------------------------- */

static void put(cJSON *object, const char *key, cJSON *value)
{
    if (cJSON_GetObjectItemCaseSensitive(object, key))
        cJSON_ReplaceItemInObjectCaseSensitive(object, key, value);
    else
        cJSON_AddItemToObject(object, key, value);
}

/* The second `key=b` of a list adds to it. */
static void put_text(const struct arguments *arguments, cJSON *object, const char *key,
                     const cJSON *schema, const char *text)
{
    cJSON *there = cJSON_GetObjectItemCaseSensitive(object, key);

    if (cJSON_IsArray(there) && (schema_types(arguments->schema, schema) & SCHEMA_ARRAY) &&
        *text != '[')
        cJSON_AddItemToArray(
            there, coerce(arguments->schema, schema_items(arguments->schema, schema), text));
    else
        put(object, key, coerce(arguments->schema, schema, text));
}

/* The object that `a.b.c` sets c in, made as needed; *key and *schema move on to c. */
static cJSON *descend(const struct arguments *arguments, char **key, const cJSON **schema,
                      struct error *err)
{
    cJSON *object = arguments->object;

    for (;;) {
        char *dot = strchr(*key, '.');
        cJSON *inner;

        if (!dot || dot == *key || dot[1] == '\0' ||
            schema_declares(arguments->schema, *schema, *key))
            break;
        *dot = '\0';
        inner = cJSON_GetObjectItemCaseSensitive(object, *key);
        if (!inner)
            inner = cJSON_AddObjectToObject(object, *key);
        if (!cJSON_IsObject(inner)) {
            error_set(err, "usage", "%s has a value that is no object, so %s.%s cannot be set",
                      *key, *key, dot + 1);
            return NULL;
        }
        object = inner;
        *schema = schema_property_of(arguments->schema, *schema, *key);
        *key = dot + 1;
    }
    return object;
}

/* Says what could have been meant. */
static bool not_a_pair(const struct arguments *arguments, const char *word, struct error *err)
{
    const cJSON *properties = json_get(arguments->schema, "properties");

    if (*word == '{')
        return error_set(err, "usage", "'%.60s' is not key=value; JSON stands after --args", word);
    if (cJSON_GetArraySize(properties) == 1 && *word != '=')
        return error_set(err, "usage", "'%.60s' is not key=value; write %.60s='%.60s'", word,
                         properties->child->string, word);
    return error_set(err, "usage", "'%.200s' is not key=value", word);
}

bool arguments_add(struct arguments *arguments, const char *word, struct error *err)
{
    const char *equals = strchr(word, '=');
    const cJSON *schema = arguments->schema;
    struct error inner;
    cJSON *object, *value = NULL;
    char *copy, *key;
    bool json;

    if (!utf8_valid(word, strlen(word), NULL))
        return error_set(err, "usage", "an argument is not valid UTF-8");
    if (!equals || equals == word || (equals == word + 1 && *word == ':'))
        return not_a_pair(arguments, word, err);
    json = equals[-1] == ':';
    if (json && !(value = parse(equals + 1, strlen(equals + 1), &inner)))
        return error_set(err, "usage", "%.*s= is not JSON: %s", (int)(equals - word), word,
                         inner.text);
    key = copy = mem_strndup(word, (size_t)(equals - word) - json);
    object = descend(arguments, &key, &schema, err);
    if (object && json)
        put(object, key, value);
    else if (object)
        put_text(arguments, object, key, schema_property_of(arguments->schema, schema, key),
                 equals + 1);
    else
        cJSON_Delete(value);
    free(copy);
    return object != NULL;
}
