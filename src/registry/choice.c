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

/* (function, struct choice, the known applications) */
static int ask_chosen(lua_State *L)
{
    struct choice *choice = lua_touserdata(L, 2);

    lua_pushvalue(L, 1);
    lua_pushstring(L, choice->path);
    lua_pushstring(L, lua_touserdata(L, 3));
    lua_call(L, 2, 1);
    if (lua_isstring(L, -1))
        choice->apps = mem_strdup(lua_tostring(L, -1));
    return 0;
}

static void read_choice(struct choice *choice, struct registry *registry,
                        struct entry *const *entries, size_t count)
{
    struct vm *vm = registry_vm(registry);
    struct buf known = { 0 };
    struct error err;

    for (size_t i = 0; i < count; i++)
        if (entries[i]->common)
            buf_addf(&known, "%s\n", entries[i]->common);
    if (registry_require(registry, HOME_SHIPPED, "common.chosen", SANDBOX_LOAD_MS, &err)) {
        lua_pushcfunction(vm_lua(vm), ask_chosen);
        lua_insert(vm_lua(vm), -2);
        lua_pushlightuserdata(vm_lua(vm), choice);
        lua_pushlightuserdata(vm_lua(vm), (void *)(uintptr_t)buf_text(&known));
        if (vm_call(vm, 3, 0, SANDBOX_LOAD_MS, &err))
            err.code[0] = '\0';
    }
    if (err.code[0])
        log_warn("%s: %s", choice->path, err.text);
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
