/* Each keyword has a function that checks its value and puts what it says in
 * the rule. They are found by name in one sorted table at the end. */
#include <math.h>
#include <stdlib.h>

#include "json/schema_compile.h"

typedef bool fill(struct compiler *c, struct rule *rule, const cJSON *value);

/* --- helpers ----------------------------------------------------------------- */

static void *take(struct compiler *c, size_t size)
{
    return memset(arena_alloc(&c->schema->arena, size), 0, size);
}

static bool need_string(struct compiler *c, const cJSON *value)
{
    return cJSON_IsString(value) || compile_fail(c, value, "expected a string");
}

static bool need_object(struct compiler *c, const cJSON *value)
{
    return cJSON_IsObject(value) || compile_fail(c, value, "expected an object of schemas");
}

static bool read_number(struct compiler *c, const cJSON *value, double *out)
{
    if (!cJSON_IsNumber(value))
        return compile_fail(c, value, "expected a number");
    *out = value->valuedouble;
    return true;
}

static bool read_count(struct compiler *c, const cJSON *value, size_t *out)
{
    double count = cJSON_IsNumber(value) ? value->valuedouble : -1;

    if (count < 0 || count != trunc(count))
        return compile_fail(c, value, "expected a whole number, 0 or more");
    *out = count < 9e15 ? (size_t)count : SIZE_MAX;
    return true;
}

static bool read_schema(struct compiler *c, const cJSON *value, const struct rule **out)
{
    *out = scope_rule(c, value);
    return *out || compile_fail(c, value, "expected a schema: an object, true or false");
}

static bool read_schemas(struct compiler *c, const cJSON *value, struct rules *out)
{
    size_t count = cJSON_IsArray(value) ? (size_t)cJSON_GetArraySize(value) : 0;

    if (!count)
        return compile_fail(c, value, "expected a list of one schema or more");
    out->list = take(c, count * sizeof(struct rule *));
    out->count = 0;
    for (const cJSON *child = value->child; child; child = child->next) {
        if (!read_schema(c, child, &out->list[out->count++]))
            return false;
    }
    return true;
}

static struct pattern *add_pattern(struct compiler *c, const cJSON *source, const char *text)
{
    struct pattern *pattern = take(c, sizeof *pattern);
    struct error why;

    if (!regex_check(text, strlen(text), &why)) {
        compile_fail(c, source, "%s", why.text);
        return NULL;
    }
    *pattern = (struct pattern){ c->schema->patterns, source, str_from(text), NULL };
    c->schema->patterns = pattern;
    return pattern;
}

static struct number_rule *number_of(struct compiler *c, struct rule *rule)
{
    if (!rule->number)
        rule->number = take(c, sizeof *rule->number);
    return rule->number;
}

static struct string_rule *string_of(struct compiler *c, struct rule *rule)
{
    if (!rule->string) {
        rule->string = take(c, sizeof *rule->string);
        rule->string->most = SIZE_MAX;
    }
    return rule->string;
}

static struct array_rule *array_of(struct compiler *c, struct rule *rule)
{
    if (!rule->array) {
        rule->array = take(c, sizeof *rule->array);
        rule->array->most = rule->array->contains_most = SIZE_MAX;
        rule->array->contains_least = 1;
    }
    return rule->array;
}

static struct logic_rule *logic_of(struct compiler *c, struct rule *rule)
{
    if (!rule->logic)
        rule->logic = take(c, sizeof *rule->logic);
    return rule->logic;
}

static size_t size_of(const cJSON *schema, const char *keyword)
{
    const cJSON *value = json_get(schema, keyword);
    size_t count = 0;

    if (!cJSON_IsObject(value) && !cJSON_IsArray(value))
        return 0;
    for (const cJSON *child = value->child; child; child = child->next)
        count += 1 + (cJSON_IsArray(child) ? (size_t)cJSON_GetArraySize(child) : 0);
    return count;
}

/* Room for every name the schema can mention, and a table at most half full. */
static void reserve_properties(struct compiler *c, struct object_rule *object, const cJSON *schema)
{
    size_t names = size_of(schema, "properties") + size_of(schema, "required") +
                   size_of(schema, "dependentRequired") + size_of(schema, "dependentSchemas");
    uint32_t slots = 4;

    if (!names)
        return;
    while (slots < names * 2)
        slots *= 2;
    object->properties = take(c, names * sizeof *object->properties);
    object->slots = take(c, slots * sizeof *object->slots);
    object->mask = slots - 1;
}

