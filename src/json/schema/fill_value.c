/* Keywords about the value itself: what type it has, how large or long it is. */
#include "base/distance.h"
#include "json/schema/fill.h"

/* --- what a value is ---------------------------------------------------------- */

static unsigned type_named(struct nearest_name *nearest)
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
        nearest_name_try(nearest, types[i].name);
        if (strcmp(types[i].name, nearest->typed) == 0)
            return types[i].bits;
    }
    return 0;
}

static bool add_type(struct compiler *c, struct rule *rule, const cJSON *name)
{
    struct nearest_name nearest = { .typed = cJSON_IsString(name) ? name->valuestring : "" };
    unsigned bits = type_named(&nearest);

    rule->types |= bits;
    return bits || compile_fail(c, name,
                                "expected one of \"null\", \"boolean\", \"integer\", "
                                "\"number\", \"string\", \"array\", \"object\"%s%.40s%s%s",
                                *nearest.typed ? ", not \"" : "", nearest.typed,
                                *nearest.typed ? "\"" : "", nearest_name_text(&nearest).text);
}

bool fill_type(struct compiler *c, struct rule *rule, const cJSON *value)
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

bool fill_enum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    rule->options = value;
    return cJSON_IsArray(value) || compile_fail(c, value, "expected a list of values");
}

bool fill_const(struct compiler *c, struct rule *rule, const cJSON *value)
{
    (void)c;
    rule->constant = value;
    return true;
}

/* --- numbers ----------------------------------------------------------------- */

static struct number_rule *take_number_rule(struct compiler *c, struct rule *rule)
{
    if (!rule->number)
        rule->number = fill_take(c, sizeof *rule->number);
    return rule->number;
}

/* The stricter of "minimum" and "exclusiveMinimum" counts, in any order. */
static bool fill_least(struct compiler *c, struct rule *rule, const cJSON *value, bool above)
{
    struct number_rule *number = take_number_rule(c, rule);
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
    struct number_rule *number = take_number_rule(c, rule);
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

bool fill_minimum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_least(c, rule, value, false);
}

bool fill_exclusive_minimum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_least(c, rule, value, true);
}

bool fill_maximum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_most(c, rule, value, false);
}

bool fill_exclusive_maximum(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return fill_most(c, rule, value, true);
}

bool fill_multiple_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    struct number_rule *number = take_number_rule(c, rule);

    if (!read_number(c, value, &number->step))
        return false;
    number->has_step = true;
    return number->step > 0 || compile_fail(c, value, "expected a number above 0");
}

/* --- strings ----------------------------------------------------------------- */

static struct string_rule *string_of(struct compiler *c, struct rule *rule)
{
    if (!rule->string) {
        rule->string = fill_take(c, sizeof *rule->string);
        rule->string->most = SIZE_MAX;
    }
    return rule->string;
}

bool fill_min_length(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &string_of(c, rule)->least);
}

bool fill_max_length(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_count(c, value, &string_of(c, rule)->most);
}

bool fill_pattern(struct compiler *c, struct rule *rule, const cJSON *value)
{
    if (!need_string(c, value))
        return false;
    string_of(c, rule)->pattern = fill_pattern_text(c, value, json_string(value));
    return rule->string->pattern != NULL;
}
