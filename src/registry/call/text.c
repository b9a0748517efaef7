/* The budget of a result's texts. */
#include "registry/call/text.h"

#include <lauxlib.h>
#include <stdio.h>

#include "json/utf8.h"
#include "json/writer.h"
#include "registry/call/outcome.h"
#include "script/value.h"

size_t text_cap(size_t cap)
{
    return cap && cap < OUTCOME_BYTES ? cap : OUTCOME_BYTES;
}

/* How to get at the rest, by what the tool takes. */
static const char *hint_for_rest(struct entry *entry)
{
    const cJSON *properties =
        entry ? json_get(json_get(entry_definition(entry), "inputSchema"), "properties") : NULL;

    if (json_get(properties, "offset"))
        return "call it again with offset= for the rest";
    if (json_get(properties, "page_size"))
        return "call it again with a smaller page_size=, then with page_token= for the rest";
    return "ask for less, or call it from run_lua and return only what you need";
}

/* The mark behind the first `kept` bytes of a text. */
struct note {
    char text[160];
};

static struct note truncation_note(size_t kept, size_t len, struct entry *entry)
{
    struct note note;

    snprintf(note.text, sizeof note.text, "\n[truncated: %zu more bytes of %zu; %s]", len - kept,
             len, hint_for_rest(entry));
    return note;
}

void text_write_block(struct buf *out, const char *text, size_t len, size_t cap,
                      struct entry *entry)
{
    cap = text_cap(cap);
    buf_lit(out, "{\"type\":\"text\",\"text\":");
    if (UNLIKELY(len > cap)) {
        size_t kept = utf8_cut(text, len, cap);
        struct buf whole = { 0 };

        buf_add(&whole, text, kept);
        buf_adds(&whole, truncation_note(kept, len, entry).text);
        json_write_string(out, whole.data, whole.len);
        buf_free(&whole);
    } else {
        json_write_string(out, text, len);
    }
    buf_addc(out, '}');
}

/* The text of the block at this index, borrowed of it; NULL: a block of another kind. */
static const char *block_text(lua_State *L, int block, size_t *len)
{
    const char *text = NULL;

    if (lua_istable(L, block)) {
        if (lua_getfield(L, block, "text") == LUA_TSTRING)
            text = lua_tolstring(L, -1, len);
        lua_pop(L, 1);
    }
    return text;
}

/* block = copy of block, with its text cut; the tool may have kept the other */
static void cut_block(const struct outcome *outcome, lua_State *L, const char *text, size_t len,
                      size_t cap)
{
    int block = lua_gettop(L);
    size_t kept = utf8_cut(text, len, cap);

    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, block)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, block + 1);
    }
    lua_pushlstring(L, text, kept);
    lua_pushstring(L, truncation_note(kept, len, outcome->entry).text);
    lua_concat(L, 2);
    lua_setfield(L, block + 1, "text");
    lua_replace(L, block);
}

/* The bytes of all texts of the array on top. */
static size_t text_bytes(lua_State *L)
{
    size_t sum = 0, len;

    for (lua_Integer i = 1, n = luaL_len(L, -1); i <= n; i++) {
        lua_geti(L, -1, i);
        if (block_text(L, -1, &len))
            sum += len;
        lua_pop(L, 1);
    }
    return sum;
}

/* The array on top, when its texts are more than the cap that they share: those behind it are cut.
 * Blocks of other kinds go as they are. */
static bool write_cut_texts(const struct outcome *outcome, lua_State *L, struct buf *out,
                            struct error *err)
{
    size_t left = text_cap(outcome->cap), len;
    int content = lua_gettop(L);
    bool ok = true;

    buf_addc(out, '[');
    for (lua_Integer i = 1, n = luaL_len(L, content); ok && i <= n; i++) {
        const char *text;

        lua_geti(L, content, i);
        text = block_text(L, -1, &len);
        if (text && len > left)
            cut_block(outcome, L, text, len, left);
        if (text)
            left -= len < left ? len : left;
        if (i > 1)
            buf_addc(out, ',');
        ok = value_write_json(L, -1, out, err);
        lua_settop(L, content);
    }
    buf_addc(out, ']');
    return ok;
}

bool text_write_content(const struct outcome *outcome, lua_State *L, struct buf *out,
                        struct error *err)
{
    if (text_bytes(L) > text_cap(outcome->cap))
        return write_cut_texts(outcome, L, out, err);
    value_mark_array(L, -1);
    return value_write_json(L, -1, out, err);
}
