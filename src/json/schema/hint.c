/* Guessing what was meant: the property that an unknown name resembles, and the
 * alternative that a value comes nearest to. */
#include "base/distance.h"
#include "json/equal.h"
#include "json/schema/issue.h"

/* --- unknown properties ------------------------------------------------------- */

/* The declared property whose name was probably meant; NULL if none is near. */
static const char *nearest_property(const struct object_rule *rule, const char *name)
{
    size_t best = name_reach(name);
    const char *found = NULL;

    for (size_t i = 0; i < rule->count; i++) {
        const struct property *property = &rule->properties[i];
        size_t apart;

        if (!property->rule)
            continue;
        apart = name_distance(property->name, name);
        if (apart <= best && (!found || apart < best)) {
            best = apart;
            found = property->name;
        }
    }
    return found;
}

/* " (known: a, b, c)"; nothing when none is declared. */
static void add_known_properties(struct buf *out, const struct object_rule *rule)
{
    enum { KNOWN_MAX = 12 };
    int shown = 0;

    for (size_t i = 0; i < rule->count && shown <= KNOWN_MAX; i++) {
        const struct property *property = &rule->properties[i];

        if (!property->rule)
            continue;
        buf_addf(out, "%s%s",
                 shown ? ", " : " (known: ", shown < KNOWN_MAX ? property->name : "...");
        if (property->also && shown < KNOWN_MAX)
            buf_addf(out, " or %s", property->also);
        shown++;
    }
    if (shown)
        buf_lit(out, ")");
}

bool issue_unknown(struct check *c, const struct value_place *place, const struct object_rule *rule,
                   const char *name)
{
    struct buf known = { 0 };
    const char *meant;

    if (!c->issues)
        return false;
    meant = nearest_property(rule, name);
    if (meant)
        return issue_in(c, place, "unknown property \"%s\" (did you mean \"%s\"?)", name, meant);
    add_known_properties(&known, rule);
    issue_in(c, place, "unknown property \"%s\"%s", name, buf_text(&known));
    buf_free(&known);
    return false;
}

/* --- alternatives ------------------------------------------------------------ */

/* Follows plain references; a loop cannot be, it was looked for. */
static const struct rule *rule_behind(const struct rule *rule)
{
    while (rule->logic && rule->logic->ref && !rule->types && !rule->options && !rule->constant &&
           !rule->object)
        rule = rule->logic->ref;
    return rule;
}

static unsigned rule_types(const struct rule *rule)
{
    unsigned types = 0;

    rule = rule_behind(rule);
    if (rule->types)
        return rule->types;
    if (rule->constant)
        return check_types(rule->constant);
    if (!rule->options)
        return ~0u;
    for (const cJSON *option = rule->options->child; option; option = option->next)
        types |= check_types(option);
    return types;
}

/* Adds the values of a rule that is one value or a list of them; false if it is not. */
static bool add_values(struct buf *out, const struct rule *rule, size_t *count)
{
    rule = rule_behind(rule);
    if (rule->constant)
        issue_add_option(out, rule->constant, count);
    else if (rule->options)
        for (const cJSON *option = rule->options->child; option; option = option->next)
            issue_add_option(out, option, count);
    return rule->constant || rule->options;
}

static const struct rule *rule_itself(const struct rule *rule, const char *name)
{
    (void)name;
    return rule;
}

/* The rule that an alternative has for a member, if it has one. */
static const struct rule *member_rule(const struct rule *rule, const char *name)
{
    const struct property *property;

    rule = rule_behind(rule);
    property = rule->object ? schema_property(rule->object, name) : NULL;
    return property ? property->rule : NULL;
}

/* True if all alternatives are values (or ask for values of the member of this
 * name), and that was said. */
static bool issue_values(struct check *c, const struct value_place *place,
                         const struct rules *rules,
                         const struct rule *(*part)(const struct rule *, const char *),
                         const char *name, const cJSON *value)
{
    struct buf text = { 0 };
    size_t count = 0;

    buf_lit(&text, "expected one of ");
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = part(rules->list[i], name);

        if (!rule || !add_values(&text, rule, &count)) {
            buf_free(&text);
            return false;
        }
    }
    buf_lit(&text, "; got ");
    issue_add_value(&text, value);
    issue_text(c, place, &text);
    return true;
}

/* Alternatives told apart by a member, and the value has it, but with none of the
 * values it could have. True if that was said. */
static bool issue_member(struct check *c, const struct value_place *place,
                         const struct rules *rules, const cJSON *value)
{
    if (!cJSON_IsObject(value))
        return false;
    for (const cJSON *member = value->child; member; member = member->next) {
        struct value_place inside = { place, member->string, 0 };

        if (issue_values(c, &inside, rules, member_rule, member->string, member))
            return true;
    }
    return false;
}

/* Does a member that has to be one certain value rule this alternative out? */
static bool member_rules_out(const struct rule *rule, const cJSON *value)
{
    rule = rule_behind(rule);
    if (!(rule_types(rule) & check_types(value)))
        return true;
    for (size_t i = 0; rule->object && cJSON_IsObject(value) && i < rule->object->count; i++) {
        const struct property *property = &rule->object->properties[i];
        const cJSON *member = property->rule ? json_get(value, property->name) : NULL;

        if (member && !check_values(property->rule, member))
            return true;
    }
    return false;
}

/* The first thing wrong with each alternative. */
static bool issue_each(struct check *c, const struct value_place *place, const struct rules *rules,
                       const cJSON *value)
{
    struct issues *outer = c->issues;
    struct buf text = { 0 };
    size_t said = 0;

    for (size_t i = 0; i < rules->count && said < 3; i++) {
        struct issues one = { .max = 1, .nested = true, .here = place };

        if (member_rules_out(rules->list[i], value))
            continue;
        c->issues = &one;
        check_rule(c, rules->list[i], value, place, NULL);
        c->issues = outer;
        buf_addf(&text, "%s(%zu) %s", said++ ? " or " : "", i + 1, buf_text(&one.text));
        buf_free(&one.text);
    }
    issue_at(c, place, "fits none of %zu alternatives%s%s", rules->count, said ? ": " : "",
             buf_text(&text));
    buf_free(&text);
    return false;
}

bool issue_none(struct check *c, const struct value_place *place, const struct rules *rules,
                const cJSON *value)
{
    const struct rule *only = NULL;
    unsigned types = 0;
    size_t left = 0;

    if (!c->issues || c->given_up)
        return false;
    for (size_t i = 0; i < rules->count; i++) {
        types |= rule_types(rules->list[i]);
        if (!member_rules_out(rules->list[i], value)) {
            only = rules->list[i];
            left++;
        }
    }
    if (issue_values(c, place, rules, rule_itself, NULL, value))
        return false;
    if (!(types & check_types(value)))
        return issue_type(c, place, types, value);
    if (left == 0 && issue_member(c, place, rules, value))
        return false;
    if (left == 1)
        return check_rule(c, only, value, place, NULL);
    return issue_each(c, place, rules, value);
}
