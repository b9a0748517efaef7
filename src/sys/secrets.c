/* sys.secrets -- what must stay secret: kept in the state folder, hidden in the log. */
#include "files/secrets.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/log.h"
#include "script/bind.h"
#include "sys/shared/pool.h"
#include "sys/sys.h"

#define LOCK "sys.secrets.Lock"

enum { NAME_MAX_BYTES = 64 };

const char sys_secrets_key;

/* --- names ------------------------------------------------------------------------ */

static const char *check_name(lua_State *L, int arg)
{
    size_t len;
    const char *name = luaL_checklstring(L, arg, &len);

    luaL_argcheck(L,
                  len > 0 && len <= NAME_MAX_BYTES &&
                      strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == len,
                  arg, "a name has a-z, 0-9 and _");
    return name;
}

static const char *folder_of(lua_State *L)
{
    const char *folder = vm_service(L, &sys_secrets_key);

    if (!folder)
        luaL_error(L, "this engine keeps no secrets");
    return folder;
}

/* --- reading and writing ------------------------------------------------------------ */

struct job {
    struct pool_job pool;
    char *folder, *name;
    struct buf data;
};

static struct job *job_of(struct pool_job *pool)
{
    return container_of(pool, struct job, pool);
}

static void job_free(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    if (job->data.data)
        crypto_wipe(job->data.data, job->data.cap);
    buf_free(&job->data);
    free(job->folder);
    free(job->name);
    free(job);
}

static bool work_read(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return secrets_read(job->folder, job->name, &job->data, &pool->err);
}

static int push_data(lua_State *L, struct pool_job *pool)
{
    struct job *job = job_of(pool);

    lua_pushlstring(L, job->data.len ? job->data.data : "", job->data.len);
    return 1;
}

static bool work_write(struct pool_job *pool)
{
    struct job *job = job_of(pool);

    return secrets_write(job->folder, job->name, buf_str(&job->data), &pool->err);
}

static struct job *push_job(lua_State *L, bool (*work)(struct pool_job *pool))
{
    const char *name = check_name(L, 1), *folder = folder_of(L);
    struct job *job = pool_new(L, sizeof *job, job_free);

    job->pool.work = work;
    job->folder = mem_strdup(folder);
    job->name = mem_strdup(name);
    return job;
}

static int secrets_read_(lua_State *L)
{
    struct job *job = push_job(L, work_read);

    job->pool.push = push_data;
    return pool_run(L, &job->pool);
}

/* (name, bytes | nil) */
static int secrets_write_(lua_State *L)
{
    size_t len = 0;
    const char *bytes = luaL_optlstring(L, 2, "", &len);
    struct job *job;

    luaL_argcheck(L, len <= SECRETS_MAX, 2, "too long");
    job = push_job(L, work_write);
    buf_add(&job->data, bytes, len);
    return pool_run(L, &job->pool);
}

/* --- locks --------------------------------------------------------------------------- */

struct held {
    int fd;
};

/* Also __gc: closing gives the lock back. */
static int lock_close(lua_State *L)
{
    struct held *held = luaL_checkudata(L, 1, LOCK);

    if (held->fd >= 0)
        close(held->fd);
    held->fd = -1;
    return 0;
}

static int secrets_try_lock(lua_State *L)
{
    const char *name = check_name(L, 1), *folder = folder_of(L);
    struct held *held = lua_newuserdatauv(L, sizeof *held, 0);
    struct error err;

    held->fd = -1;
    luaL_setmetatable(L, LOCK);
    held->fd = secrets_lock(folder, name, &err);
    return held->fd >= 0 ? 1 : bind_error(L, &err);
}

static int secrets_hide(lua_State *L)
{
    log_add_secret(luaL_checkstring(L, 1));
    return 0;
}

static const luaL_Reg secrets_funcs[] = { { "hide", secrets_hide },
                                          { "read", secrets_read_ },
                                          { "try_lock", secrets_try_lock },
                                          { "write", secrets_write_ },
                                          { NULL, NULL } };

int luaopen_sys_secrets(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", lock_close },
                                     { "__gc", lock_close },
                                     { NULL, NULL } };

    secrets_use(keychain_get());
    pool_init(L);
    bind_metatable(L, LOCK, meta, NULL);
    luaL_newlib(L, secrets_funcs);
    return 1;
}
