/* sys.console.calls -- what runs in this engine, and what it waits for. */
#include <lauxlib.h>
#include <stdio.h>

#include "registry/call/call_struct.h"
#include "registry/call/caller.h"
#include "script/bind.h"
#include "script/value.h"
#include "script/vm.h"
#include "sys/console/pieces.h"

enum { LISTED_MAX = 10000, NAMED_MAX = 3 };

/* --- the waits of a task ---------------------------------------------------------------------- */

struct waits {
    const struct task *of;
    struct buf *text;
    int named, more;
};

static void add_waits(struct waits *waits, const struct task *task, struct vm *vm);

struct walk {
    struct waits *waits;
    struct vm *vm;
};

static void add_child(void *arg, struct task *task)
{
    struct walk *walk = arg;
    struct waits inner = *walk->waits;

    if (task_parent(task) != walk->waits->of)
        return;
    inner.of = task;
    add_waits(&inner, task, walk->vm);
    walk->waits->named = inner.named;
    walk->waits->more = inner.more;
}

/* Adds what a task waits for. If it waits for tasks of its own, adds what those wait for
 * instead. */
static void add_waits(struct waits *waits, const struct task *task, struct vm *vm)
{
    const struct op *op = task_op(task);
    struct walk walk = { waits, vm };

    if (op && strcmp(op->what, OP_TASKS) == 0) {
        tasks_each(vm, add_child, &walk);
        return;
    }
    if (waits->named == NAMED_MAX) {
        waits->more++;
        return;
    }
    buf_adds(waits->text, waits->named++ ? ", " : "");
    if (!op)
        buf_lit(waits->text, "its turn");
    else
        buf_addf(waits->text, "%s%s%s", op->what, op->which ? " " : "", op->which ? op->which : "");
}

/* Sets the field of the table on top, for example t.waits = "the lock office". */
static void set_waits(lua_State *L, const struct task *task)
{
    struct buf *text = bind_buffer(L); /* t, text */
    struct waits waits = { .of = task, .text = text };

    add_waits(&waits, task, vm_of(L));
    if (waits.more)
        buf_addf(text, " and %d more", waits.more);
    lua_pushlstring(L, text->len ? text->data : "", text->len);
    buf_free(text);
    lua_setfield(L, -3, "waits");
    lua_pop(L, 1);
}

/* --- the lists ------------------------------------------------------------------------------ */

struct listed {
    struct task *tasks[LISTED_MAX];
    size_t count;
    const struct task *here; /* the task that asks: it and the tasks it works for are not listed */
};

static bool works_for(const struct task *task, const struct task *other)
{
    for (; task; task = task_parent(task))
        if (task == other)
            return true;
    return false;
}

/* Lists calls, and tasks that work for no other one. */
static void list_task(void *arg, struct task *task)
{
    struct listed *listed = arg;

    if (listed->count < LISTED_MAX && !works_for(listed->here, task) &&
        (call_of_task(task) || !task_parent(task)))
        listed->tasks[listed->count++] = task;
}

static void set_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* Sets t.parent to the number of the call that made this one, if that is listed. */
static void set_parent(lua_State *L, const struct listed *listed, const struct call *call)
{
    const struct call *parent = call_parent(call);

    for (size_t i = 0; parent && i < listed->count; i++) {
        if (call_of_task(listed->tasks[i]) != parent)
            continue;
        lua_pushinteger(L, (lua_Integer)i + 1);
        lua_setfield(L, -2, "parent");
        return;
    }
}

static void push_call_row(lua_State *L, const struct listed *listed, struct call *call)
{
    static const char *const kinds[] = { "tool", "prompt", "rule", "provider", "resource" };
    const struct entry *entry = call->spec.entry;
    struct caller *caller = call_caller(call);

    lua_createtable(L, 0, 8);
    set_string(L, "kind", entry->kind < countof(kinds) ? kinds[entry->kind] : "tool");
    set_string(L, "name", entry->name);
    set_string(L, "toolset", *entry->toolset ? entry->toolset : NULL);
    set_parent(L, listed, call);
    if (caller) {
        lua_createtable(L, 0, 2);
        set_string(L, "kind", caller_kind_name(caller_kind(caller)));
        set_string(L, "name", caller_name(caller));
        lua_setfield(L, -2, "caller");
    }
}

/* Adds to the list at `list` a row: {id =, name =, age =, waits =, ...}. */
static void add_task_row(lua_State *L, const struct listed *listed, size_t at, int list)
{
    struct task *task = listed->tasks[at];
    struct call *call = call_of_task(task);

    if (call) {
        push_call_row(L, listed, call);
    } else {
        lua_createtable(L, 0, 4);
        set_string(L, "name", task_name(task));
    }
    lua_pushinteger(L, (lua_Integer)at + 1);
    lua_setfield(L, -2, "id");
    lua_pushnumber(L, call ? (double)(uv_hrtime() - call->started) / 1e9 : task_age(task));
    lua_setfield(L, -2, "age");
    set_waits(L, task);
    lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* sys.console.calls() -> calls, tasks */
int console_calls(lua_State *L)
{
    struct listed *listed;

    lua_settop(L, 0);
    listed = lua_newuserdatauv(L, sizeof *listed, 0); /* listed */
    listed->count = 0;
    listed->here = task_current(L);
    tasks_each(vm_of(L), list_task, listed);
    for (int i = 0; i < 2; i++) { /* listed, calls, tasks */
        lua_newtable(L);
        value_mark_array(L, -1);
    }
    for (size_t i = 0; i < listed->count; i++)
        add_task_row(L, listed, i, call_of_task(listed->tasks[i]) ? 2 : 3);
    return 2;
}
