/* Checking a value. The first run only asks yes or no and stops at the first
 * no; a value that does not fit is run again to say why. Valid arguments, which
 * are nearly all, so never pay for messages. */
#include "json/schema/check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "json/equal.h"
#include "json/schema/issue.h"
#include "json/utf8.h"

/* --- budget ------------------------------------------------------------------ */

static bool check_give_up(struct check *c)
{
    c->given_up = true;
    return error_set(c->err, "schema_too_costly",
                     "the check against the schema was given up: it takes more than %d steps or "
                     "is nested more than %d deep",
                     CHECK_STEPS_MAX, CHECK_DEPTH_MAX);
}

bool check_step(struct check *c)
{
    return LIKELY(c->steps++ < CHECK_STEPS_MAX) || check_give_up(c);
}

size_t check_count(const cJSON *parent)
{
    size_t count = 0;

    for (const cJSON *child = parent->child; child; child = child->next)
        count++;
    return count;
}

/* --- scalars ----------------------------------------------------------------- */

unsigned check_types(const cJSON *value)
{
    switch (value->type & 0xFF) {
    case cJSON_True:
    case cJSON_False:
        return TYPE_BOOLEAN;
    case cJSON_Number:
        return value->valuedouble == trunc(value->valuedouble) ? TYPE_NUMBER | TYPE_INTEGER
                                                               : TYPE_NUMBER;
    case cJSON_String:
        return TYPE_STRING;
    case cJSON_Array:
        return TYPE_ARRAY;
    case cJSON_Object:
        return TYPE_OBJECT;
    default:
        return TYPE_NULL;
    }
}

/* Decimal fractions are not exact in binary: 0.0075 is a multiple of 0.0001. */
static bool is_multiple(double value, double step)
{
    double times = value / step;

    if (!isfinite(times))
        return fmod(value, step) == 0;
    return fabs(nearbyint(times) * step - value) <= fabs(value) * 4 * DBL_EPSILON;
}

static bool check_number(struct check *c, const struct number_rule *rule, const cJSON *value,
                         const struct value_place *place)
{
    double number = value->valuedouble;

    if (rule->has_least && (number < rule->least || (rule->above && number == rule->least)))
        return issue_limit(c, place, rule->above ? "more than" : "at least", rule->least, value);
    if (rule->has_most && (number > rule->most || (rule->below && number == rule->most)))
        return issue_limit(c, place, rule->below ? "less than" : "at most", rule->most, value);
    if (rule->has_step && !is_multiple(number, rule->step))
        return issue_limit(c, place, "a multiple of", rule->step, value);
    return true;
}

bool check_pattern(struct check *c, struct pattern *pattern, struct str text)
{
    enum regex_result result = REGEX_ERROR;

    if (!check_step(c))
        return false;
    if (!pattern->regex)
        pattern->regex = regex_compile(pattern->text.ptr, pattern->text.len, c->err);
    if (pattern->regex)
        result = regex_match(pattern->regex, text.ptr, text.len, c->err);
    if (result == REGEX_ERROR)
        c->given_up = true;
    return result == REGEX_YES;
}

/* A character has one to four bytes: most lengths need no counting. */
static bool check_length(struct check *c, const struct string_rule *rule, struct str text,
                         const struct value_place *place)
{
    size_t length;

    if (text.len / 4 >= rule->least && text.len <= rule->most)
        return true;
    length = utf8_length(text.ptr, text.len);
    if (length < rule->least)
        return issue_at(c, place, "expected at least %zu character%s, got %zu", rule->least,
                        PLURAL(rule->least), length);
    return length <= rule->most || issue_at(c, place, "expected at most %zu character%s, got %zu",
                                            rule->most, PLURAL(rule->most), length);
}

static bool check_string(struct check *c, const struct string_rule *rule, const cJSON *value,
                         const struct value_place *place)
{
    struct str text = json_string(value);

    if (!check_length(c, rule, text, place))
        return false;
    if (!rule->pattern || check_pattern(c, rule->pattern, text))
        return true;
    return c->given_up ? false : issue_pattern(c, place, rule->pattern, value);
}

static bool in_options(const cJSON *options, const cJSON *value)
{
    for (const cJSON *option = options->child; option; option = option->next) {
        if (json_equal(option, value))
            return true;
    }
    return false;
}

/* --- other rules for the same value ------------------------------------------------ */

/* A branch that may fail without harm: its marks count only if it fits, and
 * nothing it finds wrong is a problem yet. */
static bool try_rule(struct check *c, const struct rule *rule, const cJSON *value,
                     const struct value_place *place, mark *marks)
{
    struct issues *issues = c->issues;
    size_t count = marks ? check_count(value) : 0;
    mark *own = marks ? mem_zero(count) : NULL;
    bool fits;

    c->issues = NULL;
    fits = check_rule(c, rule, value, place, own);
    c->issues = issues;
    for (size_t i = 0; fits && i < count; i++)
        marks[i] |= own[i];
    free(own);
    return fits;
}

static bool check_all_rules(struct check *c, const struct rules *rules, const cJSON *value,
                            const struct value_place *place, mark *marks)
{
    bool fits = true;

    for (size_t i = 0; i < rules->count && check_more(c, fits); i++)
        fits &= check_rule(c, rules->list[i], value, place, marks);
    return fits;
}

static bool check_any_rule(struct check *c, const struct rules *rules, const cJSON *value,
                           const struct value_place *place, mark *marks)
{
    bool fits = false;

    for (size_t i = 0; i < rules->count && (!fits || marks) && !c->given_up; i++)
        fits |= try_rule(c, rules->list[i], value, place, marks);
    return fits || issue_none(c, place, rules, value);
}

