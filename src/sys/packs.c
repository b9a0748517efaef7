/* sys.packs -- what the registry knows of packs, and which files one has. */
#include "registry/packs.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "files/file.h"
#include "registry/registry.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/shared/thread_call.h"
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
    struct thread_call call;
    char *path;
    struct pack_files files;
};

static struct files_work *pack_work_of(struct thread_call *call)
{
    return container_of(call, struct files_work, call);
}

static void pack_work_clear(struct thread_call *call)
{
    struct files_work *work = pack_work_of(call);

    pack_files_free(&work->files);
    free(work->path);
}

static bool pack_work_look(struct thread_call *call, struct error *err)
{
    struct files_work *work = pack_work_of(call);

    return pack_files_look(&work->files, work->path, err);
}

static int push_pack_files(lua_State *L, struct thread_call *call)
{
    const struct pack_files *files = &pack_work_of(call)->files;
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
    work = thread_call_new(L, sizeof *work, pack_work_clear);
    work->call.run = pack_work_look;
    work->call.push = push_pack_files;
    work->path = path_join(packs_folder(packs), name);
    return thread_call_in_pool(L, &work->call);
}

static const luaL_Reg packs_funcs[] = {
    { "files", packs_files }, { "folder", packs_folder_ }, { "list", packs_list }, { NULL, NULL }
};

int luaopen_sys_packs(lua_State *L)
{
    luaL_newlib(L, packs_funcs);
    return 1;
}