static struct object_rule *object_of(struct compiler *c, struct rule *rule)
{
    if (!rule->object) {
        rule->object = take(c, sizeof *rule->object);
        rule->object->most = SIZE_MAX;
        reserve_properties(c, rule->object, rule->source);
    }
    return rule->object;
}

/* The property of this name, added if it is new. */
static struct property *property_of(struct object_rule *object, const char *name)
{
    struct property *property = (struct property *)schema_property(object, name);
    uint32_t slot;

    if (property)
        return property;
    property = &object->properties[object->count++];
    property->name = name;
    property->hash = schema_hash(name);
    for (slot = property->hash & object->mask; object->slots[slot];)
        slot = (slot + 1) & object->mask;
    object->slots[slot] = (uint32_t)object->count;
    return property;
}

/* --- what a value is ---------------------------------------------------------- */

static unsigned type_named(const char *name)
{
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {
        { "null", TYPE_NULL },       { "boolean", TYPE_BOOLEAN },
        { "integer", TYPE_INTEGER }, { "number", TYPE_INTEGER | TYPE_NUMBER },
        { "string", TYPE_STRING },   { "array", TYPE_ARRAY },
        { "object", TYPE_OBJECT },
    };

    for (size_t i = 0; i < countof(types); i++) {
        if (strcmp(types[i].name, name) == 0)
            return types[i].bits;
    }
    return 0;
}

static bool add_type(struct compiler *c, struct rule *rule, const cJSON *name)
{
    unsigned bits = cJSON_IsString(name) ? type_named(name->valuestring) : 0;

    rule->types |= bits;
    return bits || compile_fail(c, name,
                                "expected one of \"null\", \"boolean\", \"integer\", "
                                "\"number\", \"string\", \"array\", \"object\"");
}

static bool fill_type(struct compiler *c, struct rule *rule, const cJSON *value)
{
    rule->types = 0;
    if (!cJSON_IsArray(value))
        return add_type(c, rule, value);
    if (!value->child)
        return compile_fail(c, value, "expected at least one type");
    for (const cJSON *name = value->child; name; name = name->next) {
        if (!add_type(c, rule, name))
            return false;
    }
    return true;
}

static bool fill_enum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    rule->options = value;
    return cJSON_IsArray(value) || compile_fail(c, value, "expected a list of values");
}

static bool fill_const(struct compiler *c, struct rule *rule, const cJSON *value)
{
    (void)c;
    rule->constant = value;
    return true;
}

/* --- numbers ----------------------------------------------------------------- */

/* The stricter of "minimum" and "exclusiveMinimum" counts, in any order. */
static bool fill_least(struct compiler *c, struct rule *rule, const cJSON *value, bool above)
{
    struct number_rule *number = number_of(c, rule);
    double least = 0;

    if (!read_number(c, value, &least))
        return false;
    if (!number->has_least || least > number->least || (least == number->least && above)) {
        number->least = least;
        number->above = above;
    }
    number->has_least = true;
    return true;
}

static bool fill_most(struct compiler *c, struct rule *rule, const cJSON *value, bool below)
{
    struct number_rule *number = number_of(c, rule);
    double most = 0;

    if (!read_number(c, value, &most))
        return false;
    if (!number->has_most || most < number->most || (most == number->most && below)) {
        number->most = most;
        number->below = below;
    }
    number->has_most = true;
    return true;
}

static bool fill_minimum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_least(c, rule, value, false);
}

static bool fill_exclusive_minimum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_least(c, rule, value, true);
}

static bool fill_maximum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_most(c, rule, value, false);
}

static bool fill_exclusive_maximum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_most(c, rule, value, true);
}

static bool fill_multiple_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct number_rule *number = number_of(c, rule);

    if (!read_number(c, value, &number->step))
        return false;
    number->has_step = true;
    return number->step > 0 || compile_fail(c, value, "expected a number above 0");
}

/* --- strings ----------------------------------------------------------------- */

static bool fill_min_length(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &string_of(c, rule)->least);
}

static bool fill_max_length(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &string_of(c, rule)->most);
}

static bool fill_pattern(struct compiler *c, struct rule *rule, const cJSON *value)
{
    if (!need_string(c, value))
        return false;
    string_of(c, rule)->pattern = add_pattern(c, value, value->valuestring);
    return rule->string->pattern != NULL;
}

/* --- arrays ------------------------------------------------------------------ */

