#include "mcp/server/known.h"

#include "json/writer.h"
#include "registry/entry.h"

#define KNOWN  "perigee/known"
#define LISTED "perigee/listed"
#define WHOLE  "perigee/whole"

bool known_is_wanted(const struct request *request)
{
    return cJSON_IsTrue(json_given(json_given(request->params, "_meta"), KNOWN));
}

static void add_member(struct buf *out, const char *name, const cJSON *value)
{
    if (out->data[out->len - 1] != '{')
        buf_addc(out, ',');
    json_write_string(out, name, strlen(name));
    buf_addc(out, ':');
    json_write(out, value);
}

static void add_whole(struct buf *out, const cJSON *whole, const cJSON *listed)
{
    static const char *const schemas[] = { "inputSchema", "outputSchema" };

    if (out->data[out->len - 1] != '{')
        buf_addc(out, ',');
    buf_lit(out, "\"" WHOLE "\":{");
    for (size_t i = 0; i < countof(schemas); i++)
        if (json_get(whole, schemas[i]) && json_get(listed, schemas[i]))
            add_member(out, schemas[i], json_get(whole, schemas[i]));
    buf_addc(out, '}');
}

void known_write(struct entry *entry, struct str listed, bool is_listed, struct buf *out)
{
    struct json_doc *doc = json_parse(listed.ptr, listed.len, NULL, NULL);
    bool shortened = !str_same(entry_whole(entry), (struct str){ entry->wire, entry->wire_len });
    const cJSON *member;

    buf_addc(out, '{');
    cJSON_ArrayForEach (member, json_root(doc))
        if (strcmp(member->string, "_meta") != 0)
            add_member(out, member->string, member);
    if (shortened || !is_listed || json_get(json_root(doc), "_meta")) {
        buf_lit(out, ",\"_meta\":{");
        cJSON_ArrayForEach (member, json_get(json_root(doc), "_meta"))
            add_member(out, member->string, member);
        if (!is_listed)
            buf_adds(out, out->data[out->len - 1] == '{' ? "\"" LISTED "\":false"
                                                         : ",\"" LISTED "\":false");
        if (shortened)
            add_whole(out, entry_definition(entry), json_root(doc));
        buf_addc(out, '}');
    }
    buf_addc(out, '}');
    json_doc_free(doc);
}
