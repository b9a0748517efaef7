/* From a file's table to its definition on the wire, written once when the file is loaded. */
#include "registry/define.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "files/file.h"
#include "json/marks.h"
#include "json/shown.h"
#include "json/writer.h"
#include "registry/listing.h"
#include "registry/uri_template.h"
#include "script/value.h"

#ifdef __APPLE__
#define PLATFORM "macos"
#else
#define PLATFORM "linux"
#endif

/* --- pieces of a definition; the table is at index 1 of a protected call ------- */

static bool write_definition_field(lua_State *L, struct buf *out, const char *key,
                                   struct error *err)
{
    struct error inner;
    bool ok = true;

    if (lua_getfield(L, 1, key) != LUA_TNIL) {
        buf_addf(out, ",\"%s\":", key);
        ok = value_write_json(L, -1, out, &inner);
        if (!ok)
            error_set(err, "bad_key", "%s: %s", key, inner.text);
    }
    lua_pop(L, 1);
    return ok;
}

/* All four hints are written: clients read an absent one as the worst case. */
static void write_annotations(lua_State *L, struct buf *out)
{
    static const struct {
        const char *name;
        const char *absent;
    } hints[] = { { "readOnlyHint", "false" },
                  { "destructiveHint", "true" },
                  { "idempotentHint", "false" },
                  { "openWorldHint", "true" } };
    size_t len;
    const char *title;

    lua_getfield(L, 1, "annotations"); /* annotations | nil */
    bool given = lua_istable(L, -1);
    buf_lit(out, ",\"annotations\":{");
    for (size_t i = 0; i < countof(hints); i++) {
        if (given)
            lua_getfield(L, -1, hints[i].name);
        else
            lua_pushnil(L);
        buf_addf(out, "%s\"%s\":%s", i ? "," : "", hints[i].name,
                 lua_isnil(L, -1)       ? hints[i].absent
                 : lua_toboolean(L, -1) ? "true"
                                        : "false");
        lua_pop(L, 1);
    }
    if (given && lua_getfield(L, -1, "title") == LUA_TSTRING) {
        title = lua_tolstring(L, -1, &len);
        buf_lit(out, ",\"title\":");
        json_write_string(out, title, len);
    }
    buf_addc(out, '}');
}

/* A list of texts, whose shape is checked; NULL: there is none. It ends in NULL. */
static char **read_string_list(lua_State *L, const char *key, size_t *count)
{
    char **list = NULL;

    *count = 0;
    if (lua_getfield(L, 1, key) == LUA_TTABLE) {
        list = mem_zero((lua_rawlen(L, -1) + 1) * sizeof *list);
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++, lua_pop(L, 1))
            list[(*count)++] = mem_strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return list;
}

