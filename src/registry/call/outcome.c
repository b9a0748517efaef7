/* Shapes what a tool returned. The Lua values are read on the ended task's own
 * state, inside a protected call, since writing them may run out of memory. */
#include "registry/call/outcome.h"

#include <lauxlib.h>

#include "base/dry_run.h"
#include "base/log.h"
#include "json/marks.h"
#include "json/shown.h"
#include "json/writer.h"
#include "registry/call/text.h"
#include "script/bind.h"
#include "script/value.h"

struct result_write {
    const struct outcome *outcome;
    struct buf *out, *meta;
    bool any_value;
    bool is_error; /* call:result{isError = true} */
    struct error err;
    bool ok;
};

static bool begins_with_word(const char *text, size_t len)
{
    return len >= strlen(ERROR_WORD) && memcmp(text, ERROR_WORD, strlen(ERROR_WORD)) == 0;
}

static void add_code(struct buf *meta, const char *code)
{
    if (!code || !*code)
        return;
    buf_addf(meta, "%s\"perigee/code\":", meta->len ? "," : "");
    json_write_string(meta, code, strlen(code));
}

void outcome_write_error(const struct entry *entry, struct buf *out, struct buf *meta,
                         const char *text, size_t len, const char *code)
{
    struct buf worded = { 0 };

    if (entry && entry->says_error && !begins_with_word(text, len)) {
        buf_lit(&worded, ERROR_WORD);
        buf_add(&worded, text, len);
        text = worded.data;
        len = worded.len;
    }
    buf_lit(out, "\"content\":[");
    text_write_block(out, text, len, 0, NULL);
    buf_lit(out, "],\"isError\":true");
    buf_free(&worded);
    add_code(meta, code);
}

static bool check_size(struct result_write *w, size_t len)
{
    if (len <= OUTCOME_BYTES)
        return true;
    return error_set(&w->err, "too_large",
                     "the result of %s is too large (%zu bytes of at most %d). Ask for less",
                     w->outcome->entry->name, len, OUTCOME_BYTES);
}

/* Does this JSON text match outputSchema? */
static bool check_output(struct result_write *w, struct str json)
{
    const struct entry *entry = w->outcome->entry;
    struct json_limits limits = json_limits_default;
    struct json_doc *doc;
    struct error inner;
    bool ok;

    if (!entry->output || dry_run()) /* a call that would be made has no result of its own */
        return true;
    limits.bytes = OUTCOME_BYTES;
    doc = json_parse(json.ptr, json.len, &limits, &inner);
    ok = doc && schema_check(entry->output, json_root(doc), &inner);
    json_doc_free(doc);
    if (ok)
        return true;
    log_error("%s: its result does not match outputSchema: %s", entry->label, inner.text);
    return error_set(&w->err, "bad_result", "%s returned what its outputSchema does not allow: %s",
                     entry->name, inner.text);
}

/* Too much, and nothing that is promised: only the beginning of its text is sent. */
static bool is_flood(const struct result_write *w, const struct buf *json)
{
    return json->len > text_cap(w->outcome->cap) && !w->outcome->entry->output;
}

/* "content":[{text: JSON}],"structuredContent":JSON */
static bool add_structured(struct result_write *w, struct buf *json)
{
    size_t cap = w->outcome->cap;
    bool flood = is_flood(w, json);

    if (!check_size(w, json->len) || !check_output(w, buf_str(json)))
        return false;
    buf_lit(w->out, "\"content\":[");
    text_write_block(w->out, json->data, json->len, cap, w->outcome->entry);
    buf_addc(w->out, ']');
    if (!flood && (json->data[0] == '{' || w->any_value)) {
        buf_lit(w->out, ",\"structuredContent\":");
        buf_add(w->out, json->data, json->len);
    }
    return true;
}

static bool write_structured(struct result_write *w, lua_State *L, int value)
{
    struct buf *json = bind_buffer(L);
    struct error inner;

    if (!value_write_json(L, value, json, &inner))
        return error_set(&w->err, "bad_result", "%s returned a table that is not JSON: %s",
                         w->outcome->entry->name, inner.text);
    return add_structured(w, json);
}

