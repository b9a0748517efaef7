/* sys.secrets -- texts that must stay secret: kept in the state folder, hidden in the log. */
#include "files/secrets.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/dry_run.h"
#include "base/log.h"
#include "files/trust.h"
#include "script/bind.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

#define LOCK "sys.secrets.Lock"

enum { NAME_MAX_BYTES = 64, FILE_MAX_BYTES = 65536 };

const char sys_secrets_key;

/* --- names ------------------------------------------------------------------------ */

static const char *check_secret_name(lua_State *L, int arg)
{
    size_t len;
    const char *name = luaL_checklstring(L, arg, &len);

    luaL_argcheck(L,
                  len > 0 && len <= NAME_MAX_BYTES &&
                      strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == len,
                  arg, "a name may contain only a-z, 0-9 and _");
    return name;
}

static const char *secrets_folder(lua_State *L)
{
    const char *folder = vm_service(L, &sys_secrets_key);

    if (!folder)
        luaL_error(L, "this engine does not store secrets");
    return folder;
}

/* --- reading and writing ------------------------------------------------------------ */

struct secret_work {
    struct thread_call call;
    char *folder, *name;
    struct buf data;
};

static struct secret_work *secret_work_of(struct thread_call *call)
{
    return container_of(call, struct secret_work, call);
}

static void secret_work_clear(struct thread_call *call)
{
    struct secret_work *work = secret_work_of(call);

    if (work->data.data)
        crypto_wipe(work->data.data, work->data.cap);
    buf_free(&work->data);
    free(work->folder);
    free(work->name);
}

static bool secret_work_read(struct thread_call *call, struct error *err)
{
    struct secret_work *work = secret_work_of(call);

    return secrets_read(work->folder, work->name, &work->data, err);
}

static int push_secret(lua_State *L, struct thread_call *call)
{
    struct secret_work *work = secret_work_of(call);

    lua_pushlstring(L, work->data.len ? work->data.data : "", work->data.len);
    return 1;
}

static bool secret_work_read_file(struct thread_call *call, struct error *err)
{
    struct secret_work *work = secret_work_of(call);

    return trust_read(work->name, TRUST_SECRET, FILE_MAX_BYTES, &work->data, err);
}

/* Called with (path) of a file in which another program, or the user, keeps secrets. */
static int secrets_read_file(lua_State *L)
{
    size_t len;
    const char *path = luaL_checklstring(L, 1, &len);
    struct secret_work *work;

    luaL_argcheck(L, len > 0 && strlen(path) == len, 1, "it is empty or contains a NUL byte");
    work = thread_call_new(L, sizeof *work, secret_work_clear);
    work->call.run = secret_work_read_file;
    work->call.push = push_secret;
    work->name = mem_strdup(path);
    return thread_call_in_pool(L, &work->call);
}

static bool secret_work_write(struct thread_call *call, struct error *err)
{
    struct secret_work *work = secret_work_of(call);

    return secrets_write(work->folder, work->name, buf_str(&work->data), err);
}

static struct secret_work *push_secret_work(lua_State *L,
                                            bool (*run)(struct thread_call *, struct error *))
{
    const char *name = check_secret_name(L, 1), *folder = secrets_folder(L);
    struct secret_work *work = thread_call_new(L, sizeof *work, secret_work_clear);

    work->call.run = run;
    work->folder = mem_strdup(folder);
    work->name = mem_strdup(name);
    return work;
}

static int secrets_read_(lua_State *L)
{
    struct secret_work *work = push_secret_work(L, secret_work_read);

    work->call.push = push_secret;
    return thread_call_in_pool(L, &work->call);
}

/* Called with (name, bytes | nil). */
static int secrets_write_(lua_State *L)
{
    size_t len = 0;
    const char *bytes = luaL_optlstring(L, 2, "", &len);
    struct secret_work *work;
    struct error err;

    if (dry_run_refuses(&err, "keep secrets"))
        return bind_error(L, &err);
    luaL_argcheck(L, len <= SECRETS_MAX, 2, "too long");
    work = push_secret_work(L, secret_work_write);
    buf_add(&work->data, bytes, len);
    return thread_call_in_pool(L, &work->call);
}

/* --- locks --------------------------------------------------------------------------- */

struct file_lock {
    int fd;
};

/* lock:close(), and its __gc: gives the lock back. */
static int lock_close(lua_State *L)
{
    struct file_lock *lock = luaL_checkudata(L, 1, LOCK);

    if (lock->fd >= 0)
        close(lock->fd);
    lock->fd = -1;
    return 0;
}

static int secrets_try_lock(lua_State *L)
{
    const char *name = check_secret_name(L, 1), *folder = secrets_folder(L);
    struct file_lock *lock = lua_newuserdatauv(L, sizeof *lock, 0);
    struct error err;

    lock->fd = -1;
    luaL_setmetatable(L, LOCK);
    lock->fd = secrets_lock(folder, name, &err);
    return lock->fd >= 0 ? 1 : bind_error(L, &err);
}

static int secrets_hide(lua_State *L)
{
    log_add_secret(luaL_checkstring(L, 1));
    return 0;
}

static int secrets_without(lua_State *L)
{
    struct buf *plain = bind_buffer(L);
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);

    log_hide_secrets(plain, text, len);
    lua_pushlstring(L, plain->len ? plain->data : "", plain->len);
    return 1;
}

static const luaL_Reg secrets_funcs[] = { { "hide", secrets_hide },
                                          { "read", secrets_read_ },
                                          { "without", secrets_without },
                                          { "read_file", secrets_read_file },
                                          { "try_lock", secrets_try_lock },
                                          { "write", secrets_write_ },
                                          { NULL, NULL } };

int luaopen_sys_secrets(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__close", lock_close },
                                     { "__gc", lock_close },
                                     { NULL, NULL } };

    secrets_use(keychain_get());
    bind_metatable(L, LOCK, meta, NULL);
    luaL_newlib(L, secrets_funcs);
    return 1;
}
