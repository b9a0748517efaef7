#include "audit/described.h"

#include <stdlib.h>
#include <string.h>

#include "json/document.h"

/* Rules that are about the same value: each may hold. */
static const char *const lists[] = { "allOf", "anyOf", "oneOf" };
static const char *const rules[] = { "if", "then", "else", "not" };
static const char *const rules_by_name[] = { "dependentSchemas", "dependencies" };

static void add(struct described *out, const cJSON *rule);

static void add_each(struct described *out, const cJSON *list)
{
    const cJSON *each;

    cJSON_ArrayForEach (each, list)
        add(out, each);
}

/* The step of a JSON pointer that begins here, as it is in the document. */
static char *next_step(const char **at)
{
    size_t len = strcspn(*at, "/");
    char *step = mem_strndup(*at, len), *to = step;

    for (const char *from = step; *from; from++, to++) {
        bool escaped = from[0] == '~' && (from[1] == '0' || from[1] == '1');

        *to = escaped ? (from[1] == '0' ? '~' : '/') : *from;
        from += escaped;
    }
    *to = '\0';
    *at += len + ((*at)[len] == '/');
    return step;
}

static const cJSON *at_pointer(const cJSON *value, const char *at)
{
    while (value && *at) {
        char *step = next_step(&at);

        value =
            cJSON_IsArray(value) ? cJSON_GetArrayItem(value, atoi(step)) : json_get(value, step);
        free(step);
    }
    return value;
}

/* Follows a reference into the same document; NULL: it leads elsewhere, or by an anchor. */
static const cJSON *target_of(const struct described *described, const char *ref)
{
    if (strcmp(ref, "#") == 0)
        return described->whole;
    return strncmp(ref, "#/", 2) == 0 ? at_pointer(described->whole, ref + 2) : NULL;
}

static void add_target(struct described *out, const cJSON *ref)
{
    const cJSON *target = cJSON_IsString(ref) ? target_of(out, ref->valuestring) : NULL;

    if (target)
        add(out, target);
    else if (ref)
        out->unknown = true;
}

/* Adds a rule, with those that are about the same value. */
static void add(struct described *out, const cJSON *rule)
{
    if (!cJSON_IsObject(rule))
        return;
    for (size_t i = 0; i < out->count; i++)
        if (out->rules[i] == rule)
            return;
    if (out->count == DESCRIBED_MOST) {
        out->unknown = true;
        return;
    }
    out->rules[out->count++] = rule;
    for (size_t i = 0; i < countof(lists); i++)
        add_each(out, json_get(rule, lists[i]));
    for (size_t i = 0; i < countof(rules); i++)
        add(out, json_get(rule, rules[i]));
    for (size_t i = 0; i < countof(rules_by_name); i++)
        add_each(out, json_get(rule, rules_by_name[i]));
    add_target(out, json_get(rule, "$ref"));
    add_target(out, json_get(rule, "$dynamicRef"));
    add_target(out, json_get(rule, "$recursiveRef"));
}

void described_whole(struct described *out, const cJSON *schema)
{
    *out = (struct described){ .whole = schema };
    add(out, schema);
}

/* A pattern is not tried: too much hidden is a loss, too little a leak. */
static void add_of_member(struct described *out, const cJSON *rule, struct str name)
{
    const cJSON *property, *found = NULL;

    cJSON_ArrayForEach (property, json_get(rule, "properties"))
        if (str_same(json_name(property), name))
            found = property;
    add(out, found);
    add_each(out, json_get(rule, "patternProperties"));
    if (!found) {
        add(out, json_get(rule, "additionalProperties"));
        add(out, json_get(rule, "unevaluatedProperties"));
    }
}

static void add_of_item(struct described *out, const cJSON *rule)
{
    const cJSON *items = json_get(rule, "items");

    add(out, items);
    if (cJSON_IsArray(items))
        add_each(out, items);
    add_each(out, json_get(rule, "prefixItems"));
    add(out, json_get(rule, "additionalItems"));
    add(out, json_get(rule, "unevaluatedItems"));
    add(out, json_get(rule, "contains"));
}

void described_inner(struct described *out, const struct described *outer, const struct str *name)
{
    *out = (struct described){ .whole = outer->whole, .unknown = outer->unknown };
    for (size_t i = 0; i < outer->count; i++) {
        if (name)
            add_of_member(out, outer->rules[i], *name);
        else
            add_of_item(out, outer->rules[i]);
    }
}

bool described_is_secret(const struct described *described)
{
    for (size_t i = 0; i < described->count; i++) {
        struct str format = json_string(json_get(described->rules[i], "format"));

        if (cJSON_IsTrue(json_get(described->rules[i], "writeOnly")) ||
            str_same(format, STR("password")))
            return true;
    }
    return described->unknown;
}

bool described_is_listed(const struct described *described)
{
    for (size_t i = 0; i < described->count; i++)
        if (!json_get(described->rules[i], "enum"))
            return false;
    return described->count > 0;
}
