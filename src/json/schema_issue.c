/* Saying what is wrong in words that a model or a person can act on: the place,
 * what was expected there and what was found, in that order. */
#include <stdio.h>
#include <strings.h>

#include "json/equal.h"
#include "json/schema_check.h"
#include "json/utf8.h"
#include "json/writer.h"

enum { VALUE_MAX = 40, OPTIONS_MAX = 12 };

/* --- pieces ------------------------------------------------------------------ */

static bool is_word(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$0123456789-";

    return *name && !name[strspn(name, letters)];
}

static void add_place(struct buf *out, const struct place *place)
{
    if (!place)
        return;
    add_place(out, place->up);
    if (!place->name) {
        buf_addf(out, "[%zu]", place->index);
    } else if (is_word(place->name)) {
        if (place->up)
            buf_addc(out, '.');
        buf_adds(out, place->name);
    } else {
        buf_addc(out, '[');
        json_write_string(out, place->name, strlen(place->name));
        buf_addc(out, ']');
    }
}

/* The value as JSON, cut when it is long. */
static void add_value(struct buf *out, const cJSON *value)
{
    struct buf text = { 0 };
    size_t kept;

    if (cJSON_IsString(value)) { /* a long one is not worth writing whole */
        struct str string = json_string(value);

        json_write_string(&text, string.ptr, utf8_cut(string.ptr, string.len, 4 * VALUE_MAX));
    } else {
        json_write(&text, value);
    }
    kept = utf8_cut(text.data, text.len, VALUE_MAX);
    buf_add(out, text.data, kept);
    if (kept < text.len)
        buf_adds(out, cJSON_IsString(value) ? "...\"" : "...");
    buf_free(&text);
}

static const char *type_name(unsigned types)
{
    if (types & TYPE_INTEGER)
        return types & TYPE_NUMBER ? "number" : "integer";
    return types == TYPE_NULL      ? "null"
           : types == TYPE_BOOLEAN ? "boolean"
           : types == TYPE_NUMBER  ? "number"
           : types == TYPE_STRING  ? "string"
           : types == TYPE_ARRAY   ? "array"
                                   : "object";
}

/* "integer, string or null" */
static void add_types(struct buf *out, unsigned types)
{
    unsigned left = types & TYPE_NUMBER ? types & ~(unsigned)TYPE_INTEGER : types;

    for (unsigned bit = TYPE_INTEGER; left; bit = bit == TYPE_OBJECT    ? TYPE_NULL
                                                  : bit == TYPE_NULL    ? TYPE_BOOLEAN
                                                  : bit == TYPE_BOOLEAN ? 0
                                                                        : bit * 2) {
        if (!(left & bit))
            continue;
        left &= ~bit;
        buf_adds(out, type_name(bit));
        if (left)
            buf_adds(out, left & (left - 1) ? ", " : " or ");
    }
}

/* "string \"abc\"", "null", "array" */
static void add_found(struct buf *out, const cJSON *value)
{
    unsigned types = check_types(value);

    if (types & TYPE_NUMBER)
        buf_adds(out, types & TYPE_INTEGER ? "integer" : "number");
    else
        buf_adds(out, type_name(types));
    if (types & (TYPE_NUMBER | TYPE_STRING | TYPE_BOOLEAN)) {
        buf_addc(out, ' ');
        add_value(out, value);
    }
}

/* --- noting ------------------------------------------------------------------ */

static bool add_issue(struct check *c, const struct place *place, const char *whole,
                      struct str text)
{
    struct issues *issues = c->issues;

    if (issues->count == issues->max)
        return false;
    if (issues->count++)
        buf_lit(&issues->text, "; ");
    if (place)
        add_place(&issues->text, place);
    else
        buf_adds(&issues->text, whole);
    if (place || *whole)
        buf_lit(&issues->text, ": ");
    buf_add(&issues->text, text.ptr, text.len);
    return false;
}

