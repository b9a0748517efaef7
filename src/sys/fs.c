/* sys.fs -- files under the granted folders.
 *
 * The system calls run on libuv's thread pool while the task is parked; each piece of work has its
 * own copy of the grants. */
#include "files/granted.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/dry_run.h"
#include "files/file.h"
#include "files/file_at.h"
#include "script/bind.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum {
    READ_MAX = 10 * 1024 * 1024,
    READ_MOST = 256 * 1024 * 1024,
    LIST_MOST = 100000,
    DIGEST_STEP = 1024 * 1024,
    DIGEST_STEPS = 16, /* before others that want the disk have their turn */
};

const char sys_grants_key;

#define APP_FOLDERS "sys.app_files.folders" /* the grants of those functions */

struct fs_work {
    struct thread_call call;
    struct fs_grants grants;
    char *path, *to; /* owned; to is NULL or the other path */
    size_t path_len, to_len;
    size_t max;
    bool replace;
    bool writes;      /* only what is granted for writing */
    mode_t mode;      /* for new files and folders */
    struct stat like; /* permissions and owner for a file that is written; no mode: none */
    bool loose;       /* a file that is written is not flushed */
    bool tighten;     /* an existing folder of the user's gets no more than the mode, too */
    struct buf data;  /* to write, or read */
    struct fs_entry entry;
    struct fs_listing listing;
    char *real;
    struct digest *digest; /* owned; NULL: no digest is wanted */
    int fd;                /* the file or folder; -1: not open */
};

/* --- the life of work ---------------------------------------------------------------- */

static struct fs_work *fs_work_of(struct thread_call *call)
{
    return container_of(call, struct fs_work, call);
}

static void fs_work_clear(struct thread_call *call)
{
    struct fs_work *work = fs_work_of(call);

    fs_grants_free(&work->grants);
    free(work->path);
    free(work->to);
    free(work->real);
    buf_free(&work->data);
    fs_listing_free(&work->listing);
    free(work->digest);
    if (work->fd >= 0)
        close(work->fd);
}

static int push_fs_failure(lua_State *L, struct thread_call *call)
{
    const struct fs_work *work = fs_work_of(call);
    const char *hint = "";

    if (strcmp(call->err.code, "not_granted") == 0 && !fs_grants_first(&work->grants))
        return bind_fail(L, "not_granted",
                         "no directory is granted to scripts. Start perigee with --grant DIR");
    if (strcmp(call->err.code, "not_granted") == 0)
        hint = ". Start perigee with --grant DIR to allow more";
    return bind_fail(L, call->err.code, "%s%s", call->err.text, hint);
}

static char *take_path(lua_State *L, int arg, size_t *len)
{
    const char *path = luaL_checklstring(L, arg, len);
    char *copy = mem_alloc(*len + 1);

    memcpy(copy, path, *len + 1);
    return copy;
}

/* Pushes work with the path at 1. Raises only before it has made anything, so callers check all
 * arguments first. The functions of sys.app_files have grants of their own. */
static struct fs_work *push_fs_work(lua_State *L, bool (*run)(struct thread_call *, struct error *))
{
    const struct fs_grants *grants = luaL_testudata(L, lua_upvalueindex(1), APP_FOLDERS);
    struct fs_work *work;

    if (!grants)
        grants = vm_service(L, &sys_grants_key);
    luaL_checkstring(L, 1);
    work = thread_call_new(L, sizeof *work, fs_work_clear);
    work->call.run = run;
    work->call.fail = push_fs_failure;
    work->path = take_path(L, 1, &work->path_len);
    work->fd = -1;
    if (grants)
        fs_grants_copy(&work->grants, grants);
    return work;
}

static struct str fs_work_path(const struct fs_work *work)
{
    return (struct str){ work->path, work->path_len };
}

static struct str fs_work_to(const struct fs_work *work)
{
    return (struct str){ work->to, work->to_len };
}

/* --- reading --------------------------------------------------------------------- */

static bool fs_work_read(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    return fs_read(&work->grants, fs_work_path(work), work->max, &work->data, err);
}

static int push_fs_data(lua_State *L, struct thread_call *call)
{
    struct fs_work *work = fs_work_of(call);

    lua_pushlstring(L, work->data.len ? work->data.data : "", work->data.len);
    return 1;
}