static bool write_result_member(struct result_write *w, lua_State *L, int table, const char *key)
{
    struct error inner;
    size_t from;
    bool ok = true;

    if (lua_getfield(L, table, key) != LUA_TNIL) {
        buf_addf(w->out, ",\"%s\":", key);
        from = w->out->len;
        ok = value_write_json(L, -1, w->out, &inner);
        if (!ok)
            error_set(&w->err, "bad_result", "%s: result.%s: %s", w->outcome->entry->name, key,
                      inner.text);
        else if (strcmp(key, "structuredContent") == 0)
            ok = check_output(w, (struct str){ w->out->data + from, w->out->len - from });
    }
    lua_pop(L, 1);
    return ok;
}

/* Appends the members of the object at the index, without its braces, behind a comma if there is
 * something before them. `clean` takes out of its text what it must not say; NULL: nothing. False:
 * it is not an object, or cannot be written. */
static bool add_members(struct buf *out, lua_State *L, int index,
                        void (*clean)(const struct entry *entry, struct buf *json),
                        const struct entry *entry)
{
    struct error inner;
    struct buf *json;
    bool ok;

    index = lua_absindex(L, index);
    json = bind_buffer(L); /* json */
    ok = value_write_json(L, index, json, &inner) && json->data[0] == '{';
    if (ok && clean)
        clean(entry, json);
    if (ok && json->len > 2) {
        if (out->len)
            buf_addc(out, ',');
        buf_add(out, json->data + 1, json->len - 2);
    }
    lua_pop(L, 1); /* - */
    return ok;
}

/* Only the engine says where a result is from. What call_tool hands on is of another result of the
 * engine's: that one's code, and that its file is stale. */
static void clean_meta(const struct entry *entry, struct buf *json)
{
    static const char *const handed_on[] = { "perigee/code", "perigee/stale", NULL };

    if (!entry_shipped(entry)) /* a hidden character would keep a name from being found */
        json_show(json->data, &json->len);
    json_drop_marks_of(json->data, &json->len, entry_shipped(entry) ? handed_on : NULL);
}

static bool add_result_meta(struct result_write *w, lua_State *L, int index)
{
    return add_members(w->meta, L, index, clean_meta, w->outcome->entry);
}

/* The result's own _meta, without its braces. The code of what was refused replaces its code. */
static bool write_meta(struct result_write *w, lua_State *L, int value)
{
    bool refused = w->outcome->err.code[0], ok = true;

    if (lua_getfield(L, value, "_meta") == LUA_TTABLE) {
        if (refused) {
            lua_pushliteral(L, "perigee/code");
            lua_pushnil(L);
            lua_rawset(L, -3);
        }
        ok = add_result_meta(w, L, -1);
    }
    add_code(w->meta, w->outcome->err.code);
    lua_pop(L, 1);
    return ok || error_set(&w->err, "bad_result", "%s: result._meta must be an object",
                           w->outcome->entry->name);
}

/* Writes the result's members beside the protocol's own. */
static bool write_extra_members(struct result_write *w, lua_State *L, int value)
{
    static const char *const taken[] = { "content", "structuredContent", "isError", "_meta",
                                         "resultType" };
    bool ok = true;

    if (lua_getfield(L, value, "members") == LUA_TTABLE) {
        for (size_t i = 0; ok && i < countof(taken); i++) {
            ok = lua_getfield(L, -1, taken[i]) == LUA_TNIL;
            lua_pop(L, 1);
        }
        ok = ok && add_members(w->out, L, -1, NULL, NULL);
    }
    lua_pop(L, 1);
    return ok || error_set(&w->err, "bad_result",
                           "%s: result.members must be an object without the protocol's own names",
                           w->outcome->entry->name);
}

