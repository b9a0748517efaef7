#include "sys/policy_approvals.h"

#include <dirent.h>
#include <errno.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dry_run.h"
#include "files/file.h"
#include "files/paths.h"
#include "script/bind.h"

enum { ID_BYTES = 64, APPROVAL_BYTES = 64 * 1024, APPROVALS_BYTES = 1024 * 1024 };

static const char *check_approval_id(lua_State *L, int arg)
{
    size_t len;
    const char *id = luaL_checklstring(L, arg, &len);

    luaL_argcheck(L, len > 0 && len <= ID_BYTES && strspn(id, "0123456789abcdef") == len, arg,
                  "expected 1 to 64 of 0-9 and a-f");
    return id;
}

static char *approvals_folder(void)
{
    char *state = path_state(), *folder = path_join(state, "approvals");

    free(state);
    return folder;
}

/* sys.policy.approve(id, text) */
static int policy_approve(lua_State *L)
{
    const char *id = check_approval_id(L, 1);
    size_t len;
    const char *text = luaL_checklstring(L, 2, &len);
    char *folder, *path;
    struct error err;
    bool ok;

    if (dry_run_refuses(&err, "keep approvals"))
        return bind_error(L, &err);
    folder = approvals_folder();
    if (len > APPROVAL_BYTES) {
        free(folder);
        return bind_fail(L, "too_large", "an approval has at most %d bytes", APPROVAL_BYTES);
    }
    path = path_join(folder, id);
    ok = folder_make(folder, &err) && file_write_atomic(path, text, len, 0600, &err);
    free(path);
    free(folder);
    lua_pushboolean(L, ok);
    return ok ? 1 : bind_error(L, &err);
}

/* sys.policy.approval(id) -> text | nil, text, code */
static int policy_approval(lua_State *L)
{
    const char *id = check_approval_id(L, 1);
    char *folder = approvals_folder(), *path = path_join(folder, id);
    struct buf text = { 0 };
    struct error err;
    struct stat st;
    bool ok = lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
              !(st.st_mode & 077);

    if (!ok)
        error_set(&err, "not_found", "nothing of this kind was approved");
    else
        ok = file_read_all(path, APPROVAL_BYTES, &text, &err);
    free(path);
    free(folder);
    if (ok)
        lua_pushlstring(L, text.len ? text.data : "", text.len);
    buf_free(&text);
    return ok ? 1 : bind_error(L, &err);
}

/* sys.policy.revoke(id) -> true if there was one | nil, text, code */
static int policy_revoke(lua_State *L)
{
    const char *id = check_approval_id(L, 1);
    char *folder, *path;
    struct error err;
    int failure;

    if (dry_run_refuses(&err, "revoke approvals"))
        return bind_error(L, &err);
    folder = approvals_folder();
    path = path_join(folder, id);
    failure = unlink(path) == 0 ? 0 : errno;
    free(folder);
    if (failure && failure != ENOENT) {
        error_errno(&err, failure, "cannot remove %s", path);
        free(path);
        return bind_error(L, &err);
    }
    free(path);
    lua_pushboolean(L, !failure);
    return 1;
}

/* sys.policy.approvals() -> the ids, one in each line */
static int policy_approvals(lua_State *L)
{
    char *folder = approvals_folder();
    DIR *dir = opendir(folder);
    struct buf *names = bind_buffer(L);
    struct dirent *entry;

    free(folder);
    while (dir && names->len < APPROVALS_BYTES && (entry = readdir(dir))) {
        size_t len = strlen(entry->d_name);

        if (len <= ID_BYTES && strspn(entry->d_name, "0123456789abcdef") == len)
            buf_addf(names, "%s\n", entry->d_name);
    }
    if (dir)
        closedir(dir);
    lua_pushlstring(L, names->len ? names->data : "", names->len);
    buf_free(names);
    return 1;
}

static const luaL_Reg policy_funcs[] = { { "approval", policy_approval },
                                         { "approvals", policy_approvals },
                                         { "approve", policy_approve },
                                         { "revoke", policy_revoke },
                                         { NULL, NULL } };

void policy_add_approvals(lua_State *L)
{
    luaL_setfuncs(L, policy_funcs, 0);
}
