/* sys.events.files -- what changes in folders: libuv's uv_fs_event_t, which is inotify, kqueue or
 * FSEvents. It tells names, and not what became of them: lua/lib/events/files.lua looks at the
 * files. */
#include <lauxlib.h>
#include <stdlib.h>

#include "base/list.h"
#include "files/granted.h"
#include "script/bind.h"
#include "script/vm.h"
#include "script/wait_line.h"
#include "sys/events/files.h"
#include "sys/sys.h"

#define FILES "sys.events.Files"

enum { NAMES_MAX = 10000 };

struct changed {
    struct link link;
    lua_Integer folder;
    const char *what; /* "name": one came, went, or is another file's now; "content": a file's, or
                       * its rights; "gone": the folder is not watched any more */
    char name[];      /* "": the system does not say which, or it is the folder itself */
};

/* Outlives the userdata until libuv has closed the handle. */
struct folder {
    uv_fs_event_t handle;
    struct link link;
    lua_Integer number;
    struct files *files; /* NULL: nobody listens */
};

struct files {
    bool closed;
    struct link folders, names;
    lua_Integer last; /* number of a folder */
    size_t count, dropped;
    struct wait_line line;
};

static struct files *check_files(lua_State *L)
{
    return luaL_checkudata(L, 1, FILES);
}

/* --- changes --------------------------------------------------------------------------------- */

static struct changed *take_changed(struct files *files)
{
    struct link *link = list_pop(&files->names);

    files->count -= link != NULL;
    return link ? container_of(link, struct changed, link) : NULL;
}

/* True if the newest change says the same: many in a row are one. */
static bool is_last_change(const struct files *files, const struct changed *now)
{
    const struct changed *last = container_of(files->names.prev, struct changed, link);

    return !list_empty(&files->names) && last->folder == now->folder && last->what == now->what &&
           *now->name && strcmp(last->name, now->name) == 0;
}

static void add_changed(struct files *files, struct changed *now)
{
    if (files->count < NAMES_MAX && !is_last_change(files, now)) {
        list_push(&files->names, &now->link);
        files->count++;
    } else {
        files->dropped += files->count == NAMES_MAX; /* a slow reader lists the folders again */
        free(now);
    }
    wait_line_wake(&files->line);
}

static void on_file_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct folder *folder = container_of(handle, struct folder, handle);
    const char *at = status == 0 && name ? name : "";
    struct changed *now;

    if (!folder->files)
        return;
    now = mem_zero(sizeof *now + strlen(at) + 1);
    now->folder = folder->number;
    now->what = status ? "gone" : events & UV_RENAME ? "name" : "content";
    memcpy(now->name, at, strlen(at));
    add_changed(folder->files, now);
}

static void folder_free(uv_handle_t *handle)
{
    free(container_of((uv_fs_event_t *)handle, struct folder, handle));
}

static void folder_leave(struct folder *folder)
{
    list_remove(&folder->link);
    folder->files = NULL;
    uv_close((uv_handle_t *)&folder->handle, folder_free);
}

/* --- methods ---------------------------------------------------------------------------------- */

static int files_close(lua_State *L)
{
    struct files *files = check_files(L);
    struct changed *changed;

    list_each (link, &files->folders)
        folder_leave(container_of(link, struct folder, link));
    while ((changed = take_changed(files)))
        free(changed);
    files->closed = true;
    wait_line_wake_all(&files->line);
    return 0;
}

static int push_changed(lua_State *L, struct files *files)
{
    struct changed *changed = take_changed(files);

    lua_pushinteger(L, changed->folder);
    lua_pushstring(L, changed->name);
    lua_pushstring(L, changed->what);
    free(changed);
    return 3;
}

static int next_name(lua_State *L, enum wait_turn turn)
{
    struct files *files = check_files(L);

    if (turn == WAIT_BUSY)
        return bind_fail(L, "busy", "another task is waiting for these changes");
    if (files->closed)
        return bind_fail(L, "closed", "it was closed");
    if (files->dropped) {
        files->dropped = 0;
        return bind_fail(L, "dropped", "more changed than could be kept");
    }
    if (files->count)
        return push_changed(L, files);
    return turn == WAIT_LATE ? bind_fail(L, "timeout", "nothing changed in time") : 0;
}

/* files:next([seconds]) -> folder, name, what | nil, text, code */
static int files_next(lua_State *L)
{
    static const struct wait_kind kind = { "a change of files", next_name, false };

    return wait_in_line(L, &check_files(L)->line, &kind, 0, wait_argument(L, 2));
}

/* files:add(path) -> number | nil, text, code */
static int files_add(lua_State *L)
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    struct files *files = check_files(L);
    struct buf *path = bind_buffer(L);
    struct folder *folder;
    struct str given;
    struct error err;
    char *real;
    int status;

    if (files->closed)
        return bind_fail(L, "closed", "it was closed");
    if (!grants)
        return bind_fail(L, "not_granted", "no directory is granted to scripts");
    given.ptr = luaL_checklstring(L, 2, &given.len);
    real = fs_resolve(grants, given, false, &err);
    if (!real)
        return bind_error(L, &err);
    buf_adds(path, real);
    free(real);
    folder = mem_zero(sizeof *folder);
    folder->number = ++files->last;
    folder->files = files;
    list_push(&files->folders, &folder->link);
    uv_fs_event_init(vm_loop(vm_of(L)), &folder->handle);
    uv_unref((uv_handle_t *)&folder->handle);
    status = uv_fs_event_start(&folder->handle, on_file_event, buf_text(path), 0);
    if (status == 0) {
        lua_pushinteger(L, folder->number);
        return 1;
    }
    folder_leave(folder);
    if (status == UV_ENOSPC)
        return bind_fail(L, "too_many",
                         "the system watches no more directories (fs.inotify.max_user_watches)");
    return bind_fail(L, status == UV_ENOENT ? "not_found" : "cannot_watch", "cannot watch %s: %s",
                     buf_text(path), uv_strerror(status));
}

/* files:remove(number) */
static int files_remove(lua_State *L)
{
    struct files *files = check_files(L);
    lua_Integer number = luaL_checkinteger(L, 2);

    list_each (link, &files->folders) {
        struct folder *folder = container_of(link, struct folder, link);

        if (folder->number == number)
            folder_leave(folder);
    }
    return 0;
}

int events_files(lua_State *L)
{
    struct files *files = lua_newuserdatauv(L, sizeof *files, 0);

    *files = (struct files){ .closed = false };
    list_init(&files->folders);
    list_init(&files->names);
    list_init(&files->line.places);
    luaL_setmetatable(L, FILES);
    return 1;
}

void events_files_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", files_close },
                                     { "__gc", files_close },
                                     { NULL, NULL } };
    static const luaL_Reg files_methods[] = { { "add", files_add },
                                              { "close", files_close },
                                              { "next", files_next },
                                              { "remove", files_remove },
                                              { NULL, NULL } };

    bind_metatable(L, FILES, meta, files_methods);
}