/* [{text: JSON of structuredContent}], or [] without one: many clients show `content` only. */
static bool mirror_structured(struct result_write *w, lua_State *L, int value, bool *flood)
{
    struct buf *json = bind_buffer(L); /* json */
    struct error inner;
    bool ok = true;

    buf_addc(w->out, '[');
    if (lua_getfield(L, value, "structuredContent") != LUA_TNIL) {
        ok = value_write_json(L, -1, json, &inner) ||
             error_set(&w->err, "bad_result", "%s: result.structuredContent: %s",
                       w->outcome->entry->name, inner.text);
        if (ok)
            text_write_block(w->out, json->data, json->len, w->outcome->cap, w->outcome->entry);
        *flood = ok && is_flood(w, json);
    }
    buf_addc(w->out, ']');
    lua_pop(L, 2); /* - */
    return ok;
}

/* Writes the table that call:result() made: a CallToolResult. */
static bool write_whole_result(struct result_write *w, lua_State *L, int value)
{
    size_t start = w->out->len;
    bool flood = false;
    struct error inner;

    buf_lit(w->out, "\"content\":");
    if (lua_getfield(L, value, "content") == LUA_TTABLE) {
        if (!text_write_content(w->outcome, L, w->out, &inner))
            return error_set(&w->err, "bad_result", "%s: result.content: %s",
                             w->outcome->entry->name, inner.text);
    } else if (!mirror_structured(w, L, value, &flood)) {
        return false;
    }
    lua_pop(L, 1);
    if (!flood && !write_result_member(w, L, value, "structuredContent"))
        return false;
    lua_getfield(L, value, "isError");
    w->is_error = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return write_result_member(w, L, value, "isError") && write_extra_members(w, L, value) &&
           write_meta(w, L, value) && check_size(w, w->out->len - start);
}

static bool write_result_value(struct result_write *w, lua_State *L, int value)
{
    size_t len;
    const char *text;

    if (value && call_is_result(L, value))
        return write_whole_result(w, L, value);
    if (value && lua_istable(L, value))
        return write_structured(w, L, value);
    if (w->outcome->entry->output)
        return error_set(&w->err, "bad_result", "%s promises a structured result but returned %s",
                         w->outcome->entry->name, value ? luaL_typename(L, value) : "nothing");
    buf_lit(w->out, "\"content\":[");
    if (value) {
        text = luaL_tolstring(L, value, &len);
        text_write_block(w->out, text, len, w->outcome->cap, w->outcome->entry);
        lua_pop(L, 1);
    }
    buf_addc(w->out, ']');
    return true;
}

static int write_protected(lua_State *L)
{
    struct result_write *w = lua_touserdata(L, 1);

    if (w->outcome->failed)
        w->ok = add_result_meta(w, L, 2) ||
                error_set(&w->err, "bad_result", "%s: the _meta of its failure is not an object",
                          w->outcome->entry->name);
    else
        w->ok = write_result_value(w, L, lua_isnone(L, 2) ? 0 : 2);
    return 0;
}

bool outcome_read(const struct outcome *outcome, int index, lua_CFunction read, void *job,
                  struct error *err)
{
    lua_State *L = outcome->L;

    if (!lua_checkstack(L, LUA_MINSTACK))
        return error_set(err, "memory", "not enough memory");
    lua_pushcfunction(L, read);
    lua_pushlightuserdata(L, job);
    if (index)
        lua_pushvalue(L, index);
    if (lua_pcall(L, index ? 2 : 1, 0, 0) == LUA_OK)
        return true;
    error_set(err, "memory", "%s",
              lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "its result cannot be read");
    lua_pop(L, 1);
    return false;
}

/* Runs write_protected() on the value at this index (0: none). */
static bool write_safely(struct result_write *w, int value)
{
    return outcome_read(w->outcome, value, write_protected, w, &w->err) && w->ok;
}

static void write_success(struct result_write *w)
{
    lua_State *L = w->outcome->L;
    size_t mark = w->out->len;

    /* plain text, the common case, needs no protection: nothing is allocated in Lua */
    if (w->outcome->value && lua_type(L, w->outcome->value) == LUA_TSTRING &&
        !w->outcome->entry->output) {
        size_t len;
        const char *text = lua_tolstring(L, w->outcome->value, &len);

        buf_lit(w->out, "\"content\":[");
        text_write_block(w->out, text, len, w->outcome->cap, w->outcome->entry);
        buf_addc(w->out, ']');
        return;
    }
    if (write_safely(w, w->outcome->value)) {
        size_t len = w->out->len - mark;

        json_drop_marks(w->out->data + mark, &len);
        w->out->len = mark + len;
        return;
    }
    w->out->len = mark;
    w->meta->len = 0;
    outcome_write_error(w->outcome->entry, w->out, w->meta, w->err.text, strlen(w->err.text),
                        w->err.code);
    w->is_error = true;
}

