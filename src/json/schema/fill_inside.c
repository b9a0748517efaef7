/* Keywords about what is inside arrays and objects. */
#include "json/schema/fill.h"

/* --- arrays ------------------------------------------------------------------ */

static struct array_rule *array_of(struct compiler *c, struct rule *rule)
{
    if (!rule->array) {
        rule->array = fill_take(c, sizeof *rule->array);
        rule->array->most = rule->array->contains_most = SIZE_MAX;
        rule->array->contains_least = 1;
    }
    return rule->array;
}

bool fill_min_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->least);
}

bool fill_max_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->most);
}

bool fill_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    if (cJSON_IsArray(value))
        return compile_fail(c, value,
                            "expected one schema. For a list of schemas, use \"prefixItems\"");
    return read_schema(c, value, &array_of(c, rule)->items);
}

bool fill_prefix_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &array_of(c, rule)->prefix);
}

bool fill_contains(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &array_of(c, rule)->contains);
}

bool fill_min_contains(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->contains_least);
}

bool fill_max_contains(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &array_of(c, rule)->contains_most);
}

bool fill_unique_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    array_of(c, rule)->unique = cJSON_IsTrue(value);
    return cJSON_IsBool(value) || compile_fail(c, value, "expected true or false");
}

bool fill_unevaluated_items(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->unevaluated_items);
}

/* --- objects ----------------------------------------------------------------- */

static size_t keyword_size(const cJSON *schema, const char *keyword)
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
    size_t names = keyword_size(schema, "properties") + keyword_size(schema, "required") +
                   keyword_size(schema, "dependentRequired") +
                   keyword_size(schema, "dependentSchemas");
    uint32_t slots = 4;

    if (!names)
        return;
    while (slots < names * 2)
        slots *= 2;
    object->properties = fill_take(c, names * sizeof *object->properties);
    object->slots = fill_take(c, slots * sizeof *object->slots);
    object->mask = slots - 1;
}

static struct object_rule *object_of(struct compiler *c, struct rule *rule)
{
    if (!rule->object) {
        rule->object = fill_take(c, sizeof *rule->object);
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

bool fill_min_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &object_of(c, rule)->least);
}

bool fill_max_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &object_of(c, rule)->most);
}

bool fill_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!need_object(c, value))
        return false;
    for (const cJSON *child = value->child; child; child = child->next) {
        struct property *property = property_of(object, child->string);

        property->also = cJSON_GetStringValue(json_get(child, SCHEMA_ALSO));
        if (!read_schema(c, child, &property->rule))
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

bool fill_required(struct compiler *c, struct rule *rule, const cJSON *value)
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

bool fill_dependent_required(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!cJSON_IsObject(value))
        return compile_fail(c, value, "expected an object of lists of property names");
    for (const cJSON *child = value->child; child; child = child->next) {
        struct property *property = property_of(object, child->string);
        size_t *needs;

        if (!need_names(c, child))
            return false;
        needs = fill_take(c, (size_t)cJSON_GetArraySize(child) * sizeof *needs);
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

bool fill_dependent_schemas(struct compiler *c, struct rule *rule, const cJSON *value)
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

bool fill_pattern_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct object_rule *object = object_of(c, rule);

    if (!need_object(c, value))
        return false;
    object->patterns = fill_take(c, (size_t)cJSON_GetArraySize(value) * sizeof *object->patterns);
    for (const cJSON *child = value->child; child; child = child->next) {
        struct pattern_property *property = &object->patterns[object->pattern_count];

        property->pattern = fill_pattern_text(c, child, json_name(child));
        if (!property->pattern || !read_schema(c, child, &property->rule))
            return false;
        object->pattern_count++;
    }
    return true;
}

bool fill_additional(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &object_of(c, rule)->additional);
}

bool fill_property_names(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &object_of(c, rule)->names);
}

bool fill_unevaluated_properties(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->unevaluated_properties);
}
