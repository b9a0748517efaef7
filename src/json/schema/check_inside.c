/* Checking what is inside arrays and objects. */
#include <stdlib.h>

#include "json/equal.h"
#include "json/schema/check.h"
#include "json/schema/issue.h"

/* --- arrays ------------------------------------------------------------------ */

struct array_check {
    uint64_t hash;
    size_t index;
    const cJSON *value;
};

static int item_order(const void *left, const void *right)
{
    const struct array_check *a = left, *b = right;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static bool compare_items(struct check *c, const struct array_check *items, size_t count,
                          const struct value_place *place)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count && items[j].hash == items[i].hash; j++) {
            if (!check_step(c))
                return false;
            if (json_equal(items[i].value, items[j].value))
                return issue_at(c, place, "items %zu and %zu are equal, expected all different",
                                items[i].index, items[j].index);
        }
    }
    return true;
}

static bool check_unique(struct check *c, const cJSON *array, size_t count,
                         const struct value_place *place)
{
    struct array_check *items;
    size_t i = 0;
    bool unique;

    if (count < 2)
        return true;
    items = mem_alloc(count * sizeof *items);
    for (const cJSON *value = array->child; value; value = value->next, i++)
        items[i] = (struct array_check){ json_hash(value), i, value };
    qsort(items, count, sizeof *items, item_order);
    unique = compare_items(c, items, count, place);
    free(items);
    return unique;
}

/* How many items fit "contains"; they count as dealt with. */
static bool check_contains(struct check *c, const struct array_rule *rule, const cJSON *array,
                           const struct value_place *place, mark *marks)
{
    struct issues *issues = c->issues;
    size_t found = 0, index = 0;

    c->issues = NULL;
    for (const cJSON *item = array->child; item && !c->given_up; item = item->next, index++) {
        if (!check_rule(c, rule->contains, item, place, NULL))
            continue;
        found++;
        if (marks)
            marks[index] = 1;
    }
    c->issues = issues;
    if (c->given_up)
        return false;
    if (found < rule->contains_least)
        return issue_at(c, place, "expected at least %zu item%s that fit%s \"contains\", got %zu",
                        rule->contains_least, PLURAL(rule->contains_least),
                        rule->contains_least == 1 ? "s" : "", found);
    return found <= rule->contains_most ||
           issue_at(c, place, "expected at most %zu item%s that fit%s \"contains\", got %zu",
                    rule->contains_most, PLURAL(rule->contains_most),
                    rule->contains_most == 1 ? "s" : "", found);
}

static bool check_items(struct check *c, const struct array_rule *rule, const cJSON *array,
                        const struct value_place *place, mark *marks)
{
    size_t index = 0;
    bool fits = true;

    for (const cJSON *item = array->child; item && check_more(c, fits);
         item = item->next, index++) {
        const struct rule *next =
            index < rule->prefix.count ? rule->prefix.list[index] : rule->items;
        struct value_place inside = { place, NULL, index };

        if (!next)
            break;
        fits &= check_rule(c, next, item, &inside, NULL);
        if (marks)
            marks[index] = 1;
    }
    return fits;
}

bool check_array(struct check *c, const struct array_rule *rule, const cJSON *array,
                 const struct value_place *place, mark *marks)
{
    size_t count = check_count(array);
    bool fits = true;

    if (count < rule->least)
        fits = issue_at(c, place, "expected at least %zu item%s, got %zu", rule->least,
                        PLURAL(rule->least), count);
    if (count > rule->most)
        fits = issue_at(c, place, "expected at most %zu item%s, got %zu", rule->most,
                        PLURAL(rule->most), count);
    if ((rule->items || rule->prefix.count) && check_more(c, fits))
        fits &= check_items(c, rule, array, place, marks);
    if (rule->unique && check_more(c, fits))
        fits &= check_unique(c, array, count, place);
    if (rule->contains && check_more(c, fits))
        fits &= check_contains(c, rule, array, place, marks);
    return fits;
}

/* --- objects ----------------------------------------------------------------- */

/* A bit for each property of the schema: the value has it. */
struct seen {
    uint64_t *bits;
    uint64_t few[4];
};

static void seen_init(struct seen *seen, size_t count)
{
    memset(seen->few, 0, sizeof seen->few);
    seen->bits = count <= 256 ? seen->few : mem_zero((count + 63) / 64 * sizeof *seen->bits);
}

static void seen_finish(struct seen *seen)
{
    if (seen->bits != seen->few)
        free(seen->bits);
}

static bool seen_has(const struct seen *seen, size_t index)
{
    return seen->bits[index / 64] >> index % 64 & 1;
}

/* True if it was not there before. */
static bool seen_add(struct seen *seen, size_t index)
{
    bool fresh = !seen_has(seen, index);

    seen->bits[index / 64] |= UINT64_C(1) << index % 64;
    return fresh;
}

/* "patternProperties": *known becomes true if one of them speaks of this member. */
static bool check_patterns(struct check *c, const struct object_rule *rule, const cJSON *member,
                           const struct value_place *place, bool *known)
{
    bool fits = true;

    for (size_t i = 0; i < rule->pattern_count && check_more(c, fits); i++) {
        if (!check_pattern(c, rule->patterns[i].pattern, json_name(member)))
            continue;
        *known = true;
        fits &= check_rule(c, rule->patterns[i].rule, member, place, NULL);
    }
    return fits && !c->given_up;
}