/* sys.fs.read(path [, max_bytes]) -> bytes | nil, text, code */
static int fs_read_(lua_State *L)
{
    lua_Integer max = luaL_optinteger(L, 2, READ_MAX);
    struct fs_work *work;

    luaL_argcheck(L, max > 0 && max <= READ_MOST, 2, "expected 1 to 268435456 bytes");
    work = push_fs_work(L, fs_work_read);
    work->max = (size_t)max;
    work->call.push = push_fs_data;
    return thread_call_in_pool(L, &work->call);
}

static void push_fs_entry(lua_State *L, const struct fs_entry *entry, const char *name)
{
    lua_createtable(L, 0, 4);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, fs_kind_name(entry->kind));
    lua_setfield(L, -2, "kind");
    lua_pushinteger(L, (lua_Integer)entry->size);
    lua_setfield(L, -2, "size");
    lua_pushnumber(L, (lua_Number)entry->modified_ms / 1000);
    lua_setfield(L, -2, "modified");
}

static bool fs_work_list(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    if (!fs_list(&work->grants, fs_work_path(work), LIST_MOST, &work->listing, err))
        return false;
    return !work->listing.truncated ||
           error_set(err, "too_large", "\"%s\" contains more than %d files", work->path, LIST_MOST);
}

static int push_listing(lua_State *L, struct thread_call *call)
{
    struct fs_work *work = fs_work_of(call);

    lua_createtable(L, (int)work->listing.count, 0); /* list */
    for (size_t i = 0; i < work->listing.count; i++) {
        push_fs_entry(L, &work->listing.entries[i], work->listing.entries[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int fs_list_(lua_State *L)
{
    struct fs_work *work = push_fs_work(L, fs_work_list);

    work->call.push = push_listing;
    return thread_call_in_pool(L, &work->call);
}

static bool fs_work_stat(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    return fs_stat(&work->grants, fs_work_path(work), &work->entry, err);
}

static int push_stat(lua_State *L, struct thread_call *call)
{
    struct fs_work *work = fs_work_of(call);
    size_t len = work->path_len;

    while (len > 1 && work->path[len - 1] == '/')
        work->path[--len] = '\0';
    push_fs_entry(L, &work->entry, path_name(work->path));
    lua_pushinteger(L, work->entry.mode & 0777);
    lua_setfield(L, -2, "mode");
    lua_pushinteger(L, work->entry.uid);
    lua_setfield(L, -2, "uid");
    lua_pushinteger(L, work->entry.gid);
    lua_setfield(L, -2, "gid");
    return 1;
}

static int fs_stat_(lua_State *L)
{
    struct fs_work *work = push_fs_work(L, fs_work_stat);

    work->call.push = push_stat;
    return thread_call_in_pool(L, &work->call);
}

static bool fs_work_resolve(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    work->real = fs_resolve(&work->grants, fs_work_path(work), work->writes, err);
    return work->real != NULL;
}

static int push_real(lua_State *L, struct thread_call *call)
{
    struct fs_work *work = fs_work_of(call);

    lua_pushstring(L, work->real);
    return 1;
}

static int fs_resolve_(lua_State *L)
{
    static const char *const fields[] = { "write", NULL };
    struct fs_work *work;
    bool writes;

    desktop_check_options(L, 2, fields);
    writes = bind_flag(L, 2, "write");
    work = push_fs_work(L, fs_work_resolve);
    work->writes = writes;
    work->call.push = push_real;
    return thread_call_in_pool(L, &work->call);
}

/* --- digests ---------------------------------------------------------------------- */

/* A few steps of the file each time. */
static bool fs_work_digest(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);
    ssize_t read = 1;

    if (work->fd < 0)
        work->fd = fs_open(&work->grants, fs_work_path(work), err);
    if (work->fd < 0)
        return false;
    for (int i = 0; read > 0 && i < DIGEST_STEPS; i++) {
        work->data.len = 0;
        read = file_read_some(work->fd, DIGEST_STEP, &work->data);
        if (read > 0)
            digest_add(work->digest, buf_str(&work->data));
    }
    call->more = read > 0;
    return read >= 0 || error_errno(err, errno, "cannot read \"%s\"", work->path);
}

static int push_hex(lua_State *L, struct thread_call *call)
{
    struct fs_work *work = fs_work_of(call);
    unsigned char digest[DIGEST_MAX];

    work->data.len = 0;
    buf_hex(&work->data, digest, digest_end(work->digest, digest));
    return push_fs_data(L, call);
}

/* sys.fs.digest(path [, algorithm]) -> digits | nil, text, code */
static int fs_digest_(lua_State *L)
{
    static const char *const names[] = {
        [DIGEST_MD5] = "md5",       [DIGEST_SHA1] = "sha1",   [DIGEST_SHA256] = "sha256",
        [DIGEST_SHA512] = "sha512", [DIGEST_CRC32] = "crc32", NULL
    };
    enum digest_kind kind = (enum digest_kind)luaL_checkoption(L, 2, "sha256", names);
    struct fs_work *work = push_fs_work(L, fs_work_digest);

    work->digest = mem_alloc(sizeof *work->digest);
    work->call.push = push_hex;
    if (!digest_begin(work->digest, kind, NULL, &work->call.err))
        return bind_error(L, &work->call.err);
    return thread_call_in_pool(L, &work->call);
}

/* --- changing -------------------------------------------------------------------- */

static bool fs_work_write(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);
    struct fs_write_options options = { .make_parents = true,
                                        .loose = work->loose,
                                        .like = S_ISREG(work->like.st_mode) ? &work->like : NULL };

    return fs_write_atomic(&work->grants, fs_work_path(work), buf_str(&work->data), &options, err);
}

static bool fs_work_append(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    return fs_append(&work->grants, fs_work_path(work), buf_str(&work->data), work->mode, err);
}

/* In a dry run: nil, text, code for what was not done. 0: go on. */
static int refuse_in_dry_run(lua_State *L, const char *verb)
{
    struct error err;

    return dry_run_refuses(&err, "%s \"%.250s\"", verb, luaL_checkstring(L, 1))
               ? bind_error(L, &err)
               : 0;
}

/* Permissions, and an owner, for `like`: none without a mode. */
static struct stat read_like(lua_State *L, int arg)
{
    double mode = bind_number(L, arg, "mode", -1, 0, 0777);

    return (struct stat){ .st_mode = mode < 0 ? 0 : S_IFREG | (mode_t)mode,
                          .st_uid = (uid_t)bind_number(L, arg, "uid", geteuid(), 0, UINT32_MAX),
                          .st_gid = (gid_t)bind_number(L, arg, "gid", getegid(), 0, UINT32_MAX) };
}

/* sys.fs.write(path, bytes [, { mode, uid, gid, loose }]) -> true | nil, text, code */
static int fs_write_(lua_State *L)
{
    static const char *const fields[] = { "gid", "loose", "mode", "uid", NULL };
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);
    struct fs_work *work;
    struct stat like;
    int results;
    bool loose;

    desktop_check_options(L, 3, fields);
    like = read_like(L, 3);
    loose = bind_flag(L, 3, "loose");
    results = refuse_in_dry_run(L, "write");
    if (results)
        return results;
    work = push_fs_work(L, fs_work_write);
    work->like = like;
    work->loose = loose;
    buf_add(&work->data, bytes, len);
    return thread_call_in_pool(L, &work->call);
}

static int fs_append_(lua_State *L)
{
    static const char *const fields[] = { "private", NULL };
    struct fs_work *work;
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);
    int results;
    bool private;

    desktop_check_options(L, 3, fields);
    private = bind_flag(L, 3, "private");
    results = refuse_in_dry_run(L, "append to");
    if (results)
        return results;
    work = push_fs_work(L, fs_work_append);
    work->mode = private ? 0600 : 0666;
    buf_add(&work->data, bytes, len);
    return thread_call_in_pool(L, &work->call);
}

