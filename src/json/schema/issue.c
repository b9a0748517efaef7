/* Saying what is wrong in words that a model or a person can act on: the place,
 * what was expected there and what was found, in that order. */
#include "json/schema/issue.h"

#include <stdio.h>
#include <strings.h>

#include "base/distance.h"
#include "json/equal.h"
#include "json/utf8.h"
#include "json/writer.h"

enum { VALUE_SHOWN_MAX = 40, OPTIONS_SHOWN_MAX = 100 };

/* --- pieces ------------------------------------------------------------------ */

static bool is_identifier(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$0123456789-";

    return *name && !name[strspn(name, letters)];
}

static void add_place(struct buf *out, const struct value_place *place)
{
    if (!place)
        return;
    add_place(out, place->up);
    if (!place->name) {
        buf_addf(out, "[%zu]", place->index);
    } else if (is_identifier(place->name)) {
        if (place->up)
            buf_addc(out, '.');
        buf_adds(out, place->name);
    } else {
        buf_addc(out, '[');
        json_write_string(out, place->name, strlen(place->name));
        buf_addc(out, ']');
    }
}

void issue_add_value(struct buf *out, const cJSON *value)
{
    struct buf text = { 0 };
    size_t kept;

    if (cJSON_IsString(value)) { /* a long one is not worth writing whole */
        struct str string = json_string(value);

        json_write_string(&text, string.ptr,
                          utf8_cut(string.ptr, string.len, (size_t)4 * VALUE_SHOWN_MAX));
    } else {
        json_write(&text, value);
    }
    kept = utf8_cut(text.data, text.len, VALUE_SHOWN_MAX);
    buf_add(out, text.data, kept);
    if (kept < text.len)
        buf_adds(out, cJSON_IsString(value) ? "...\"" : "...");
    buf_free(&text);
}

/* In the order in which they are listed. */
static const struct {
    unsigned bit;
    const char *name;
} types_by_name[] = {
    { TYPE_NUMBER, "number" },   { TYPE_INTEGER, "integer" }, { TYPE_STRING, "string" },
    { TYPE_ARRAY, "array" },     { TYPE_OBJECT, "object" },   { TYPE_NULL, "null" },
    { TYPE_BOOLEAN, "boolean" },
};

/* "integer, string or null" */
static void add_types(struct buf *out, unsigned types)
{
    if (types & TYPE_NUMBER)
        types &= ~(unsigned)TYPE_INTEGER;
    for (size_t i = 0; i < countof(types_by_name); i++) {
        if (!(types & types_by_name[i].bit))
            continue;
        types &= ~types_by_name[i].bit;
        buf_adds(out, types_by_name[i].name);
        if (types)
            buf_adds(out, types & (types - 1) ? ", " : " or ");
    }
}

/* "string \"abc\"", "null", "array" */
static void add_found(struct buf *out, const cJSON *value)
{
    unsigned types = check_types(value);

    add_types(out, types & TYPE_INTEGER ? TYPE_INTEGER : types);
    if (types & (TYPE_NUMBER | TYPE_STRING | TYPE_BOOLEAN)) {
        buf_addc(out, ' ');
        issue_add_value(out, value);
    }
}

/* --- noting ------------------------------------------------------------------ */

static bool add_issue(struct check *c, const struct value_place *place, const char *whole,
                      struct str text)
{
    struct issues *issues = c->issues;

    if (issues->count == issues->max)
        return false;
    if (issues->count++)
        buf_lit(&issues->text, "; ");
    if (!issues->nested || place != issues->here) {
        if (place)
            add_place(&issues->text, place);
        else
            buf_adds(&issues->text, whole);
        if (place || *whole)
            buf_lit(&issues->text, ": ");
    }
    buf_add(&issues->text, text.ptr, text.len);
    return false;
}

static bool note_issue(struct check *c, const struct value_place *place, const char *whole,
                       const char *fmt, va_list args)
{
    char text[300];

    vsnprintf(text, sizeof text, fmt, args);
    return add_issue(c, place, whole,
                     (struct str){ text, utf8_cut(text, strlen(text), sizeof text - 4) });
}

bool issue_at(struct check *c, const struct value_place *place, const char *fmt, ...)
{
    va_list args;

    if (!c->issues)
        return false;
    va_start(args, fmt);
    note_issue(c, place, "arguments", fmt, args);
    va_end(args);
    return false;
}

bool issue_in(struct check *c, const struct value_place *place, const char *fmt, ...)
{
    va_list args;

    if (!c->issues)
        return false;
    va_start(args, fmt);
    note_issue(c, place, "", fmt, args);
    va_end(args);
    return false;
}

bool issue_text(struct check *c, const struct value_place *place, struct buf *text)
{
    add_issue(c, place, "arguments", buf_str(text));
    buf_free(text);
    return false;
}

/* --- kinds of problems ------------------------------------------------------------ */

bool issue_type(struct check *c, const struct value_place *place, unsigned types,
                const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_lit(&text, "expected ");
    add_types(&text, types);
    buf_lit(&text, ", got ");
    add_found(&text, value);
    return issue_text(c, place, &text);
}

void issue_add_option(struct buf *out, const cJSON *option, size_t *count)
{
    if (*count < OPTIONS_SHOWN_MAX) {
        if (*count)
            buf_lit(out, ", ");
        issue_add_value(out, option);
    } else if (*count == OPTIONS_SHOWN_MAX) {
        buf_lit(out, ", ...");
    }
    ++*count;
}

bool issue_options(struct check *c, const struct value_place *place, const cJSON *options,
                   const cJSON *value)
{
    struct buf text = { 0 };
    struct nearest_name nearest = { .typed = cJSON_GetStringValue(value) };
    size_t count = 0;

    if (!c->issues)
        return false;
    if (options->child && !options->child->next)
        return issue_constant(c, place, options->child, value);
    buf_lit(&text, "expected one of ");
    for (const cJSON *option = options->child; option; option = option->next) {
        issue_add_option(&text, option, &count);
        if (nearest.typed && cJSON_IsString(option))
            nearest_name_try(&nearest, option->valuestring);
    }
    buf_lit(&text, "; got ");
    issue_add_value(&text, value);
    if (nearest.typed)
        buf_adds(&text, nearest_name_text(&nearest).text);
    return issue_text(c, place, &text);
}

bool issue_constant(struct check *c, const struct value_place *place, const cJSON *constant,
                    const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_lit(&text, "expected ");
    issue_add_value(&text, constant);
    buf_lit(&text, ", got ");
    issue_add_value(&text, value);
    return issue_text(c, place, &text);
}

bool issue_limit(struct check *c, const struct value_place *place, const char *what, double limit,
                 const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_addf(&text, "expected %s ", what);
    json_write_number(&text, limit);
    buf_lit(&text, ", got ");
    issue_add_value(&text, value);
    return issue_text(c, place, &text);
}

bool issue_pattern(struct check *c, const struct value_place *place, const struct pattern *pattern,
                   const cJSON *value)
{
    struct buf text = { 0 };

    if (!c->issues)
        return false;
    buf_addf(&text, "expected text that matches /%.*s/, got ",
             (int)utf8_cut(pattern->text.ptr, pattern->text.len, (size_t)2 * VALUE_SHOWN_MAX),
             pattern->text.ptr);
    issue_add_value(&text, value);
    return issue_text(c, place, &text);
}
