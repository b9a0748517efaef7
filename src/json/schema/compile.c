/* From a document to rules. The source is copied by writing and reading it
 * again, which gives it an arena of its own and the strict parser's limits. */
#include "json/schema/compile.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/distance.h"
#include "json/schema/check.h"
#include "json/schema/compile_error.h"
#include "json/schema/scope.h"
#include "json/utf8.h"
#include "json/writer.h"

/* --- loops ------------------------------------------------------------------- */

/* How many rules apply to the same value, at most. */
static size_t same_count(const struct rule *rule)
{
    const struct logic_rule *logic = rule->logic;
    size_t count = 5;

    if (logic)
        count += logic->all.count + logic->any.count + logic->one.count;
    if (rule->object && rule->object->dependencies)
        count += rule->object->count;
    return count;
}

/* Each of them; NULL for those that are not said. */
static const struct rule *same_rule(const struct rule *rule, size_t index)
{
    static const struct logic_rule none;
    const struct logic_rule *logic = rule->logic ? rule->logic : &none;
    const struct rule *single[] = { logic->ref, logic->not_rule, logic->if_rule,
                                    logic->if_rule ? logic->then_rule : NULL,
                                    logic->if_rule ? logic->else_rule : NULL };
    const struct rules *lists[] = { &logic->all, &logic->any, &logic->one };

    if (index < countof(single))
        return single[index];
    index -= countof(single);
    for (size_t i = 0; i < countof(lists); i++) {
        if (index < lists[i]->count)
            return lists[i]->list[index];
        index -= lists[i]->count;
    }
    return rule->object->properties[index].then_rule;
}

struct rule_visit {
    const struct rule *rule;
    size_t next;
};

