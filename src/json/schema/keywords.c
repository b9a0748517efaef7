/* The keywords, found by name in one sorted table at the end, and those that assert nothing
 * or bring in other rules for the same value. */
#include <stdlib.h>

#include "base/distance.h"
#include "json/schema/fill.h"
#include "json/schema/scope.h"

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
    return compile_fail(c, value, "\"%s\" is not a known dialect. Use \"%s\"", value->valuestring,
                        known[0]);
}

static bool fill_dynamic(struct compiler *c, struct rule *rule, const cJSON *value)
{
    (void)rule;
    return compile_fail(c, value, "references with dynamic scope are not supported. Use \"$ref\"");
}

/* --- keywords that bring in other rules for the same value ------------------------- */

static bool fill_ref(struct compiler *c, struct rule *rule, const cJSON *value)
{
    if (!need_string(c, value))
        return false;
    fill_logic(c, rule)->ref = scope_resolve(c, rule, value);
    return rule->logic->ref != NULL;
}

static bool fill_all_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &fill_logic(c, rule)->all);
}

static bool fill_any_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &fill_logic(c, rule)->any);
}

static bool fill_one_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &fill_logic(c, rule)->one);
}

static bool fill_not(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->not_rule);
}

static bool fill_if(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->if_rule);
}

static bool fill_then(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->then_rule);
}

static bool fill_else(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->else_rule);
}

/* --- the table --------------------------------------------------------------------- */

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

/* Keywords that say something to people and programs, and assert nothing. enumNames is MCP's, of
 * elicitation (schema.ts, LegacyTitledEnumSchema). */
static const char *const annotations[] = {
    "$comment", "$vocabulary", "contentEncoding", "contentMediaType", "contentSchema",
    "default",  "deprecated",  "description",     "enumNames",        "examples",
    "readOnly", "title",       "writeOnly",
};

/* Does it assert nothing? Names with "x-", or with '/', ':' or '.', are the author's own. */
static bool is_annotation(const char *name)
{
    for (size_t i = 0; i < countof(annotations); i++)
        if (strcmp(annotations[i], name) == 0)
            return true;
    return strncmp(name, "x-", 2) == 0 || strpbrk(name, "/:.");
}

static bool refuse_keyword(struct compiler *c, const cJSON *member)
{
    struct nearest_name nearest = { .typed = member->string };

    for (size_t i = 0; i < countof(annotations); i++)
        nearest_name_try(&nearest, annotations[i]);
    for (size_t i = 0; i < countof(fillers); i++)
        nearest_name_try(&nearest, fillers[i].name);
    nearest_name_try(&nearest, "optional");
    if (nearest.found && strcmp(nearest.found, "optional") == 0)
        return compile_fail(c, member,
                            "unknown keyword '%s'; `optional = true` is an option of the builders' "
                            "fields (schema.object). In JSON Schema leave the name out of "
                            "'required'",
                            member->string);
    return compile_fail(c, member, "unknown keyword '%s'%s", member->string,
                        nearest_name_text(&nearest).text);
}

/* If a keyword occurs twice, the last one counts, as everywhere. */
bool rule_fill(struct compiler *c, struct rule *rule)
{
    const cJSON *said[countof(fillers)] = { NULL };

    rule->never = cJSON_IsFalse(rule->source);
    for (const cJSON *member = rule->source->child; member; member = member->next) {
        const struct filler *filler =
            bsearch(member->string, fillers, countof(fillers), sizeof *fillers, filler_order);

        if (filler)
            said[filler - fillers] = member;
        else if (c->strict && !is_annotation(member->string))
            return refuse_keyword(c, member);
    }
    for (size_t i = 0; i < countof(fillers); i++) {
        if (said[i] && !fillers[i].fill(c, rule, said[i]))
            return false;
    }
    return true;
}
