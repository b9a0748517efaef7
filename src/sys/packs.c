/* sys.packs -- what the registry knows of packs, and which files one has. */
#include "registry/packs.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "files/file.h"
#include "registry/registry.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/shared/pool.h"
#include "sys/shared/tool_call.h"
#include "sys/sys.h"

static struct packs *packs_of(lua_State *L)
{
    return registry_packs(sys_registry(L));
}

static int no_packs(lua_State *L)
{
    return bind_fail(L, "no_packs", "there is no directory for packs. Leave out --no-user-root");
}

static void set_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

static void set_flag(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

/* sys.packs.folder() */
static int packs_folder_(lua_State *L)
{
    struct packs *packs = packs_of(L);

    if (!packs)
        return no_packs(L);
    lua_pushstring(L, packs_folder(packs));
    return 1;
}

/* sys.packs.list() */
static int packs_list(lua_State *L)
{
    struct packs *packs = packs_of(L);
    const struct pack *all;
    size_t count;

    if (!packs)
        return no_packs(L);
    packs_look(packs);
    all = packs_all(packs, &count);
    lua_createtable(L, (int)count, 0); /* list */
    for (size_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 6);
        set_string(L, "name", all[i].name);
        set_string(L, "path", all[i].path);
        set_flag(L, "usable", all[i].usable);
        set_flag(L, "approved", all[i].approved);
        set_flag(L, "changed", all[i].changed);
        set_string(L, "problem", all[i].problem);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    value_mark_array(L, -1);
    return 1;
}

/* --- sys.packs.files(name) ------------------------------------------------------------------ */

struct files_work {
    struct pool_work pool;
    char *path;
    struct pack_files files;
};

static struct files_work *pack_work_of(struct pool_work *pool)
{
    return container_of(pool, struct files_work, pool);
}

static void pack_work_free(struct pool_work *pool)
{
    struct files_work *work = pack_work_of(pool);

    pack_files_free(&work->files);
    free(work->path);
    free(work);
}

static bool pack_work_look(struct pool_work *pool)
{
    struct files_work *work = pack_work_of(pool);

    return pack_files_look(&work->files, work->path, &pool->err);
}

static int push_pack_files(lua_State *L, struct pool_work *pool)
{
    const struct pack_files *files = &pack_work_of(pool)->files;
    char stamp[PACK_STAMP_TEXT];

    lua_createtable(L, (int)files->count, 0); /* list */
    for (size_t i = 0; i < files->count; i++) {
        lua_createtable(L, 0, 3);
        set_string(L, "path", files->items[i].path);
        lua_pushinteger(L, (lua_Integer)files->items[i].stamp.size);
        lua_setfield(L, -2, "size");
        pack_stamp_text(&files->items[i].stamp, stamp);
        set_string(L, "stamp", stamp);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    value_mark_array(L, -1);
    return 1;
}

static int packs_files(lua_State *L)
{
    size_t len;
    const char *name = luaL_checklstring(L, 1, &len);
    struct packs *packs = packs_of(L);
    struct files_work *work;

    luaL_argcheck(L,
                  len && strlen(name) == len && !strchr(name, '/') && strcmp(name, ".") != 0 &&
                      strcmp(name, "..") != 0,
                  1, "the name of a directory expected");
    if (!packs)
        return no_packs(L);
    work = pool_new(L, sizeof *work, pack_work_free);
    work->pool.run = pack_work_look;
    work->pool.push = push_pack_files;
    work->path = path_join(packs_folder(packs), name);
    return pool_run(L, &work->pool);
}

static const luaL_Reg packs_funcs[] = {
    { "files", packs_files }, { "folder", packs_folder_ }, { "list", packs_list }, { NULL, NULL }
};

int luaopen_sys_packs(lua_State *L)
{
    pool_init(L);
    luaL_newlib(L, packs_funcs);
    return 1;
}