static bool note(struct check *c, const struct place *place, const char *whole, const char *fmt,
                 va_list args)
{
    char text[300];

    vsnprintf(text, sizeof text, fmt, args);
    return add_issue(c, place, whole,
                     (struct str){ text, utf8_cut(text, strlen(text), sizeof text - 4) });
}

bool issue_at(struct check *c, const struct place *place, const char *fmt, ...)
{
    va_list args;

    if (!c->issues)
        return false;
    va_start(args, fmt);
    note(c, place, "arguments", fmt, args);
    va_end(args);
    return false;
}

bool issue_in(struct check *c, const struct place *place, const char *fmt, ...)
{
    va_list args;

    if (!c->issues)
        return false;
    va_start(args, fmt);
    note(c, place, "", fmt, args);
    va_end(args);
    return false;
}

/* Takes the text. */
static bool note_text(struct check *c, const struct place *place, struct buf *text)
{
    add_issue(c, place, "arguments", buf_str(text));
    buf_free(text);
    return false;
}

/* --- kinds of problems ------------------------------------------------------------ */

bool issue_type(struct check *c, const struct place *place, unsigned types, const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_lit(&text, "expected ");
    add_types(&text, types);
    buf_lit(&text, ", got ");
    add_found(&text, value);
    return note_text(c, place, &text);
}

/* Adds the values of a list; *count is how many were added before. */
static void add_options(struct buf *out, const cJSON *options, size_t *count)
{
    for (const cJSON *option = options->child; option; option = option->next) {
        if (*count == OPTIONS_MAX) {
            buf_lit(out, ", ...");
            return;
        }
        if ((*count)++)
            buf_lit(out, ", ");
        add_value(out, option);
    }
}

bool issue_options(struct check *c, const struct place *place, const cJSON *options,
                   const cJSON *value)
{
    struct buf text = { 0 };
    size_t count = 0;

    if (!c->issues)
        return false;
    if (options->child && !options->child->next)
        return issue_constant(c, place, options->child, value);
    buf_lit(&text, "expected one of ");
    add_options(&text, options, &count);
    buf_lit(&text, "; got ");
    add_value(&text, value);
    return note_text(c, place, &text);
}

bool issue_constant(struct check *c, const struct place *place, const cJSON *constant,
                    const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_lit(&text, "expected ");
    add_value(&text, constant);
    buf_lit(&text, ", got ");
    add_value(&text, value);
    return note_text(c, place, &text);
}

bool issue_limit(struct check *c, const struct place *place, const char *what, double limit,
                 const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_addf(&text, "expected %s ", what);
    json_write_number(&text, limit);
    buf_lit(&text, ", got ");
    json_write_number(&text, value->valuedouble);
    return note_text(c, place, &text);
}

bool issue_pattern(struct check *c, const struct place *place, const struct pattern *pattern,
                   const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_addf(&text, "expected text that matches /%.*s/, got ",
             (int)utf8_cut(pattern->text.ptr, pattern->text.len, 2 * VALUE_MAX), pattern->text.ptr);
    add_value(&text, value);
    return note_text(c, place, &text);
}

/* --- unknown properties ------------------------------------------------------- */

enum { NAME_MAX_LEN = 64 };

/* Letters to change, add, drop or swap to get from one name to the other. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][NAME_MAX_LEN + 1];
    size_t len_a = strlen(a), len_b = strlen(b);

    if (len_a > NAME_MAX_LEN || len_b > NAME_MAX_LEN)
        return SIZE_MAX;
    for (size_t j = 0; j <= len_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= len_a; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t j = 1; j <= len_b; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);

            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[len_a % 3][len_b];
}

/* The declared property whose name was probably meant; NULL if none is near. */
static const char *nearest(const struct object_rule *rule, const char *name)
{
    size_t best = strlen(name) / 3 + 1;
    const char *found = NULL;

    if (best > 3)
        best = 3;
    for (size_t i = 0; i < rule->count; i++) {
        const struct property *property = &rule->properties[i];
        size_t apart;

        if (!property->rule)
            continue;
        apart = strcasecmp(property->name, name) == 0 ? 0 : distance(property->name, name);
        if (apart <= best && (!found || apart < best)) {
            best = apart;
            found = property->name;
        }
    }
    return found;
}

