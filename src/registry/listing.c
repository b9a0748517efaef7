#include "registry/listing.h"

#include "json/document.h"
#include "json/writer.h"

static void write_name(struct buf *out, const cJSON *member)
{
    struct str name = json_name(member);

    json_write_string(out, name.ptr, name.len);
    buf_addc(out, ':');
}

/* Only the type; {} is what may be anything. */
static void write_type(struct buf *out, const cJSON *schema)
{
    const cJSON *type = json_get(schema, "type");

    buf_addc(out, '{');
    if (type) {
        buf_lit(out, "\"type\":");
        json_write(out, type);
    }
    buf_addc(out, '}');
}

static void write_outline(struct buf *out, const cJSON *schema)
{
    const cJSON *member, *required = json_get(schema, "required");
    const char *comma = "";

    buf_lit(out, "{\"type\":\"object\",\"properties\":{");
    cJSON_ArrayForEach (member, json_get(schema, "properties")) {
        buf_adds(out, comma);
        write_name(out, member);
        write_type(out, member);
        comma = ",";
    }
    buf_addc(out, '}');
    if (required) {
        buf_lit(out, ",\"required\":");
        json_write(out, required);
    }
    buf_addc(out, '}');
}

bool listing_write(const cJSON *definition, struct buf *out)
{
    const cJSON *member, *schema = json_get(definition, "outputSchema");
    const char *comma = "";

    if (!cJSON_IsObject(json_get(schema, "properties")))
        return false;
    buf_addc(out, '{');
    cJSON_ArrayForEach (member, definition) {
        buf_adds(out, comma);
        write_name(out, member);
        if (member == schema)
            write_outline(out, member);
        else
            json_write(out, member);
        comma = ",";
    }
    buf_addc(out, '}');
    return true;
}
