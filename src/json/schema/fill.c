/* Functions that all keywords share. */
#include "json/schema/fill.h"

#include <math.h>

#include "json/schema/scope.h"

void *fill_take(struct compiler *c, size_t size)
{
    return memset(arena_alloc(&c->schema->arena, size), 0, size);
}

bool need_string(struct compiler *c, const cJSON *value)
{
    return cJSON_IsString(value) || compile_fail(c, value, "expected a string");
}

bool need_object(struct compiler *c, const cJSON *value)
{
    return cJSON_IsObject(value) || compile_fail(c, value, "expected an object of schemas");
}

bool read_number(struct compiler *c, const cJSON *value, double *out)
{
    if (!cJSON_IsNumber(value))
        return compile_fail(c, value, "expected a number");
    *out = value->valuedouble;
    return true;
}

bool read_count(struct compiler *c, const cJSON *value, size_t *out)
{
    double count = cJSON_IsNumber(value) ? value->valuedouble : -1;

    if (count < 0 || count != trunc(count))
        return compile_fail(c, value, "expected a whole number, 0 or more");
    *out = count < 9e15 ? (size_t)count : SIZE_MAX;
    return true;
}

bool read_schema(struct compiler *c, const cJSON *value, const struct rule **out)
{
    *out = scope_rule(c, value);
    return *out || compile_fail(c, value, "expected a schema: an object, true or false");
}

bool read_schemas(struct compiler *c, const cJSON *value, struct rules *out)
{
    size_t count = cJSON_IsArray(value) ? (size_t)cJSON_GetArraySize(value) : 0;

    if (!count)
        return compile_fail(c, value, "expected a list of one schema or more");
    out->list = fill_take(c, count * sizeof(struct rule *));
    out->count = 0;
    for (const cJSON *child = value->child; child; child = child->next) {
        if (!read_schema(c, child, &out->list[out->count++]))
            return false;
    }
    return true;
}

struct pattern *fill_pattern_text(struct compiler *c, const cJSON *source, struct str text)
{
    struct pattern *pattern = fill_take(c, sizeof *pattern);
    struct error why = { "", "" };

    if (!regex_check(text.ptr, text.len, &why)) {
        compile_fail(c, source, "%s", why.text);
        return NULL;
    }
    *pattern = (struct pattern){ c->schema->patterns, source, text, NULL };
    c->schema->patterns = pattern;
    return pattern;
}

struct logic_rule *fill_logic(struct compiler *c, struct rule *rule)
{
    if (!rule->logic)
        rule->logic = fill_take(c, sizeof *rule->logic);
    return rule->logic;
}
