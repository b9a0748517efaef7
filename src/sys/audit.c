/* sys.audit -- the audit log, to be read: its files, pieces of them, and waiting for more. */
#include "audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/log_files.h"
#include "files/file.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/wait_line.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

#define WATCH "sys.audit.Watch"

enum { READ_MOST = 1 << 20, WAIT_SECONDS_MAX = 86400 };

struct read_work {
    struct thread_call call;
    struct log_files files;
    char name[64], id[48]; /* the file to read */
    off_t offset;
    size_t max;
    struct buf data;
};

static void audit_work_clear(struct thread_call *call)
{
    struct read_work *work = container_of(call, struct read_work, call);

    log_files_free(&work->files);
    buf_free(&work->data);
}

static void write_id(char id[48], dev_t device, ino_t inode)
{
    snprintf(id, 48, "%llx:%llx", (unsigned long long)device, (unsigned long long)inode);
}

/* --- sys.audit.files() --------------------------------------------------------------- */

static bool audit_work_list(struct thread_call *call, struct error *err)
{
    struct read_work *work = container_of(call, struct read_work, call);
    char *folder = audit_folder();
    bool ok = log_files_list(folder, &work->files, err);

    free(folder);
    return ok;
}

static int push_log_files(lua_State *L, struct thread_call *call)
{
    const struct log_files *files = &container_of(call, struct read_work, call)->files;
    char id[48];

    lua_createtable(L, (int)files->count, 0); /* list */
    for (size_t i = 0; i < files->count; i++) {
        const struct log_file *file = &files->items[i];

        lua_createtable(L, 0, 4); /* list, file */
        lua_pushstring(L, file->name);
        lua_setfield(L, -2, "name");
        write_id(id, file->device, file->inode);
        lua_pushstring(L, id);
        lua_setfield(L, -2, "id");
        lua_pushinteger(L, (lua_Integer)file->size);
        lua_setfield(L, -2, "size");
        lua_pushboolean(L, file->own);
        lua_setfield(L, -2, "own");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    value_mark_array(L, -1);
    return 1;
}

static int audit_files(lua_State *L)
{
    struct read_work *work = thread_call_new(L, sizeof *work, audit_work_clear);

    work->call.run = audit_work_list;
    work->call.push = push_log_files;
    return thread_call_in_pool(L, &work->call);
}

/* --- sys.audit.read(file, offset, max) ------------------------------------------------- */

static bool read_piece(struct read_work *work, int fd)
{
    ssize_t n;

    do
        n = pread(fd, buf_reserve(&work->data, work->max), work->max, work->offset);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_errno(&work->call.err, errno, "cannot read %s of the audit log", work->name);
    work->data.len = (size_t)n;
    return true;
}

static bool audit_work_read(struct thread_call *call, struct error *err)
{
    struct read_work *work = container_of(call, struct read_work, call);
    char *folder = audit_folder(), *path = path_join(folder, work->name), id[48] = "";
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int why = fd < 0 ? errno : 0;
    struct stat st;
    bool ok = false;

    if (fd >= 0 && fstat(fd, &st) == 0)
        write_id(id, st.st_dev, st.st_ino);
    if (why && why != ENOENT)
        error_errno(err, why, "cannot read \"%s\"", path);
    else if (strcmp(id, work->id) != 0)
        error_set(err, "moved", "%s of the audit log is another file now", work->name);
    else
        ok = read_piece(work, fd);
    if (fd >= 0)
        close(fd);
    free(path);
    free(folder);
    return ok;
}

static int push_log_data(lua_State *L, struct thread_call *call)
{
    const struct buf *data = &container_of(call, struct read_work, call)->data;

    lua_pushlstring(L, data->len ? data->data : "", data->len);
    return 1;
}

static int audit_read(lua_State *L)
{
    lua_Integer offset = luaL_checkinteger(L, 2), max = luaL_checkinteger(L, 3);
    const char *name, *id;
    struct read_work *work;

    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argcheck(L, offset >= 0, 2, "expected 0 or more");
    luaL_argcheck(L, max > 0 && max <= READ_MOST, 3, "expected 1 to 1048576 bytes");
    name = bind_text(L, 1, "name", NULL);
    id = bind_text(L, 1, "id", NULL);
    luaL_argcheck(L, name && id && !strchr(name, '/') && strlen(name) < sizeof work->name, 1,
                  "expected a file of sys.audit.files()");
    work = thread_call_new(L, sizeof *work, audit_work_clear);
    snprintf(work->name, sizeof work->name, "%s", name);
    snprintf(work->id, sizeof work->id, "%s", id);
    work->offset = (off_t)offset;
    work->max = (size_t)max;
    work->call.run = audit_work_read;
    work->call.push = push_log_data;
    return thread_call_in_pool(L, &work->call);
}

/* --- sys.audit.watch() ---------------------------------------------------------------- */

struct folder_watch {
    uv_fs_event_t handle;
    struct watch *watch; /* NULL: closing */
};

struct watch {
    struct folder_watch *folder; /* NULL: closed */
    bool changed;
    struct wait_line line;
};

static void on_audit_folder_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct watch *watch = ((struct folder_watch *)handle->data)->watch;

    (void)name;
    (void)events;
    (void)status;
    if (!watch)
        return;
    watch->changed = true;
    wait_line_wake(&watch->line);
}