static bool fs_work_make_folder(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    return fs_mkdirs(&work->grants, fs_work_path(work), work->mode, err) &&
           (!work->tighten || fs_tighten_folder(&work->grants, fs_work_path(work), 0700, err));
}

static int fs_make_folder_(lua_State *L)
{
    static const char *const fields[] = { "mode", "private", "tighten", NULL };
    struct fs_work *work;
    bool private, tighten;
    double mode;
    int results;

    desktop_check_options(L, 2, fields);
    private = bind_flag(L, 2, "private");
    tighten = bind_flag(L, 2, "tighten");
    mode = bind_number(L, 2, "mode", private ? 0700 : 0777, 0, 0777);
    results = refuse_in_dry_run(L, "make the directory");
    if (results)
        return results;
    work = push_fs_work(L, fs_work_make_folder);
    work->mode = (mode_t)mode;
    work->tighten = tighten;
    return thread_call_in_pool(L, &work->call);
}

static bool fs_work_remove(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    return fs_remove(&work->grants, fs_work_path(work), err);
}

static int fs_remove_(lua_State *L)
{
    int results = refuse_in_dry_run(L, "remove");

    return results ? results : thread_call_in_pool(L, &push_fs_work(L, fs_work_remove)->call);
}

static bool fs_work_rename(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    return fs_rename(&work->grants, fs_work_path(work), fs_work_to(work), work->replace, err);
}