bool define_platforms(lua_State *L)
{
    bool here = true;

    if (lua_getfield(L, 1, "platforms") == LUA_TTABLE) {
        here = false;
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
            here |= strcmp(lua_tostring(L, -1), PLATFORM) == 0;
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return here;
}

/* `listed`, `programs`, one of which must be there (registry/programs.h), and `common`. */
static void read_listed(lua_State *L, struct entry *entry)
{
    size_t count;

    entry->listed = lua_getfield(L, 1, "listed") == LUA_TNIL || lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (entry->listed)
        entry->programs = read_string_list(L, "programs", &count);
    if (lua_getfield(L, 1, "common") == LUA_TSTRING)
        entry->common = mem_strdup(lua_tostring(L, -1));
    lua_pop(L, 1);
}

static bool check_schema_root(struct entry *entry, const char *key, struct error *err)
{
    const cJSON *node = json_get(entry_definition(entry), key);
    const cJSON *type = json_get(node, "type");

    if (!node || (cJSON_IsString(type) && strcmp(type->valuestring, "object") == 0))
        return true;
    return error_set(err, "bad_schema", "%s: its root must be {type = \"object\", ...}", key);
}

static void take_definition(struct entry *entry, struct buf *out, struct error *err)
{
    entry->definition = json_parse(out->data, out->len, NULL, err);
    entry->wire_len = out->len;
    entry->wire = buf_take(out);
}

/* Lists show less of a tool, and nobody is shown what it says of how it is listed. */
static void take_listing(struct entry *entry)
{
    struct buf listed = { 0 }, whole = { 0 };

    listing_write(json_root(entry->definition), &listed);
    if (listed.len == entry->wire_len) {
        buf_free(&listed);
        return;
    }
    listing_write_whole(json_root(entry->definition), &whole);
    if (whole.len != entry->wire_len) {
        json_doc_free(entry->definition);
        entry->definition = NULL; /* entry_definition() parses it again, where it is wanted */
    }
    free(entry->wire);
    entry->whole_len = whole.len;
    entry->whole = buf_take(&whole);
    entry->wire_len = listed.len;
    entry->wire = buf_take(&listed);
}

static void read_says_error(lua_State *L, struct entry *entry)
{
    lua_getfield(L, 1, "says_error");
    entry->says_error = lua_toboolean(L, -1);
    lua_pop(L, 1);
}

static void read_entry_timeout(lua_State *L, struct entry *entry)
{
    lua_getfield(L, 1, "timeout");
    entry->timeout_ms = lua_isnumber(L, -1) ? (uint64_t)ceil(lua_tonumber(L, -1) * 1000) : 0;
    lua_pop(L, 1);
}

/* execution.taskSupport; the shape is checked. */
static void read_task_support(lua_State *L, struct entry *entry)
{
    if (lua_getfield(L, 1, "execution") == LUA_TTABLE) {
        lua_getfield(L, -1, "taskSupport");
        while (strcmp(task_support_name(entry->tasks), luaL_optstring(L, -1, "forbidden")) != 0)
            entry->tasks++;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* A foreign file's words about itself come from outside, like those of a mounted server. */
static void clean_definition(const struct entry *entry, struct buf *out)
{
    size_t hidden = json_show(out->data, &out->len);

    json_drop_marks(out->data, &out->len);
    if (hidden)
        log_info("%s: its definition had %zu hidden characters; they were taken out", entry->label,
                 hidden);
}

bool define_tool(lua_State *L, struct entry *entry, struct buf *out, struct error *err)
{
    buf_lit(out, "{\"name\":");
    json_write_string(out, entry->name, strlen(entry->name));
    if (!write_definition_field(L, out, "title", err) ||
        !write_definition_field(L, out, "description", err) ||
        !write_definition_field(L, out, "icons", err) ||
        !write_definition_field(L, out, "inputSchema", err) ||
        !write_definition_field(L, out, "outputSchema", err))
        return false;
    write_annotations(L, out);
    if (!write_definition_field(L, out, "_meta", err))
        return false;
    buf_addc(out, '}');
    if (entry->foreign)
        clean_definition(entry, out);
    take_definition(entry, out, err);
    if (!entry->definition || !check_schema_root(entry, "inputSchema", err) ||
        !check_schema_root(entry, "outputSchema", err) || !entry_schemas(entry, err))
        return false;
    take_listing(entry);
    entry->defaults = strstr(entry->wire, "\"default\":") != NULL;
    entry->aliases = read_string_list(L, "aliases", &entry->alias_count);
    read_listed(L, entry);
    read_says_error(L, entry);
    read_entry_timeout(L, entry);
    read_task_support(L, entry);
    return true;
}

/* Each key of `complete` names something that a client can ask about. */
static bool check_completed(lua_State *L, struct entry *entry, struct error *err)
{
    if (lua_getfield(L, 1, "complete") == LUA_TTABLE) {
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
            if (!entry_has_argument(entry, lua_tostring(L, -2)))
                return error_set(err, "bad_key", "complete.%s: there is no %s of that name",
                                 lua_tostring(L, -2),
                                 entry->kind == ENTRY_PROMPT ? "argument" : "variable");
    }
    lua_pop(L, 1);
    return true;
}

bool define_prompt(lua_State *L, struct entry *entry, struct buf *out, struct error *err)
{
    buf_lit(out, "{\"name\":");
    json_write_string(out, entry->name, strlen(entry->name));
    if (!write_definition_field(L, out, "title", err) ||
        !write_definition_field(L, out, "description", err) ||
        !write_definition_field(L, out, "icons", err) ||
        !write_definition_field(L, out, "arguments", err) ||
        !write_definition_field(L, out, "_meta", err))
        return false;
    buf_addc(out, '}');
    take_definition(entry, out, err);
    return entry->definition && check_completed(L, entry, err);
}

enum { TEXT_BYTES = 64 * 1024 };

bool define_text(lua_State *L, struct entry *entry, struct buf *out, struct error *err)
{
    size_t len;
    const char *text;

    lua_getfield(L, 1, "text");
    text = lua_tolstring(L, -1, &len);
    if (len > TEXT_BYTES)
        return error_set(err, "bad_key", "'text' has %zu bytes, more than %d", len, TEXT_BYTES);
    if (memchr(text, '\0', len))
        return error_set(err, "bad_key", "'text' has a NUL byte");
    buf_lit(out, "{\"name\":");
    json_write_string(out, entry->name, strlen(entry->name));
    if (!write_definition_field(L, out, "text", err))
        return false;
    buf_addc(out, '}');
    take_definition(entry, out, err);
    return entry->definition != NULL;
}

/* RFC 3986: a URI has a scheme and none of the characters that URIs never have. */
static bool check_uri(const char *uri, const char *key, bool template, struct error *err)
{
    size_t scheme =
        strspn(uri, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.");

    if (!scheme || uri[scheme] != ':' || !uri[scheme + 1])
        return error_set(err, "bad_key",
                         "%s: '%.100s' does not begin with a scheme (for example perigee://x)", key,
                         uri);
    if (strlen(uri) > URI_BYTES)
        return error_set(err, "bad_key", "%s: longer than %d bytes", key, URI_BYTES);
    for (const char *c = uri; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 127 ||
            strchr(template ? "<>\"\\^`|" : "<>\"\\^`|{}", *c))
            return error_set(err, "bad_key", "%s: a URI must not contain '%c'. Write it as %%%02X",
                             key, *c, (unsigned char)*c);
    return true;
}

static bool define_uri(lua_State *L, struct entry *entry, struct buf *out, struct error *err)
{
    bool template = lua_getfield(L, 1, "uriTemplate") == LUA_TSTRING;
    const char *key = template ? "uriTemplate" : "uri";
    struct error inner;

    if (!template)
        lua_getfield(L, 1, "uri");
    if (!check_uri(lua_tostring(L, -1), key, template, err))
        return false;
    entry->templated = template;
    if (template && !(entry->template = uri_template_new(lua_tostring(L, -1), &inner)))
        return error_set(err, inner.code, "uriTemplate: %s", inner.text);
    buf_addf(out, "{\"%s\":", key);
    json_write_string(out, lua_tostring(L, -1), strlen(lua_tostring(L, -1)));
    return true;
}

bool define_resource(lua_State *L, struct entry *entry, struct buf *out, struct error *err)
{
    static const char *const fields[] = { "title",       "description", "mimeType", "icons",
                                          "annotations", "size",        "_meta" };
    const char *name;

    if (!define_uri(L, entry, out, err))
        return false;
    lua_getfield(L, 1, "name");
    name = lua_isstring(L, -1) ? lua_tostring(L, -1) : entry->name;
    buf_lit(out, ",\"name\":");
    json_write_string(out, name, strlen(name));
    for (size_t i = 0; i < countof(fields); i++)
        if (!(entry->templated && strcmp(fields[i], "size") == 0) &&
            !write_definition_field(L, out, fields[i], err))
            return false;
    buf_addc(out, '}');
    take_definition(entry, out, err);
    read_entry_timeout(L, entry);
    if (!entry->definition || !check_completed(L, entry, err))
        return false;
    entry->uri =
        mem_strdup(json_get(json_root(entry->definition), entry->templated ? "uriTemplate" : "uri")
                       ->valuestring);
    return true;
}