bool issue_unknown(struct check *c, const struct place *place, const struct object_rule *rule,
                   const char *name)
{
    const char *meant;

    if (!c->issues)
        return false;
    meant = nearest(rule, name);
    if (meant)
        return issue_in(c, place, "unknown property \"%s\" (did you mean \"%s\"?)", name, meant);
    return issue_in(c, place, "unknown property \"%s\"", name);
}

/* --- alternatives ------------------------------------------------------------ */

/* Follows plain references; a loop cannot be, it was looked for. */
static const struct rule *behind(const struct rule *rule)
{
    while (rule->logic && rule->logic->ref && !rule->types && !rule->options && !rule->constant &&
           !rule->object)
        rule = rule->logic->ref;
    return rule;
}

static unsigned rule_types(const struct rule *rule)
{
    unsigned types = 0;

    rule = behind(rule);
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

/* Adds the values of an alternative that is one value or a list of them. */
static bool add_alternative(struct buf *out, const struct rule *rule, size_t *count)
{
    cJSON one = { .type = cJSON_Array }, copy;

    rule = behind(rule);
    if (rule->options) {
        add_options(out, rule->options, count);
        return true;
    }
    if (!rule->constant)
        return false;
    copy = *rule->constant;
    copy.next = NULL;
    one.child = &copy;
    add_options(out, &one, count);
    return true;
}

/* True if all alternatives are values, and that was said. */
static bool issue_values(struct check *c, const struct place *place, const struct rules *rules,
                         const cJSON *value)
{
    struct buf text = { 0 };
    size_t count = 0;

    buf_lit(&text, "expected one of ");
    for (size_t i = 0; i < rules->count; i++) {
        if (!add_alternative(&text, rules->list[i], &count)) {
            buf_free(&text);
            return false;
        }
    }
    buf_lit(&text, "; got ");
    add_value(&text, value);
    note_text(c, place, &text);
    return true;
}

/* Does a member that has to be one certain value rule this alternative out? */
static bool ruled_out(const struct rule *rule, const cJSON *value)
{
    rule = behind(rule);
    if (!(rule_types(rule) & check_types(value)))
        return true;
    for (size_t i = 0; rule->object && cJSON_IsObject(value) && i < rule->object->count; i++) {
        const struct property *property = &rule->object->properties[i];
        const cJSON *member = property->rule ? json_get(value, property->name) : NULL;

        if (member && property->rule->constant && !json_equal(property->rule->constant, member))
            return true;
    }
    return false;
}

/* The first thing wrong with each alternative. */
static bool issue_each(struct check *c, const struct place *place, const struct rules *rules,
                       const cJSON *value)
{
    struct issues *outer = c->issues;
    struct buf text = { 0 };
    size_t said = 0;

    for (size_t i = 0; i < rules->count && said < 3; i++) {
        struct issues one = { .max = 1 };

        if (ruled_out(rules->list[i], value))
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

bool issue_none(struct check *c, const struct place *place, const struct rules *rules,
                const cJSON *value)
{
    const struct rule *only = NULL;
    unsigned types = 0;
    size_t left = 0;

    if (!c->issues || c->given_up)
        return false;
    for (size_t i = 0; i < rules->count; i++) {
        types |= rule_types(rules->list[i]);
        if (!ruled_out(rules->list[i], value)) {
            only = rules->list[i];
            left++;
        }
    }
    if (issue_values(c, place, rules, value))
        return false;
    if (!(types & check_types(value)))
        return issue_type(c, place, types, value);
    if (left == 1)
        return check_rule(c, only, value, place, NULL);
    return issue_each(c, place, rules, value);
}
