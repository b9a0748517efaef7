/* sys.fs -- files under the granted folders.
 *
 * The system calls run on libuv's thread pool while the task is parked; a job has its own copy of
 * the grants. */
#include "files/granted.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "files/file.h"
#include "script/bind.h"
#include "sys/shared/pool.h"
#include "sys/sys.h"

enum {
    READ_MAX = 10 * 1024 * 1024,
    READ_MOST = 256 * 1024 * 1024,
    LIST_MOST = 100000,
};

const char sys_grants_key;

struct job {
    struct pool_job pool;
    struct fs_grants grants;
    char *path, *to; /* owned; to is NULL or the other path */
    size_t path_len, to_len;
    size_t max;
    bool replace;
    struct buf data; /* to write, or read */
    struct fs_entry entry;
    struct fs_listing listing;
    char *real;
};

/* --- a job's life ---------------------------------------------------------------- */

static struct job *job_of(struct pool_job *pool)
{
    return container_of(pool, struct job, pool);
}

static void job_free(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    fs_grants_free(&job->grants);
    free(job->path);
    free(job->to);
    free(job->real);
    buf_free(&job->data);
    fs_listing_free(&job->listing);
    free(job);
}

static int push_failure(lua_State *L, struct pool_job *pool)
{
    const struct job *job = job_of(pool);
    const char *hint = "";

    if (strcmp(pool->err.code, "not_granted") == 0 && job->grants.count == 0)
        return bind_fail(L, "not_granted",
                         "no folder is granted to scripts: start perigee with --grant FOLDER");
    if (strcmp(pool->err.code, "not_granted") == 0)
        hint = ". Start perigee with --grant FOLDER to allow more";
    return bind_fail(L, pool->err.code, "%s%s", pool->err.text, hint);
}

static char *take_path(lua_State *L, int arg, size_t *len)
{
    const char *path = luaL_checklstring(L, arg, len);
    char *copy = mem_alloc(*len + 1);

    memcpy(copy, path, *len + 1);
    return copy;
}

/* Pushes a job with the path at 1. Raises only before it has made anything, so callers check all
 * arguments first. */
static struct job *push_job(lua_State *L, bool (*work)(struct pool_job *pool))
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    struct job *job;

    luaL_checkstring(L, 1);
    job = pool_new(L, sizeof *job, job_free);
    job->pool.work = work;
    job->pool.fail = push_failure;
    job->path = take_path(L, 1, &job->path_len);
    if (grants)
        fs_grants_copy(&job->grants, grants);
    return job;
}

static struct str job_path(const struct job *job)
{
    return (struct str){ job->path, job->path_len };
}

static struct str job_to(const struct job *job)
{
    return (struct str){ job->to, job->to_len };
}

/* --- reading --------------------------------------------------------------------- */

static bool work_read(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return fs_read(&job->grants, job_path(job), job->max, &job->data, &pool->err);
}

static int push_data(lua_State *L, struct pool_job *pool)
{
    struct job *job = job_of(pool);

    lua_pushlstring(L, job->data.len ? job->data.data : "", job->data.len);
    return 1;
}

/* sys.fs.read(path [, max_bytes]) -> bytes | nil, text, code */
static int fs_read_(lua_State *L)
{
    lua_Integer max = luaL_optinteger(L, 2, READ_MAX);
    struct job *job;

    luaL_argcheck(L, max > 0 && max <= READ_MOST, 2, "expected 1 to 268435456 bytes");
    job = push_job(L, work_read);
    job->max = (size_t)max;
    job->pool.push = push_data;
    return pool_run(L, &job->pool);
}

static void push_entry(lua_State *L, const struct fs_entry *entry, const char *name)
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

static bool work_list(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    if (!fs_list(&job->grants, job_path(job), LIST_MOST, &job->listing, &pool->err))
        return false;
    return !job->listing.truncated ||
           error_set(&pool->err, "too_large", "\"%s\" holds more than %d files", job->path,
                     LIST_MOST);
}

