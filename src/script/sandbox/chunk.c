#include "script/sandbox/chunk.h"

#include <lauxlib.h>
#include <stdio.h>

static bool push_chunk(lua_State *L, const char *name, struct str what, const char *mode,
                       struct error *err)
{
    char chunk[300];
    int status;

    snprintf(chunk, sizeof chunk, "@%s", name);
    status = luaL_loadbufferx(L, what.ptr ? what.ptr : "", what.len, chunk, mode);
    if (status == LUA_OK)
        return true; /* f */
    error_set(err, status == LUA_ERRMEM ? "memory" : "syntax", "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
    return false;
}

static struct str text_without(struct str text, size_t len)
{
    return (struct str){ text.ptr + len, text.len - len };
}

bool chunk_push(lua_State *L, const char *name, struct str text, struct error *err)
{
    if (text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0) /* some editors add it */
        text = text_without(text, 3);
    if (text.len && text.ptr[0] == '#') { /* a script's first line may name its interpreter */
        const char *end = memchr(text.ptr, '\n', text.len);

        text = text_without(text, end ? (size_t)(end - text.ptr) : text.len);
    }
    return push_chunk(L, name, text, "t", err);
}

bool chunk_push_code(lua_State *L, const char *name, struct str code, struct error *err)
{
    return push_chunk(L, name, code, "b", err);
}

static int add_code_bytes(lua_State *L, const void *bytes, size_t len, void *code)
{
    (void)L;
    buf_add(code, bytes, len);
    return 0;
}

bool chunk_compile(const char *name, struct str text, struct buf *code)
{
    lua_State *L = luaL_newstate(); /* its memory is nobody's who calls */
    bool ok = L && chunk_push(L, name, text, NULL);

    if (ok)
        lua_dump(L, add_code_bytes, code, 0); /* with its lines: errors name them */
    if (L)
        lua_close(L);
    return ok;
}
