#include <fcntl.h>
#include <glob.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "script/bind.h"
#include "sys/sys.h"

enum { HEAD_BYTES = 4096 };

static void push_found(lua_State *L, const char *path)
{
    char real[PATH_MAX], head[HEAD_BYTES];
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t len = read(fd, head, sizeof head);

    if (fd >= 0)
        close(fd);
    lua_createtable(L, 0, 4); /* found */
    lua_pushstring(L, path);
    lua_setfield(L, -2, "path");
    lua_pushstring(L, realpath(path, real));
    lua_setfield(L, -2, "real");
    lua_pushlstring(L, head, len > 0 ? (size_t)len : 0);
    lua_setfield(L, -2, "head");
    lua_pushboolean(L, access(path, X_OK) == 0);
    lua_setfield(L, -2, "runs");
}

int sys_files_look(lua_State *L)
{
    const char *pattern = luaL_checkstring(L, 1);
    struct buf *paths = bind_buffer(L);
    glob_t found = { 0 };

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            buf_add(paths, found.gl_pathv[i], strlen(found.gl_pathv[i]) + 1);
    }
    globfree(&found);
    lua_newtable(L);
    for (size_t at = 0; at < paths->len; at += strlen(paths->data + at) + 1) {
        push_found(L, paths->data + at);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}
