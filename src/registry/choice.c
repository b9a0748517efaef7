#include "registry/choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/util.h"
#include "registry/mount.h"
#include "script/sandbox/sandbox.h"
#include "script/vm.h"

struct choice *choice_new(const char *path)
{
    struct choice *choice = mem_zero(sizeof *choice);

    choice->path = mem_strdup(path);
    return choice;
}

void choice_free(struct choice *choice)
{
    if (!choice)
        return;
    free(choice->apps);
    free(choice->path);
    free(choice);
}

/* (function, path, the known applications) -> the function and the two as strings */
static int push_asked(lua_State *L)
{
    lua_pushvalue(L, 1);
    lua_pushstring(L, lua_touserdata(L, 2));
    lua_pushstring(L, lua_touserdata(L, 3));
    return 3;
}

/* Leaves the answer on the VM's main state. */
static bool ask_chosen(struct registry *registry, const char *path, const char *known,
                       struct error *err)
{
    struct vm *vm = registry_vm(registry);

    if (!registry_require(registry, HOME_SHIPPED, "common.chosen", SANDBOX_LOAD_MS, err))
        return false;
    lua_pushcfunction(vm_lua(vm), push_asked);
    lua_insert(vm_lua(vm), -2);
    lua_pushlightuserdata(vm_lua(vm), (void *)(uintptr_t)path);
    lua_pushlightuserdata(vm_lua(vm), (void *)(uintptr_t)known);
    return vm_call(vm, 3, 3, 0, err) && vm_call(vm, 2, 1, SANDBOX_LOAD_MS, err);
}

static void read_choice(struct choice *choice, struct registry *registry,
                        struct entry *const *entries, size_t count)
{
    lua_State *L = vm_lua(registry_vm(registry));
    struct buf known = { 0 };
    struct error err;

    for (size_t i = 0; i < count; i++)
        if (entries[i]->common)
            buf_addf(&known, "%s\n", entries[i]->common);
    if (!ask_chosen(registry, choice->path, buf_text(&known), &err)) {
        log_warn("%s: %s", choice->path, err.text);
    } else {
        if (lua_type(L, -1) == LUA_TSTRING)
            choice->apps = mem_strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    buf_free(&known);
}

bool choice_look(struct choice *choice, struct registry *registry, struct entry *const *entries,
                 size_t count)
{
    struct stamp stamp = { 0 };
    char *before;
    bool there = stamp_look(choice->path, &stamp), same;

    if (!there)
        stamp = (struct stamp){ 0 };
    if (stamp_same(&stamp, &choice->stamp))
        return false;
    choice->stamp = stamp;
    before = choice->apps;
    choice->apps = NULL;
    if (there)
        read_choice(choice, registry, entries, count);
    same = before && choice->apps ? strcmp(before, choice->apps) == 0 : before == choice->apps;
    free(before);
    return !same;
}

bool choice_takes(const struct choice *choice, const char *app)
{
    char *line = mem_printf("\n%s\n", app);
    bool takes = choice->apps && (strcmp(choice->apps, "*") == 0 || strcasestr(choice->apps, line));

    free(line);
    return takes;
}