static bool fs_work_copy(struct thread_call *call, struct error *err)
{
    struct fs_work *work = fs_work_of(call);

    return fs_copy(&work->grants, fs_work_path(work), fs_work_to(work), work->replace, err);
}

/* (from, to [, { replace = true }]) */
static int two_paths(lua_State *L, const char *verb,
                     bool (*run)(struct thread_call *, struct error *))
{
    static const char *const fields[] = { "replace", NULL };
    struct fs_work *work;
    bool replace;
    int results;

    luaL_checkstring(L, 2);
    desktop_check_options(L, 3, fields);
    replace = bind_flag(L, 3, "replace");
    results = refuse_in_dry_run(L, verb);
    if (results)
        return results;
    work = push_fs_work(L, run);
    work->to = take_path(L, 2, &work->to_len);
    work->replace = replace;
    return thread_call_in_pool(L, &work->call);
}

static int fs_rename_(lua_State *L)
{
    return two_paths(L, "rename", fs_work_rename);
}

static int fs_copy_(lua_State *L)
{
    return two_paths(L, "copy", fs_work_copy);
}

static const luaL_Reg fs_funcs[] = { { "append", fs_append_ },
                                     { "copy", fs_copy_ },
                                     { "digest", fs_digest_ },
                                     { "list", fs_list_ },
                                     { "make_folder", fs_make_folder_ },
                                     { "read", fs_read_ },
                                     { "remove", fs_remove_ },
                                     { "rename", fs_rename_ },
                                     { "resolve", fs_resolve_ },
                                     { "stat", fs_stat_ },
                                     { "write", fs_write_ },
                                     { NULL, NULL } };

int luaopen_sys_fs(lua_State *L)
{
    luaL_newlib(L, fs_funcs);
    return 1;
}

/* --- sys.app_files ---------------------------------------------------------------- */

/* Where a system keeps its applications; "~" is the home directory. */
static const char *const app_folders[] = {
#ifdef __APPLE__
    "/Applications",
    "~/Applications",
    "/System/Applications",
    "/System/Cryptexes/App/System/Applications", /* where the link at Safari's place leads */
    "/System/Library",
    "/Library/ScriptingAdditions",
#endif
    "$PERIGEE_SDEF_DIR",
};

/* The folder's path, which the caller frees; NULL: its variable is not set. */
static char *app_folder_path(const char *folder)
{
    const char *path = folder[0] == '$' ? getenv(folder + 1) : folder;

    return path && (path == folder || path[0] == '/') ? path_expand_home(path) : NULL;
}

/* sys.app_files.folders() */
static int app_files_folders(lua_State *L)
{
    struct fs_grants *grants = lua_touserdata(L, lua_upvalueindex(1));

    fs_grants_free(grants);
    lua_newtable(L); /* folders */
    for (size_t i = 0; i < countof(app_folders); i++) {
        char *path = app_folder_path(app_folders[i]);
        struct error err;

        if (path && fs_grants_add(grants, path, false, &err)) {
            lua_pushstring(L, path);
            lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
        }
        free(path);
    }
    return 1;
}

static int app_folders_gc(lua_State *L)
{
    fs_grants_free(luaL_checkudata(L, 1, APP_FOLDERS));
    return 0;
}

static const luaL_Reg app_files_funcs[] = { { "folders", app_files_folders },
                                            { "list", fs_list_ },
                                            { "read", fs_read_ },
                                            { "stat", fs_stat_ },
                                            { NULL, NULL } };

int luaopen_sys_app_files(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", app_folders_gc }, { NULL, NULL } };
    struct fs_grants *grants;

    bind_metatable(L, APP_FOLDERS, meta, NULL);
    luaL_newlibtable(L, app_files_funcs); /* module */
    grants = lua_newuserdatauv(L, sizeof *grants, 0);
    *grants = (struct fs_grants){ 0 };
    luaL_setmetatable(L, APP_FOLDERS);
    luaL_setfuncs(L, app_files_funcs, 1);
    return 1;
}