static bool fill_min_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->least);
}

static bool fill_max_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->most);
}

static bool fill_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    if (cJSON_IsArray(value))
        return compile_fail(c, value, "expected one schema; a list of them is \"prefixItems\"");
    return read_schema(c, value, &array_of(c, rule)->items);
}

static bool fill_prefix_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &array_of(c, rule)->prefix);
}

static bool fill_contains(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &array_of(c, rule)->contains);
}

static bool fill_min_contains(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->contains_least);
}

static bool fill_max_contains(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->contains_most);
}

static bool fill_unique_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    array_of(c, rule)->unique = cJSON_IsTrue(value);
    return cJSON_IsBool(value) || compile_fail(c, value, "expected true or false");
}

static bool fill_unevaluated_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &logic_of(c, rule)->unevaluated_items);
}

/* --- objects ----------------------------------------------------------------- */

static bool fill_min_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &object_of(c, rule)->least);
}

static bool fill_max_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &object_of(c, rule)->most);
}

static bool fill_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!need_object(c, value))
        return false;
    for (const cJSON *child = value->child; child; child = child->next) {
        if (!read_schema(c, child, &property_of(object, child->string)->rule))
            return false;
    }
    return true;
}

static bool need_names(struct compiler *c, const cJSON *value)
{
    if (!cJSON_IsArray(value))
        return compile_fail(c, value, "expected a list of property names");
    for (const cJSON *name = value->child; name; name = name->next) {
        if (!need_string(c, name))
            return false;
    }
    return true;
}

static bool fill_required(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!need_names(c, value))
        return false;
    for (const cJSON *name = value->child; name; name = name->next) {
        struct property *property = property_of(object, name->valuestring);

        object->required_count += !property->required;
        property->required = true;
    }
    return true;
}

static bool fill_dependent_required(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!cJSON_IsObject(value))
        return compile_fail(c, value, "expected an object of lists of property names");
    for (const cJSON *child = value->child; child; child = child->next) {
        struct property *property = property_of(object, child->string);
        size_t *needs;

        if (!need_names(c, child))
            return false;
        needs = take(c, (size_t)cJSON_GetArraySize(child) * sizeof *needs);
        property->needs = needs;
        property->need_count = 0;
        for (const cJSON *name = child->child; name; name = name->next) {
            const struct property *need = property_of(object, name->valuestring);

            needs[property->need_count++] = (size_t)(need - object->properties);
        }
        object->dependencies = true;
    }
    return true;
}

static bool fill_dependent_schemas(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!need_object(c, value))
        return false;
    for (const cJSON *child = value->child; child; child = child->next) {
        if (!read_schema(c, child, &property_of(object, child->string)->then_rule))
            return false;
        object->dependencies = true;
    }
    return true;
}

static bool fill_pattern_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!need_object(c, value))
        return false;
    object->patterns = take(c, (size_t)cJSON_GetArraySize(value) * sizeof *object->patterns);
    for (const cJSON *child = value->child; child; child = child->next) {
        struct pattern_property *property = &object->patterns[object->pattern_count];

        property->pattern = add_pattern(c, child, child->string);
        if (!property->pattern || !read_schema(c, child, &property->rule))
            return false;
        object->pattern_count++;
    }
    return true;
}

static bool fill_additional(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &object_of(c, rule)->additional);
}

static bool fill_property_names(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &object_of(c, rule)->names);
}

static bool fill_unevaluated_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &logic_of(c, rule)->unevaluated_properties);
}

/* --- other rules for the same value -------------------------------------------- */

static bool fill_ref(struct compiler *c, struct rule *rule, const cJSON *value)
{
    if (!need_string(c, value))
        return false;
    logic_of(c, rule)->ref = scope_resolve(c, rule, value);
    return rule->logic->ref != NULL;
}

static bool fill_all_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &logic_of(c, rule)->all);
}

static bool fill_any_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &logic_of(c, rule)->any);
}

static bool fill_one_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &logic_of(c, rule)->one);
}

static bool fill_not(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &logic_of(c, rule)->not_rule);
}

static bool fill_if(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &logic_of(c, rule)->if_rule);
}

static bool fill_then(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &logic_of(c, rule)->then_rule);
}

static bool fill_else(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &logic_of(c, rule)->else_rule);
}

/* --- keywords that assert nothing ------------------------------------------------ */