static int push_listing(lua_State *L, struct pool_job *pool)
{
    struct job *job = job_of(pool);

    lua_createtable(L, (int)job->listing.count, 0); /* list */
    for (size_t i = 0; i < job->listing.count; i++) {
        push_entry(L, &job->listing.entries[i], job->listing.entries[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int fs_list_(lua_State *L)
{
    struct job *job = push_job(L, work_list);

    job->pool.push = push_listing;
    return pool_run(L, &job->pool);
}

static bool work_stat(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return fs_stat(&job->grants, job_path(job), &job->entry, &pool->err);
}

static int push_stat(lua_State *L, struct pool_job *pool)
{
    struct job *job = job_of(pool);
    size_t len = job->path_len;

    while (len > 1 && job->path[len - 1] == '/')
        job->path[--len] = '\0';
    push_entry(L, &job->entry, path_name(job->path));
    return 1;
}

static int fs_stat_(lua_State *L)
{
    struct job *job = push_job(L, work_stat);

    job->pool.push = push_stat;
    return pool_run(L, &job->pool);
}

static bool work_resolve(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    job->real = fs_resolve(&job->grants, job_path(job), false, &pool->err);
    return job->real != NULL;
}

static int push_real(lua_State *L, struct pool_job *pool)
{
    struct job *job = job_of(pool);

    lua_pushstring(L, job->real);
    return 1;
}

static int fs_resolve_(lua_State *L)
{
    struct job *job = push_job(L, work_resolve);

    job->pool.push = push_real;
    return pool_run(L, &job->pool);
}

/* --- changing -------------------------------------------------------------------- */

static bool work_write(struct pool_job *pool)
{
    static const struct fs_write_options options = { .make_parents = true };
    struct job *job = job_of(pool);

    return fs_write_atomic(&job->grants, job_path(job), buf_str(&job->data), &options, &pool->err);
}

static bool work_append(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return fs_append(&job->grants, job_path(job), buf_str(&job->data), &pool->err);
}

static int write_bytes(lua_State *L, bool (*work)(struct pool_job *pool))
{
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);
    struct job *job = push_job(L, work);

    buf_add(&job->data, bytes, len);
    return pool_run(L, &job->pool);
}

static int fs_write_(lua_State *L)
{
    return write_bytes(L, work_write);
}

static int fs_append_(lua_State *L)
{
    return write_bytes(L, work_append);
}

static bool work_make_folder(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return fs_mkdirs(&job->grants, job_path(job), &pool->err);
}

static int fs_make_folder_(lua_State *L)
{
    return pool_run(L, &push_job(L, work_make_folder)->pool);
}

static bool work_remove(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return fs_remove(&job->grants, job_path(job), &pool->err);
}

static int fs_remove_(lua_State *L)
{
    return pool_run(L, &push_job(L, work_remove)->pool);
}

static bool work_rename(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return fs_rename(&job->grants, job_path(job), job_to(job), job->replace, &pool->err);
}

static bool work_copy(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return fs_copy(&job->grants, job_path(job), job_to(job), job->replace, &pool->err);
}

/* (from, to [, { replace = true }]) */
static int two_paths(lua_State *L, bool (*work)(struct pool_job *pool))
{
    static const char *const fields[] = { "replace", NULL };
    bool replace = false;
    struct job *job;

    luaL_checkstring(L, 2);
    if (!lua_isnoneornil(L, 3)) {
        bind_check_fields(L, 3, fields);
        replace = bind_flag(L, 3, "replace");
    }
    job = push_job(L, work);
    job->to = take_path(L, 2, &job->to_len);
    job->replace = replace;
    return pool_run(L, &job->pool);
}

static int fs_rename_(lua_State *L)
{
    return two_paths(L, work_rename);
}

static int fs_copy_(lua_State *L)
{
    return two_paths(L, work_copy);
}

static const luaL_Reg fs_funcs[] = { { "append", fs_append_ },
                                     { "copy", fs_copy_ },
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
    pool_init(L);
    luaL_newlib(L, fs_funcs);
    return 1;
}
