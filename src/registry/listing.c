#include "registry/listing.h"

#include <math.h>

#include "json/document.h"
#include "json/schema/schema.h"
#include "json/writer.h"

/* Larger limits only guard against values that no hand could reach and no screen show; 0 and 1 say
 * only that a number counts something. */
#define GUARD_LEAST 10000

/* --- results ---------------------------------------------------------------------------- */

static void write_member_name(struct buf *out, const cJSON *member)
{
    struct str name = json_name(member);

    json_write_string(out, name.ptr, name.len);
    buf_addc(out, ':');
}

/* The members that are always there. */
static void write_outline(struct buf *out, const cJSON *schema)
{
    const cJSON *name, *required = json_get(schema, "required");
    const char *comma = "";

    buf_lit(out, "{\"type\":\"object\"");
    if (cJSON_IsArray(required)) {
        buf_lit(out, ",\"properties\":{");
        cJSON_ArrayForEach (name, required) {
            struct str text = json_string(name);

            buf_adds(out, comma);
            json_write_string(out, text.ptr, text.len);
            buf_lit(out, ":{}");
            comma = ",";
        }
        buf_addc(out, '}');
    }
    buf_addc(out, '}');
}

/* --- parameters ------------------------------------------------------------------------- */

/* Limits that are there to refuse nonsense. */
static bool is_guard(const cJSON *keyword)
{
    static const char *const lengths[] = { "maxLength", "minLength", "maxItems", "minItems" };
    const char *name = keyword->string;
    bool least = strcmp(name, "minimum") == 0, limits = least || strcmp(name, "maximum") == 0;

    for (size_t i = 0; i < countof(lengths); i++)
        if (strcmp(name, lengths[i]) == 0)
            return cJSON_IsNumber(keyword);
    if (least && (keyword->valuedouble == 0 || keyword->valuedouble == 1))
        return cJSON_IsNumber(keyword);
    return limits && cJSON_IsNumber(keyword) && fabs(keyword->valuedouble) >= GUARD_LEAST;
}

/* Does the author say this of how it is listed? */
static bool schema_says(const cJSON *schema, const char *comment)
{
    return str_same(json_string(json_get(schema, "$comment")), str_from(comment));
}

static void write_parameter(struct buf *out, const cJSON *schema);

static void write_schemas(struct buf *out, const cJSON *schemas, char open, char close)
{
    const cJSON *schema;
    const char *comma = "";

    buf_addc(out, open);
    cJSON_ArrayForEach (schema, schemas) {
        if (schema_says(schema, LISTED_NOT))
            continue;
        buf_adds(out, comma);
        if (open == '{')
            write_member_name(out, schema);
        write_parameter(out, schema);
        comma = ",";
    }
    buf_addc(out, close);
}

static void write_keyword(struct buf *out, const cJSON *keyword)
{
    const char *name = keyword->string;

    write_member_name(out, keyword);
    if (strcmp(name, "properties") == 0 && cJSON_IsObject(keyword))
        write_schemas(out, keyword, '{', '}');
    else if (strcmp(name, "items") == 0 && cJSON_IsObject(keyword))
        write_parameter(out, keyword);
    else if ((strcmp(name, "anyOf") == 0 || strcmp(name, "oneOf") == 0) && cJSON_IsArray(keyword))
        write_schemas(out, keyword, '[', ']');
    else
        json_write(out, keyword);
}

/* Then the listed form must not refuse what it does not name. */
static bool leaves_properties_out(const cJSON *schema)
{
    const cJSON *property;

    cJSON_ArrayForEach (property, json_get(schema, "properties"))
        if (schema_says(property, LISTED_NOT))
            return true;
    return false;
}

/* A default of false, and a second name: one is enough to call the tool. */
static bool goes_without_saying(const cJSON *keyword)
{
    return (cJSON_IsFalse(keyword) && strcmp(keyword->string, "default") == 0) ||
           strcmp(keyword->string, SCHEMA_ALSO) == 0;
}

static bool is_of_members(const cJSON *keyword)
{
    static const char *const names[] = { "$comment", "properties", "required",
                                         "additionalProperties" };

    for (size_t i = 0; i < countof(names); i++)
        if (strcmp(keyword->string, names[i]) == 0)
            return true;
    return false;
}

static void write_parameter(struct buf *out, const cJSON *schema)
{
    const cJSON *keyword;
    const char *comma = "";
    bool is_short = schema_says(schema, LISTED_SHORT), is_open = leaves_properties_out(schema);

    if (!cJSON_IsObject(schema)) {
        json_write(out, schema);
        return;
    }
    buf_addc(out, '{');
    cJSON_ArrayForEach (keyword, schema) {
        if (is_guard(keyword) || goes_without_saying(keyword) ||
            (is_short && is_of_members(keyword)) ||
            (is_open && strcmp(keyword->string, "additionalProperties") == 0))
            continue;
        buf_adds(out, comma);
        write_keyword(out, keyword);
        comma = ",";
    }
    buf_addc(out, '}');
}

static void write_definition(const cJSON *definition, bool whole_parameters, struct buf *out)
{
    const cJSON *member;
    const char *comma = "";

    buf_addc(out, '{');
    cJSON_ArrayForEach (member, definition) {
        buf_adds(out, comma);
        write_member_name(out, member);
        if (strcmp(member->string, "outputSchema") == 0)
            write_outline(out, member);
        else if (strcmp(member->string, "inputSchema") == 0 && !whole_parameters)
            write_parameter(out, member);
        else
            json_write(out, member);
        comma = ",";
    }
    buf_addc(out, '}');
}

static bool is_listing_comment(const cJSON *member)
{
    struct str text = json_string(member);

    return member->string && strcmp(member->string, "$comment") == 0 &&
           (str_same(text, STR(LISTED_SHORT)) || str_same(text, STR(LISTED_NOT)));
}

void listing_write_whole(const cJSON *definition, struct buf *out)
{
    bool object = cJSON_IsObject(definition);
    const cJSON *member;
    const char *comma = "";

    if (!object && !cJSON_IsArray(definition)) {
        json_write(out, definition);
        return;
    }
    buf_addc(out, object ? '{' : '[');
    cJSON_ArrayForEach (member, definition) {
        if (is_listing_comment(member))
            continue;
        buf_adds(out, comma);
        if (object)
            write_member_name(out, member);
        listing_write_whole(member, out);
        comma = ",";
    }
    buf_addc(out, object ? '}' : ']');
}

void listing_write(const cJSON *definition, struct buf *out)
{
    write_definition(definition, false, out);
}

void listing_write_parameters(const cJSON *definition, struct buf *out)
{
    write_definition(definition, true, out);
}