static bool check_member_name(struct check *c, const struct rule *rule, const cJSON *member,
                              const struct value_place *place)
{
    struct str name = json_name(member);
    cJSON text = { .type = cJSON_String, .valuestring = member->string };
    struct issues *issues = c->issues;
    bool fits;

    c->issues = NULL;
    fits = check_rule(c, rule, &text, place, NULL);
    c->issues = issues;
    return fits ||
           issue_in(c, place, "property name \"%.*s\" is not allowed", (int)name.len, name.ptr);
}

static bool check_member(struct check *c, const struct object_rule *rule,
                         const struct property *property, const cJSON *member,
                         const struct value_place *place, mark *marked)
{
    struct value_place inside = { place, member->string, 0 };
    bool known = property && property->rule;
    bool fits = !known || check_rule(c, property->rule, member, &inside, NULL);

    if (rule->pattern_count && check_more(c, fits))
        fits &= check_patterns(c, rule, member, &inside, &known);
    if (!known && rule->additional && check_more(c, fits)) {
        known = true;
        fits &= rule->additional->never ? issue_unknown(c, place, rule, member->string)
                                        : check_rule(c, rule->additional, member, &inside, NULL);
    }
    if (rule->names && check_more(c, fits))
        fits &= check_member_name(c, rule->names, member, place);
    if (marked && known)
        *marked = 1;
    return fits;
}

static bool issue_missing(struct check *c, const struct object_rule *rule, const struct seen *seen,
                          const struct value_place *place)
{
    for (size_t i = 0; i < rule->count && check_more(c, false); i++) {
        const struct property *property = &rule->properties[i];

        if (!property->required || seen_has(seen, i))
            continue;
        if (property->also)
            issue_in(c, place, "missing required property \"%s\" (or \"%s\")", property->name,
                     property->also);
        else
            issue_in(c, place, "missing required property \"%s\"", property->name);
    }
    return false;
}

static bool check_needs(struct check *c, const struct object_rule *rule,
                        const struct property *property, const struct seen *seen,
                        const struct value_place *place)
{
    for (size_t i = 0; i < property->need_count; i++) {
        if (!seen_has(seen, property->needs[i]))
            return issue_in(c, place, "missing property \"%s\", required with \"%s\"",
                            rule->properties[property->needs[i]].name, property->name);
    }
    return true;
}

static bool check_dependencies(struct check *c, const struct object_rule *rule, const cJSON *object,
                               const struct seen *seen, const struct value_place *place,
                               mark *marks)
{
    bool fits = true;

    for (size_t i = 0; i < rule->count && check_more(c, fits); i++) {
        const struct property *property = &rule->properties[i];

        if (!seen_has(seen, i))
            continue;
        fits &= check_needs(c, rule, property, seen, place);
        if (property->then_rule && check_more(c, fits))
            fits &= check_rule(c, property->then_rule, object, place, marks);
    }
    return fits;
}

static bool check_count_of(struct check *c, const struct object_rule *rule, size_t count,
                           const struct value_place *place)
{
    if (count < rule->least)
        return issue_at(c, place, "expected at least %zu propert%s, got %zu", rule->least,
                        rule->least == 1 ? "y" : "ies", count);
    return count <= rule->most || issue_at(c, place, "expected at most %zu propert%s, got %zu",
                                           rule->most, rule->most == 1 ? "y" : "ies", count);
}

bool check_object(struct check *c, const struct object_rule *rule, const cJSON *object,
                  const struct value_place *place, mark *marks)
{
    size_t count = 0, required = 0;
    struct seen seen;
    bool fits = true;

    seen_init(&seen, rule->count);
    for (const cJSON *member = object->child; member && check_more(c, fits);
         member = member->next, count++) {
        const struct property *property = schema_property(rule, member->string);

        if (property && seen_add(&seen, (size_t)(property - rule->properties)))
            required += property->required;
        fits &= check_member(c, rule, property, member, place, marks ? &marks[count] : NULL);
    }
    if (required < rule->required_count && check_more(c, fits))
        fits = issue_missing(c, rule, &seen, place);
    if (check_more(c, fits))
        fits &= check_count_of(c, rule, count, place);
    if (rule->dependencies && check_more(c, fits))
        fits &= check_dependencies(c, rule, object, &seen, place, marks);
    seen_finish(&seen);
    return fits;
}

/* --- what is left ------------------------------------------------------------ */

bool check_rest(struct check *c, const struct rule *rule, const cJSON *value,
                const struct value_place *place, mark *marks)
{
    const struct rule *rest = cJSON_IsArray(value)    ? rule->logic->unevaluated_items
                              : cJSON_IsObject(value) ? rule->logic->unevaluated_properties
                                                      : NULL;
    size_t index = 0;
    bool fits = true;

    if (!rest)
        return true;
    for (const cJSON *child = value->child; child && check_more(c, fits);
         child = child->next, index++) {
        struct value_place inside = { place, child->string, index };

        if (marks[index])
            continue;
        fits &= rest->never && child->string
                    ? issue_in(c, place, "unknown property \"%s\"", child->string)
                    : check_rule(c, rest, child, &inside, NULL);
        marks[index] = 1;
    }
    return fits;
}
