/* sys.picture_file -- looks at the path where a picture is to go, and makes temporary files for
 * pictures. The disk is asked on other threads. Calls that act for a client's code see only the
 * granted folders. */
#include "files/picture_file.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/dry_run.h"
#include "base/util.h"
#include "files/file.h"
#include "files/grants.h"
#include "script/bind.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { STALE_SECONDS = 3600, SWEPT_AT_ONCE = 1000 };

struct picture_work {
    struct thread_call call;
    char *path, *extension; /* owned; path is the info of a temporary file first */
    bool confined;          /* only what lies in these folders is looked at: */
    struct fs_grants grants;
    enum path_kind kind;
};

static struct picture_work *picture_work_of(struct thread_call *call)
{
    return container_of(call, struct picture_work, call);
}

static void picture_work_clear(struct thread_call *call)
{
    struct picture_work *work = picture_work_of(call);

    free(work->path);
    free(work->extension);
    fs_grants_free(&work->grants);
}

/* Reads a text without a NUL: a name with one would be cut unnoticed. */
static const char *check_picture_name(lua_State *L, int arg)
{
    size_t len;
    const char *text = luaL_checklstring(L, arg, &len);

    luaL_argcheck(L, strlen(text) == len, arg, "it contains a NUL byte");
    return text;
}

static struct picture_work *new_work(lua_State *L,
                                     bool (*run)(struct thread_call *, struct error *))
{
    const char *text = check_picture_name(L, 1);
    struct picture_work *work = thread_call_new(L, sizeof *work, picture_work_clear);

    work->call.run = run;
    work->path = mem_strdup(text);
    return work;
}

static bool swap_path(struct picture_work *work, char *path)
{
    free(work->path);
    work->path = path;
    return path != NULL;
}

/* Looks at the path through the grants. Without a grant the answer does not depend on what is
 * there. */
static bool look_granted(struct picture_work *work, struct error *err)
{
    struct fs_place place;

    if (!fs_locate(&work->grants, str_from(work->path), FS_FOLLOW | FS_GIVEN, &place, err)) {
        work->kind = PATH_FREE; /* its folder is missing */
        return strcmp(err->code, "not_found") == 0;
    }
    work->kind = path_look(place.path);
    fs_place_close(&place);
    return true;
}

static bool picture_work_look(struct thread_call *call, struct error *err)
{
    struct picture_work *work = picture_work_of(call);

    if (!swap_path(work, path_absolute(work->path, err)))
        return false;
    if (work->confined)
        return look_granted(work, err);
    work->kind = path_look(work->path);
    return true;
}

static int push_look(lua_State *L, struct thread_call *call)
{
    struct picture_work *work = picture_work_of(call);

    lua_createtable(L, 0, 2);
    lua_pushstring(L, work->path);
    lua_setfield(L, -2, "path");
    lua_pushstring(L, path_kind_name(work->kind));
    lua_setfield(L, -2, "kind");
    return 1;
}

/* sys.picture_file.look(path) -> {path, kind} | nil, text, code */
static int picture_file_look(lua_State *L)
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    struct picture_work *work = new_work(L, picture_work_look);

    work->call.push = push_look;
    work->confined = task_confined(task_current(L));
    if (work->confined && grants)
        fs_grants_copy(&work->grants, grants);
    return thread_call_in_pool(L, &work->call);
}

static bool picture_work_temporary(struct thread_call *call, struct error *err)
{
    struct picture_work *work = picture_work_of(call);

    temporary_sweep(STALE_SECONDS, SWEPT_AT_ONCE);
    return swap_path(work, temporary_make(work->path, work->extension, err));
}

static int push_path(lua_State *L, struct thread_call *call)
{
    lua_pushstring(L, picture_work_of(call)->path);
    return 1;
}

/* sys.picture_file.temporary(info, extension) -> path | nil, text, code */
static int picture_file_temporary(lua_State *L)
{
    const char *info = check_picture_name(L, 1), *extension = check_picture_name(L, 2);
    struct picture_work *work;
    struct error err;

    if (dry_run_refuses(&err, "write temporary files"))
        return bind_error(L, &err);
    luaL_argcheck(L, *info && !strchr(info, '/'), 1, "part of a file name expected");
    luaL_argcheck(L, *extension && !strchr(extension, '/'), 2, "file extension expected");
    work = new_work(L, picture_work_temporary);
    work->extension = mem_strdup(extension);
    work->call.push = push_path;
    return thread_call_in_pool(L, &work->call);
}

static bool picture_work_remove(struct thread_call *call, struct error *err)
{
    return dry_run() || temporary_remove(picture_work_of(call)->path, err);
}

static int picture_file_remove(lua_State *L)
{
    return thread_call_in_pool(L, &new_work(L, picture_work_remove)->call);
}

static const luaL_Reg picture_file_funcs[] = { { "look", picture_file_look },
                                               { "remove", picture_file_remove },
                                               { "temporary", picture_file_temporary },
                                               { NULL, NULL } };

int luaopen_sys_picture_file(lua_State *L)
{
    luaL_newlib(L, picture_file_funcs);
    return 1;
}
