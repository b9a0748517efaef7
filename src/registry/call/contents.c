/* Takes the result of read(): a text, bytes, a table (which becomes JSON), call:contents{...}, or a
 * whole result by call:result{...}. The Lua values are read inside a protected call, since that may
 * run out of memory. */
#include "registry/call/contents.h"

#include <lauxlib.h>

#include "base/base64.h"
#include "json/marks.h"
#include "json/utf8.h"
#include "json/writer.h"
#include "registry/call/outcome.h"
#include "script/bind.h"
#include "script/value.h"

enum { VERBATIM_BYTES = OUTCOME_BYTES / 3 * 4 }; /* as much, in base64 */

struct contents_write {
    const struct outcome *outcome;
    struct str uri;
    const char *mime; /* the file's type; NULL: it does not say */
    struct buf *out;
    struct error err;
    bool ok;
};

static bool ends_in(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);

    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Is this a type of texts? */
static bool is_text_type(const char *mime)
{
    return strncmp(mime, "text/", 5) == 0 || ends_in(mime, "json") || ends_in(mime, "xml") ||
           ends_in(mime, "yaml") || ends_in(mime, "javascript") || ends_in(mime, "toml");
}

static void add_content_field(struct buf *out, const char *key, struct str value)
{
    buf_addf(out, ",\"%s\":", key);
    json_write_string(out, value.ptr, value.len);
}

/* {"uri":..., "mimeType":..., "text" or "blob":...} */
static bool add_content(struct contents_write *r, struct str uri, const char *mime,
                        struct str bytes, bool blob)
{
    if (bytes.len > OUTCOME_BYTES)
        return error_set(&r->err, "too_large", "the content is too large (%zu bytes of at most %d)",
                         bytes.len, OUTCOME_BYTES);
    if (!mime)
        mime = blob ? "application/octet-stream" : "text/plain";
    buf_lit(r->out, "{\"uri\":");
    json_write_string(r->out, uri.ptr, uri.len);
    add_content_field(r->out, "mimeType", str_from(mime));
    if (blob) {
        buf_lit(r->out, ",\"blob\":\"");
        base64_encode(buf_reserve(r->out, base64_length(bytes.len)), bytes.ptr, bytes.len);
        r->out->len += base64_length(bytes.len);
        buf_addc(r->out, '"');
    } else {
        add_content_field(r->out, "text", bytes);
    }
    return true;
}

/* A string is bytes when it is no UTF-8, or its type is none of texts. */
static bool add_string_content(struct contents_write *r, lua_State *L, int index)
{
    struct str text;
    bool ok;

    text.ptr = lua_tolstring(L, index, &text.len);
    ok = add_content(r, r->uri, r->mime, text,
                     (r->mime && !is_text_type(r->mime)) || !utf8_valid(text.ptr, text.len, NULL));
    buf_addc(r->out, '}');
    return ok;
}

static bool add_json(struct contents_write *r, lua_State *L, int index)
{
    struct buf *json = bind_buffer(L);
    struct error inner;
    bool ok = value_write_json(L, index, json, &inner) ||
              error_set(&r->err, "bad_result", "read() returned a table that is not JSON: %s",
                        inner.text);

    ok = ok && add_content(r, r->uri, r->mime ? r->mime : "application/json", buf_str(json), false);
    buf_addc(r->out, '}');
    return ok;
}

/* The text of a field; ptr NULL: it has none. Stays on the stack. */
static struct str text_field(lua_State *L, int table, const char *key)
{
    struct str text = { 0 };

    if (lua_getfield(L, table, key) == LUA_TSTRING)
        text.ptr = lua_tolstring(L, -1, &text.len);
    return text;
}

/* One item of call:contents{...}; it is on top of the stack. */
static bool add_content_item(struct contents_write *r, lua_State *L, int index)
{
    int item = lua_gettop(L);
    struct error inner;
    struct str uri, mime, text, blob;
    bool ok;

    if (!lua_istable(L, item))
        return error_set(&r->err, "bad_result", "content %d is not a table", index);
    uri = text_field(L, item, "uri");
    mime = text_field(L, item, "mimeType");
    text = text_field(L, item, "text");
    blob = text_field(L, item, "blob");
    if (!text.ptr == !blob.ptr)
        return error_set(&r->err, "bad_result", "content %d needs either text or blob", index);
    ok = add_content(r, uri.ptr ? uri : r->uri, mime.ptr ? mime.ptr : r->mime,
                     text.ptr ? text : blob, blob.ptr);
    if (ok && lua_getfield(L, item, "_meta") != LUA_TNIL) {
        buf_lit(r->out, ",\"_meta\":");
        ok = value_write_json(L, -1, r->out, &inner) ||
             error_set(&r->err, "bad_result", "content %d: _meta: %s", index, inner.text);
    }
    buf_addc(r->out, '}');
    lua_settop(L, item);
    return ok;
}

static bool add_items(struct contents_write *r, lua_State *L, int index)
{
    for (int i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++) {
        if (i > 1)
            buf_addc(r->out, ',');
        if (!add_content_item(r, L, i))
            return false;
        lua_pop(L, 1);
    }
    return true;
}

/* call:result{contents = {...}}: what another server said, as it is. */
static bool add_verbatim(struct contents_write *r, lua_State *L, int index)
{
    struct error inner;
    size_t start = r->out->len;

    if (lua_getfield(L, index, "contents") != LUA_TTABLE || !value_is_array(L, -1))
        return error_set(&r->err, "bad_result", "the result has no list of contents");
    if (!value_write_json(L, -1, r->out, &inner))
        return error_set(&r->err, "bad_result", "contents: %s", inner.text);
    if (r->out->len - start > VERBATIM_BYTES)
        return error_set(&r->err, "too_large",
                         "the contents are too large (%zu bytes of at most %d)",
                         r->out->len - start, VERBATIM_BYTES);
    return true;
}

static bool add_content_list(struct contents_write *r, lua_State *L, int index)
{
    bool ok;

    buf_addc(r->out, '[');
    if (lua_type(L, index) == LUA_TSTRING)
        ok = add_string_content(r, L, index);
    else if (call_is_contents(L, index))
        ok = add_items(r, L, index);
    else if (lua_istable(L, index))
        ok = add_json(r, L, index);
    else
        ok = error_set(&r->err, "bad_result", "read() returned %s, not a string or a table",
                       lua_isnone(L, index) ? "nothing" : luaL_typename(L, index));
    buf_addc(r->out, ']');
    return ok;
}

static int read_protected(lua_State *L)
{
    struct contents_write *r = lua_touserdata(L, 1);

    r->ok = call_is_result(L, 2) ? add_verbatim(r, L, 2) : add_content_list(r, L, 2);
    return 0;
}

bool contents_write(const struct outcome *outcome, struct str uri, struct buf *out,
                    struct error *err)
{
    const cJSON *mime = json_get(entry_definition(outcome->entry), "mimeType");
    struct contents_write r = { .outcome = outcome, .uri = uri, .out = out };
    size_t from = out->len, len;

    if (outcome->failed) {
        *err = outcome->err;
        return false;
    }
    r.mime = cJSON_IsString(mime) ? mime->valuestring : NULL;
    buf_lit(out, "\"contents\":");
    if (outcome_read(outcome, outcome->value, read_protected, &r, &r.err) && r.ok) {
        len = out->len - from;
        json_drop_marks(out->data + from, &len);
        out->len = from + len;
        return true;
    }
    *err = r.err;
    return false;
}