enum { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

static size_t rule_number(const struct rule *rule)
{
    return (size_t)rule->source->valuedouble - 1;
}

/* Follows what applies to the same value from one rule on; false at a loop. */
static bool visit_rules(struct compiler *c, struct rule_visit *stack, unsigned char *states,
                        const struct rule *start)
{
    size_t depth = 0;

    stack[depth++] = (struct rule_visit){ start, 0 };
    states[rule_number(start)] = VISIT_OPEN;
    while (depth) {
        struct rule_visit *visit = &stack[depth - 1];
        const struct rule *next;

        if (visit->next == same_count(visit->rule)) {
            states[rule_number(visit->rule)] = VISIT_DONE;
            depth--;
            continue;
        }
        next = same_rule(visit->rule, visit->next++);
        if (!next || states[rule_number(next)] == VISIT_DONE)
            continue;
        if (states[rule_number(next)] == VISIT_OPEN)
            return compile_fail(c, visit->rule->source,
                                "references lead back here without reaching a part of the value, "
                                "so the check would never end");
        states[rule_number(next)] = VISIT_OPEN;
        stack[depth++] = (struct rule_visit){ next, 0 };
    }
    return true;
}

static bool check_loops(struct compiler *c)
{
    struct rule_visit *stack = mem_alloc(c->rule_count * sizeof *stack);
    unsigned char *states = mem_zero(c->rule_count);
    bool fine = true;

    for (size_t i = 0; fine && i < c->rule_count; i++) {
        if (states[i] == VISIT_NEW)
            fine = visit_rules(c, stack, states, c->rules[i]);
    }
    free(stack);
    free(states);
    return fine;
}

/* --- defaults ---------------------------------------------------------------- */

/* One that nothing declares and that no value may have: a slip of the pen, and nothing would fit.
 */
static bool refuse_undeclared(struct compiler *c, const struct rule *rule, const char *name)
{
    struct nearest_name nearest = { .typed = name };

    for (size_t i = 0; i < rule->object->count; i++)
        if (rule->object->properties[i].rule)
            nearest_name_try(&nearest, rule->object->properties[i].name);
    return compile_fail(c, json_get(rule->source, "required"),
                        "\"%s\" is not in 'properties', and no others are allowed%s", name,
                        nearest_name_text(&nearest).text);
}

/* A property with a default is never missing, so it cannot be required; nor can one that no value
 * may have. */
static bool check_required(struct compiler *c, const struct rule *rule)
{
    const struct object_rule *object = rule->object;
    bool closed = cJSON_IsFalse(json_get(rule->source, "additionalProperties")) &&
                  !json_get(rule->source, "patternProperties");

    for (size_t i = 0; object && i < object->count; i++) {
        const struct property *property = &object->properties[i];
        const cJSON *value = property->rule ? json_get(property->rule->source, "default") : NULL;

        if (closed && property->required && !property->rule)
            return refuse_undeclared(c, rule, property->name);
        if (value && property->required)
            return compile_fail(c, value,
                                "'%s' has a default and is required. Leave it out of \"required\"",
                                property->name);
    }
    return true;
}

/* Each "default" has to fit the schema that it stands in. */
static bool check_defaults(struct compiler *c)
{
    for (size_t i = 0; i < c->rule_count; i++) {
        if (!check_required(c, c->rules[i]))
            return false;
        const cJSON *value = json_get(c->rules[i]->source, "default");
        struct issues issues = { .max = 1, .nested = true };
        struct check check = { .issues = &issues, .err = c->err };
        bool fits = !value || check_rule(&check, c->rules[i], value, NULL, NULL);

        if (!fits && !check.given_up)
            compile_fail(c, value, "the default does not fit its own schema: %s",
                         buf_text(&issues.text));
        buf_free(&issues.text);
        if (!fits)
            return false;
    }
    return true;
}

/* --- compiling --------------------------------------------------------------- */

enum { SCHEMA_ROOM = 2000 }; /* enough for the schemas of most tools */

static bool compile_rules(struct compiler *c)
{
    if (!cJSON_IsObject(c->root) && !cJSON_IsBool(c->root))
        return error_set(c->err, "invalid_schema",
                         "at #: expected a schema: an object, true or false");
    if (!scope_collect(c, c->root, 0))
        return false;
    for (size_t i = 0; i < c->rule_count; i++) { /* grows on the way */
        if (!rule_fill(c, c->rules[i]))
            return false;
    }
    if (!check_loops(c) || (c->strict && !check_defaults(c)))
        return false;
    c->schema->root = c->rules[0];
    return true;
}

static struct schema *schema_new(struct json_doc *doc)
{
    struct arena arena;
    struct schema *schema;

    arena_init_lasting(&arena, SCHEMA_ROOM);
    schema = arena_alloc(&arena, sizeof *schema);
    *schema = (struct schema){ .arena = arena, .doc = doc };
    return schema;
}

static struct schema *compile_copy(const cJSON *source, bool strict, struct error *err)
{
    struct json_doc *doc = json_copy(source, err);
    struct compiler c = { .err = err, .strict = strict };
    bool fine;

    if (!doc)
        return NULL;
    c.schema = schema_new(doc);
    c.root = (cJSON *)json_root(doc);
    fine = compile_rules(&c);
    for (size_t i = 0; i < c.resource_count; i++)
        free(c.resources[i].uri);
    free(c.resources);
    free(c.anchors);
    free(c.rules);
    if (fine)
        return c.schema;
    schema_free(c.schema);
    return NULL;
}

struct schema *schema_compile(const cJSON *source, struct error *err)
{
    return compile_copy(source, false, err);
}

struct schema *schema_compile_strict(const cJSON *source, struct error *err)
{
    return compile_copy(source, true, err);
}

void schema_free(struct schema *schema)
{
    struct arena arena;

    if (!schema)
        return;
    for (struct pattern *pattern = schema->patterns; pattern; pattern = pattern->next)
        regex_free(pattern->regex);
    json_doc_free(schema->doc);
    arena = schema->arena;
    arena_finish(&arena);
}
