/* See result.h. */
#include "sys/process/result.h"

#include <string.h>

void process_push_result(lua_State *L, const struct process_result *result)
{
    lua_createtable(L, 0, 6);
    lua_pushinteger(L, result->term_signal ? result->term_signal : result->exit_code);
    lua_setfield(L, -2, result->term_signal ? "signal" : "code");
    lua_pushboolean(L, result->truncated);
    lua_setfield(L, -2, "truncated");
    lua_pushnumber(L, (lua_Number)result->elapsed_ms / 1000);
    lua_setfield(L, -2, "elapsed");
}

struct str process_last_words(const struct buf *errors)
{
    enum { MOST = 200 };
    struct str last = { errors->len ? errors->data : "", errors->len };
    const char *line;

    while (last.len > 0 && strchr("\r\n\t ", last.ptr[last.len - 1]))
        last.len--;
    for (line = last.ptr + last.len; line > last.ptr && line[-1] != '\n';)
        line--;
    last.len -= (size_t)(line - last.ptr);
    last.ptr = line;
    if (last.len > MOST)
        last.len = MOST;
    return last;
}