static bool fill_definitions(struct compiler *c, struct rule *rule, const cJSON *value)
{
    const struct rule *ignored;

    (void)rule;
    if (!need_object(c, value))
        return false;
    for (const cJSON *child = value->child; child; child = child->next) {
        if (!read_schema(c, child, &ignored))
            return false;
    }
    return true;
}

static bool fill_text(struct compiler *c, struct rule *rule, const cJSON *value)
{
    (void)rule;
    return need_string(c, value);
}

static bool fill_anchor(struct compiler *c, struct rule *rule, const cJSON *value)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    static const char others[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-.";
    const char *name = cJSON_IsString(value) ? value->valuestring : "";

    (void)rule;
    if (!*name || !strchr(letters, *name) || name[strspn(name, others)])
        return compile_fail(c, value, "expected a letter or _, then letters, digits, - _ .");
    return true;
}

static bool fill_schema(struct compiler *c, struct rule *rule, const cJSON *value)
{
    static const char *const known[] = {
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-06/schema",
    };
    size_t len;

    (void)rule;
    if (!need_string(c, value))
        return false;
    len = strlen(value->valuestring);
    if (len && value->valuestring[len - 1] == '#')
        len--;
    for (size_t i = 0; i < countof(known); i++) {
        if (strlen(known[i]) == len && memcmp(known[i], value->valuestring, len) == 0)
            return true;
    }
    return compile_fail(c, value, "\"%s\" is not a known dialect; expected \"%s\"",
                        value->valuestring, known[0]);
}

static bool fill_dynamic(struct compiler *c, struct rule *rule, const cJSON *value)
{
    (void)rule;
    return compile_fail(c, value, "references with dynamic scope are not supported; use \"$ref\"");
}

static const struct filler {
    const char *name;
    fill *fill;
} fillers[] = {
    { "$anchor", fill_anchor },
    { "$defs", fill_definitions },
    { "$dynamicAnchor", fill_anchor },
    { "$dynamicRef", fill_dynamic },
    { "$id", fill_text },
    { "$recursiveRef", fill_dynamic },
    { "$ref", fill_ref },
    { "$schema", fill_schema },
    { "additionalProperties", fill_additional },
    { "allOf", fill_all_of },
    { "anyOf", fill_any_of },
    { "const", fill_const },
    { "contains", fill_contains },
    { "definitions", fill_definitions },
    { "dependentRequired", fill_dependent_required },
    { "dependentSchemas", fill_dependent_schemas },
    { "else", fill_else },
    { "enum", fill_enum },
    { "exclusiveMaximum", fill_exclusive_maximum },
    { "exclusiveMinimum", fill_exclusive_minimum },
    { "format", fill_text },
    { "if", fill_if },
    { "items", fill_items },
    { "maxContains", fill_max_contains },
    { "maxItems", fill_max_items },
    { "maxLength", fill_max_length },
    { "maxProperties", fill_max_properties },
    { "maximum", fill_maximum },
    { "minContains", fill_min_contains },
    { "minItems", fill_min_items },
    { "minLength", fill_min_length },
    { "minProperties", fill_min_properties },
    { "minimum", fill_minimum },
    { "multipleOf", fill_multiple_of },
    { "not", fill_not },
    { "oneOf", fill_one_of },
    { "pattern", fill_pattern },
    { "patternProperties", fill_pattern_properties },
    { "prefixItems", fill_prefix_items },
    { "properties", fill_properties },
    { "propertyNames", fill_property_names },
    { "required", fill_required },
    { "then", fill_then },
    { "type", fill_type },
    { "unevaluatedItems", fill_unevaluated_items },
    { "unevaluatedProperties", fill_unevaluated_properties },
    { "uniqueItems", fill_unique_items },
};

static int filler_order(const void *name, const void *entry)
{
    return strcmp(name, ((const struct filler *)entry)->name);
}

/* Of a keyword that is there twice the last counts, as everywhere. */
bool rule_fill(struct compiler *c, struct rule *rule)
{
    const cJSON *said[countof(fillers)] = { NULL };

    rule->never = cJSON_IsFalse(rule->source);
    for (const cJSON *member = rule->source->child; member; member = member->next) {
        const struct filler *filler =
            bsearch(member->string, fillers, countof(fillers), sizeof *fillers, filler_order);

        if (filler)
            said[filler - fillers] = member;
    }
    for (size_t i = 0; i < countof(fillers); i++) {
        if (said[i] && !fillers[i].fill(c, rule, said[i]))
            return false;
    }
    return true;
}