static void on_folder_closed(uv_handle_t *handle)
{
    free(handle->data);
}

/* watch:close(), and its __close and __gc */
static int watch_close(lua_State *L)
{
    struct watch *watch = luaL_checkudata(L, 1, WATCH);

    if (watch->folder) {
        watch->folder->watch = NULL;
        uv_close((uv_handle_t *)&watch->folder->handle, on_folder_closed);
        watch->folder = NULL;
    }
    wait_line_wake_all(&watch->line);
    return 0;
}

static bool watch_start(struct watch *watch, uv_loop_t *loop, struct error *err)
{
    char *path = audit_folder();
    int status = folder_make(path, err) ? 0 : -1;

    if (status == 0) {
        watch->folder = mem_zero(sizeof *watch->folder);
        watch->folder->watch = watch;
        watch->folder->handle.data = watch->folder;
        uv_fs_event_init(loop, &watch->folder->handle);
        status = uv_fs_event_start(&watch->folder->handle, on_audit_folder_event, path, 0);
        if (status != 0)
            error_set(err, "io_error", "cannot watch \"%s\": %s", path, uv_strerror(status));
    }
    free(path);
    return status == 0;
}

/* sys.audit.watch() -> watch */
static int audit_watch(lua_State *L)
{
    struct watch *watch;
    struct error err;

    task_here(L);
    watch = lua_newuserdatauv(L, sizeof *watch, 0);
    *watch = (struct watch){ 0 };
    list_init(&watch->line.places);
    luaL_setmetatable(L, WATCH);
    return watch_start(watch, vm_loop(vm_of(L)), &err) ? 1 : bind_error(L, &err);
}

static int take_change(lua_State *L, enum wait_turn turn)
{
    struct watch *watch = luaL_checkudata(L, 1, WATCH);

    if (turn == WAIT_BUSY)
        return bind_fail(L, "busy", "another task waits with this");
    if (turn == WAIT_TRY && !watch->changed && watch->folder)
        return 0;
    lua_pushboolean(L, watch->changed);
    watch->changed = false;
    return 1;
}

/* watch:wait(seconds) -> true if something changed since the last wait */
static int watch_wait(lua_State *L)
{
    static const struct wait_kind kind = { "a new line of the audit log", take_change, false };
    struct watch *watch = luaL_checkudata(L, 1, WATCH);
    uint64_t ms = bind_milliseconds(L, 2, WAIT_SECONDS_MAX, WAIT_SECONDS_MAX);

    return wait_in_line(L, &watch->line, &kind, 0, ms);
}

static const luaL_Reg watch_methods[] = { { "close", watch_close },
                                          { "wait", watch_wait },
                                          { NULL, NULL } };

static const luaL_Reg audit_funcs[] = {
    { "files", audit_files }, { "read", audit_read }, { "watch", audit_watch }, { NULL, NULL }
};

int luaopen_sys_audit(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", watch_close },
                                     { "__gc", watch_close },
                                     { NULL, NULL } };

    bind_metatable(L, WATCH, meta, watch_methods);
    luaL_newlib(L, audit_funcs);
    return 1;
}
