/* sys.events.files -- what changes in folders: libuv's uv_fs_event_t, which is inotify, kqueue or
 * FSEvents. It tells names, and not what became of them: lua/lib/events/files.lua looks at the
 * files. */
#include <lauxlib.h>
#include <stdlib.h>

#include "base/list.h"
#include "files/grants.h"
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
    char *name; /* owned; NULL: the system does not say which, or (gone) it is the folder itself */
    bool named; /* a name came, went, or is another file's now; else the file's content or rights */
    bool gone;  /* the folder is not watched any more */
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

static void free_changed(struct changed *changed)
{
    free(changed->name);
    free(changed);
}

static struct changed *take_changed(struct files *files)
{
    struct link *link = list_pop(&files->names);

    files->count -= link != NULL;
    return link ? container_of(link, struct changed, link) : NULL;
}

/* True if the newest change says the same: many in a row are one. */
static bool is_last_change(const struct files *files, const struct changed *now)
{
    const struct changed *last;

    if (list_empty(&files->names))
        return false;
    last = container_of(files->names.prev, struct changed, link);
    return last->folder == now->folder && last->named == now->named && last->gone == now->gone &&
           last->name && now->name && strcmp(last->name, now->name) == 0;
}

static void add_changed(struct files *files, struct changed now)
{
    struct changed *copy;

    if (files->count == NAMES_MAX) {
        files->dropped++; /* a slow reader lists the folders again */
    } else if (!is_last_change(files, &now)) {
        copy = mem_alloc(sizeof *copy);
        *copy = now;
        copy->name = now.name ? mem_strdup(now.name) : NULL;
        list_push(&files->names, &copy->link);
        files->count++;
    }
    wait_line_wake(&files->line);
}

static void on_file_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct folder *folder = container_of(handle, struct folder, handle);

    if (folder->files)
        add_changed(folder->files, (struct changed){ .folder = folder->number,
                                                     .name = (char *)(uintptr_t)name,
                                                     .named = events & UV_RENAME,
                                                     .gone = status != 0 });
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
        free_changed(changed);
    files->closed = true;
    wait_line_wake_all(&files->line);
    return 0;
}

static int push_changed(lua_State *L, struct files *files)
{
    struct changed *changed = take_changed(files);

    lua_pushinteger(L, changed->folder);
    lua_pushstring(L, changed->gone || !changed->name ? "" : changed->name);
    lua_pushstring(L, changed->gone ? "gone" : changed->named ? "name" : "content");
    free_changed(changed);
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

/* Puts the real path of the argument, a granted folder, into an empty buffer. Sets err if it
 * fails. */
static bool find_folder(lua_State *L, int arg, struct buf *out, struct error *err)
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    struct fs_place place;
    struct str path;

    path.ptr = luaL_checklstring(L, arg, &path.len);
    if (!grants)
        return error_set(err, "not_granted", "no directory is granted to scripts");
    if (!fs_locate(grants, path, FS_FOLLOW, &place, err))
        return false;
    buf_adds(out, place.path);
    fs_place_close(&place);
    return true;
}

/* files:add(path) -> number | nil, text, code */
static int files_add(lua_State *L)
{
    struct files *files = check_files(L);
    struct buf *path = bind_buffer(L);
    struct folder *folder;
    struct error err;
    int status;

    if (files->closed)
        return bind_fail(L, "closed", "it was closed");
    if (!find_folder(L, 2, path, &err))
        return bind_error(L, &err);
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