static bool check_one_rule(struct check *c, const struct rules *rules, const cJSON *value,
                           const struct value_place *place, mark *marks)
{
    size_t first = 0, fits = 0;

    for (size_t i = 0; i < rules->count && !c->given_up; i++) {
        if (!try_rule(c, rules->list[i], value, place, marks))
            continue;
        if (++fits == 2)
            return issue_at(c, place, "fits both alternative %zu and %zu, expected exactly one",
                            first + 1, i + 1);
        first = i;
    }
    return fits == 1 || issue_none(c, place, rules, value);
}

static bool check_if(struct check *c, const struct logic_rule *logic, const cJSON *value,
                     const struct value_place *place, mark *marks)
{
    const struct rule *next =
        try_rule(c, logic->if_rule, value, place, marks) ? logic->then_rule : logic->else_rule;

    return !next || check_rule(c, next, value, place, marks);
}

static bool check_logic(struct check *c, const struct logic_rule *logic, const cJSON *value,
                        const struct value_place *place, mark *marks)
{
    bool fits = !logic->ref || check_rule(c, logic->ref, value, place, marks);

    if (check_more(c, fits))
        fits &= check_all_rules(c, &logic->all, value, place, marks);
    if (logic->any.count && check_more(c, fits))
        fits &= check_any_rule(c, &logic->any, value, place, marks);
    if (logic->one.count && check_more(c, fits))
        fits &= check_one_rule(c, &logic->one, value, place, marks);
    if (logic->if_rule && check_more(c, fits))
        fits &= check_if(c, logic, value, place, marks);
    if (logic->not_rule && check_more(c, fits) && try_rule(c, logic->not_rule, value, place, NULL))
        fits = issue_at(c, place, "matches what \"not\" in the schema excludes");
    return fits && !c->given_up;
}

/* --- rules ------------------------------------------------------------------- */

bool check_values(const struct rule *rule, const cJSON *value)
{
    return (!rule->options || in_options(rule->options, value)) &&
           (!rule->constant || json_equal(rule->constant, value));
}

/* Checks the value itself, not its members: its type, "enum" and "const". */
static bool check_self(struct check *c, const struct rule *rule, unsigned types, const cJSON *value,
                       const struct value_place *place)
{
    if (rule->types && !(rule->types & types))
        return issue_type(c, place, rule->types, value);
    if (rule->options && !in_options(rule->options, value))
        return issue_options(c, place, rule->options, value);
    if (rule->constant && !json_equal(rule->constant, value))
        return issue_constant(c, place, rule->constant, value);
    return !rule->never || issue_at(c, place, "nothing is allowed here");
}

static bool check_body(struct check *c, const struct rule *rule, unsigned types, const cJSON *value,
                       const struct value_place *place, mark *marks)
{
    bool fits = true;

    if (types & TYPE_NUMBER)
        fits = !rule->number || check_number(c, rule->number, value, place);
    else if (types == TYPE_STRING)
        fits = !rule->string || check_string(c, rule->string, value, place);
    else if (types == TYPE_ARRAY)
        fits = !rule->array || check_array(c, rule->array, value, place, marks);
    else if (types == TYPE_OBJECT)
        fits = !rule->object || check_object(c, rule->object, value, place, marks);
    if (rule->logic && check_more(c, fits))
        fits &= check_logic(c, rule->logic, value, place, marks);
    return fits;
}

/* A rule that asks what others left over sees only its own marks. */
static bool check_marked(struct check *c, const struct rule *rule, unsigned types,
                         const cJSON *value, const struct value_place *place, mark *marks)
{
    size_t count = check_count(value);
    mark *own = mem_zero(count);
    bool fits = check_body(c, rule, types, value, place, own);

    if (fits)
        fits = check_rest(c, rule, value, place, own);
    for (size_t i = 0; marks && fits && i < count; i++)
        marks[i] |= own[i];
    free(own);
    return fits;
}

bool check_rule(struct check *c, const struct rule *rule, const cJSON *value,
                const struct value_place *place, mark *marks)
{
    unsigned types = check_types(value);
    bool fits;

    if (UNLIKELY(c->given_up) || !check_step(c))
        return false;
    if (UNLIKELY(c->depth == CHECK_DEPTH_MAX))
        return check_give_up(c);
    c->depth++;
    fits = check_self(c, rule, types, value, place);
    if (fits) {
        if (rule->logic && (rule->logic->unevaluated_items || rule->logic->unevaluated_properties))
            fits = check_marked(c, rule, types, value, place, marks);
        else
            fits = check_body(c, rule, types, value, place, marks);
    }
    c->depth--;
    return fits && !c->given_up;
}

/* --- the whole --------------------------------------------------------------- */

static bool report_issues(const struct schema *schema, const cJSON *value, struct error *err)
{
    struct issues issues = { .max = ISSUES_MAX };
    struct buf clean = { 0 };
    struct check c = { .issues = &issues, .err = err };

    check_rule(&c, schema->root, value, NULL, NULL);
    if (!c.given_up) {
        utf8_clean(&clean, issues.text.data, issues.text.len); /* names may hold C0 80 */
        error_set(err, "invalid_arguments", "%s", buf_text(&clean));
    }
    buf_free(&issues.text);
    buf_free(&clean);
    return false;
}

bool schema_check(const struct schema *schema, const cJSON *value, struct error *err)
{
    static const cJSON nothing = { .type = cJSON_Object };
    struct check c = { .err = err };

    if (!value)
        value = &nothing;
    if (check_rule(&c, schema->root, value, NULL, NULL))
        return true;
    return c.given_up || !err ? false : report_issues(schema, value, err);
}
