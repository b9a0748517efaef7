/* sys.db, the part that is C: databases in the state folder, worked on by other threads. */
#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/dry_run.h"
#include "base/module.h"
#include "base/serial_queue.h"
#include "db/db.h"
#include "files/file.h"
#include "files/paths.h"
#include "script/bind.h"
#include "script/packed.h"
#include "script/vm.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

#define DATABASE "sys.db.Core"

enum { NAME_BYTES = 50 };

/* Belongs to its userdata, and in the end to the job that closes it, which the queue does after all
 * others. */
struct database {
    const struct db_ops *ops;
    struct db *db; /* for the queue's thread, which opens it for the first batch */
    struct serial_queue queue;
    char *path;
    bool readonly;
    struct serial_job closing;
};

struct run_call {
    struct thread_call call;
    struct database *database; /* borrowed: it outlives the calls on its queue */
    struct buf batch, results;
    bool recovered;
};

/* --- opening and closing --------------------------------------------------------------------- */

static void close_on_thread(struct serial_job *job)
{
    struct database *database = container_of(job, struct database, closing);

    if (database->db)
        database->ops->close(database->db);
}

static void on_closed(struct serial_job *job)
{
    struct database *database = container_of(job, struct database, closing);

    free(database->path);
    free(database);
}

/* The file of the name at index 1, in a folder that is there. */
static char *database_path(lua_State *L, struct error *err)
{
    const char *name = luaL_checkstring(L, 1);
    char *state, *folder, *path = NULL;

    luaL_argcheck(L,
                  *name && strlen(name) <= NAME_BYTES &&
                      strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name),
                  1, "the name of a database may contain only a-z, 0-9 and _, at most 50");
    state = path_state();
    folder = path_join(state, "db");
    if (folder_make(folder, err))
        path = mem_printf("%s/%s.sqlite", folder, name);
    free(folder);
    free(state);
    return path;
}

/* connect(name, readonly) -> database, readonly */
static int db_connect(lua_State *L)
{
    bool readonly = lua_toboolean(L, 2) || dry_run();
    struct database **box = lua_newuserdatauv(L, sizeof *box, 0), *database;
    struct error err;
    const struct db_ops *ops = module_symbol("sqlite", "perigee_sqlite", &err);
    char *path;

    *box = NULL;
    luaL_setmetatable(L, DATABASE); /* may raise: before there is something to free */
    path = ops ? database_path(L, &err) : NULL;
    if (!path)
        return bind_error(L, &err);
    database = *box = mem_zero(sizeof *database);
    database->ops = ops;
    database->path = path;
    database->readonly = readonly;
    serial_queue_init(&database->queue, vm_loop(vm_of(L)));
    lua_pushboolean(L, readonly);
    return 2;
}

/* Renames a file of a database; SQLite's own ones beside it need not be there. 0, or errno. */
static int rename_part(const char *from, const char *to, const char *part)
{
    char *old = mem_printf("%s%s", from, part), *new = mem_printf("%s%s", to, part);
    int reason = rename(old, new) == 0 || (*part && errno == ENOENT) ? 0 : errno;

    free(old);
    free(new);
    return reason;
}

/* set_aside(name) -> the new name of the damaged file */
static int db_set_aside(lua_State *L)
{
    static const char *const parts[] = { "", "-wal", "-shm" };
    struct error err;
    char *path =
             dry_run_refuses(&err, "set a damaged database aside") ? NULL : database_path(L, &err),
         *aside;
    size_t at = 0;
    int reason = 0;

    if (!path)
        return bind_error(L, &err);
    aside = mem_printf("%s.damaged-%lld", path, (long long)time(NULL));
    while (at < countof(parts) && (reason = rename_part(path, aside, parts[at])) == 0)
        at++;
    if (reason)
        error_set(
            &err, "io",
            "the damaged %s%s cannot be renamed: %s. Move it away, or let this program change "
            "its directory",
            path, parts[at], strerror(reason));
    while (reason && at-- > 0) /* a log that is left alone would be read into the next file */
        rename_part(aside, path, parts[at]);
    lua_pushstring(L, aside);
    free(aside);
    free(path);
    return reason ? bind_error(L, &err) : 1;
}

/* --- a batch --------------------------------------------------------------------------------- */

static int run_call_push(lua_State *L, struct thread_call *call)
{
    const struct run_call *self = container_of(call, struct run_call, call);
    int pushed = packed_push_list(L, buf_str(&self->results));

    if (pushed == 1)
        lua_pushboolean(L, self->recovered);
    return pushed == 1 ? 2 : pushed;
}

static bool run_call_run(struct thread_call *call, struct error *err)
{
    struct run_call *self = container_of(call, struct run_call, call);
    struct database *database = self->database;
    const struct db_ops *ops = database->ops;

    if (!database->db)
        database->db = ops->open(database->path, database->readonly, err);
    return database->db && ops->run(database->db, buf_str(&self->batch), &call->left,
                                    &self->results, &self->recovered, err);
}

static void run_call_clear(struct thread_call *call)
{
    struct run_call *self = container_of(call, struct run_call, call);

    buf_free(&self->batch);
    buf_free(&self->results);
}

/* database:run(batch) -> results, recovered */
static int database_run(lua_State *L)
{
    struct database **box = luaL_checkudata(L, 1, DATABASE);
    struct run_call *self;
    struct error err;
    lua_Integer count;

    luaL_argcheck(L, *box, 1, "the database is closed");
    luaL_checktype(L, 2, LUA_TTABLE);
    count = (lua_Integer)lua_rawlen(L, 2);
    self = thread_call_new(L, sizeof *self, run_call_clear);
    self->database = *box;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        if (!packed_write(L, -1, &self->batch, &err))
            return bind_error(L, &err);
        lua_pop(L, 1);
    }
    self->call.run = run_call_run;
    self->call.push = run_call_push;
    return thread_call_in_queue(L, &self->call, &self->database->queue);
}

/* database:close(); also __gc and __close */
static int database_close_here(lua_State *L)
{
    struct database **box = luaL_checkudata(L, 1, DATABASE), *database = *box;

    *box = NULL;
    if (database) {
        database->closing = (struct serial_job){ .run = close_on_thread, .done = on_closed };
        serial_queue_add(&database->queue, &database->closing);
    }
    return 0;
}

static const luaL_Reg database_methods[] = { { "close", database_close_here },
                                             { "run", database_run },
                                             { NULL, NULL } };
static const luaL_Reg db_funcs[] = { { "connect", db_connect },
                                     { "set_aside", db_set_aside },
                                     { NULL, NULL } };

int luaopen_sys_db(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", database_close_here }, { NULL, NULL } };

    bind_metatable(L, DATABASE, meta, database_methods);
    luaL_newlib(L, db_funcs);
    return 1;
}