static void add_dry_run(struct buf *meta)
{
    if (!dry_run())
        return;
    if (meta->len)
        buf_addc(meta, ',');
    buf_lit(meta, "\"perigee/dry_run\":true");
}

/* The author of the tool has to know that this was not the version on the disk. */
static void add_stale(struct buf *meta, const struct entry *entry)
{
    if (!entry->stale)
        return;
    if (meta->len)
        buf_addc(meta, ',');
    buf_lit(meta, "\"perigee/stale\":");
    json_write_string(meta, entry->stale, strlen(entry->stale));
}

/* "perigee/from":["screen"] of what is not our own. */
static void add_sources(struct buf *meta, unsigned from)
{
    static const char *const names[] = { "screen", "clipboard", "web", "mount", "file" };
    const char *before = "";

    if (!from)
        return;
    buf_addf(meta, "%s\"perigee/from\":[", meta->len ? "," : "");
    for (size_t i = 0; i < countof(names); i++)
        if (from >> i & 1) {
            buf_addf(meta, "%s\"%s\"", before, names[i]);
            before = ",";
        }
    buf_addc(meta, ']');
}

static void add_hidden(struct buf *meta, size_t hidden)
{
    if (hidden)
        buf_addf(meta, "%s\"perigee/hidden\":%zu", meta->len ? "," : "", hidden);
}

void outcome_write_marks(const struct outcome *outcome, size_t hidden, struct buf *meta)
{
    add_stale(meta, outcome->entry);
    add_sources(meta, outcome->from);
    if (outcome->ref)
        buf_addf(meta, "%s\"perigee/ref\":\"r%u\"", meta->len ? "," : "", outcome->ref);
    add_dry_run(meta);
    add_hidden(meta, hidden);
}

bool outcome_write(const struct outcome *outcome, struct buf *out, struct buf *meta, bool any_value)
{
    struct result_write w = {
        .outcome = outcome, .out = out, .meta = meta, .any_value = any_value
    };
    const struct error *err = &outcome->err;
    size_t len, from = out->len;
    const char *text;

    if (!outcome->failed) {
        write_success(&w);
    } else if (outcome->value) { /* the tool's own message, whole */
        text = lua_tolstring(outcome->L, outcome->value, &len);
        outcome_write_error(outcome->entry, out, meta, text, len, err->code);
        if (outcome->meta && !write_safely(&w, outcome->meta))
            log_error("%s", w.err.text);
    } else {
        outcome_write_error(outcome->entry, out, meta, err->text, strlen(err->text), err->code);
    }
    outcome_write_marks(outcome, 0, meta);
    if (outcome->written)
        *outcome->written =
            (struct outcome_written){ out->len - from, outcome->failed || w.is_error };
    return outcome->failed || w.is_error;
}

bool outcome_show(const struct outcome *outcome, struct buf *out, struct buf *meta, bool any_value)
{
    size_t from = out->len;
    bool is_error = outcome_write(outcome, out, meta, any_value);
    size_t hidden = json_show_from(out, from) + json_show_from(meta, 0), len = out->len - from;

    json_drop_marks(out->data + from, &len);
    out->len = from + len;
    add_hidden(meta, hidden);
    return is_error;
}

void outcome_write_object(const struct outcome *outcome, struct buf *out)
{
    struct buf meta = { 0 };

    buf_addc(out, '{');
    outcome_write(outcome, out, &meta, true);
    if (meta.len) {
        buf_lit(out, ",\"_meta\":{");
        buf_add(out, meta.data, meta.len);
        buf_addc(out, '}');
    }
    buf_addc(out, '}');
    buf_free(&meta);
}
