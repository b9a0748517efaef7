/* A parked coroutine has no one who would catch an error: values for it are made on the main state,
 * under vm_call(), and moved. */
#include "script/wake.h"

#include "script/vm_struct.h"

static int push_error(lua_State *L)
{
    return bind_error(L, lua_touserdata(L, 1));
}

static bool try_wake(struct op *op, lua_CFunction push, void *job, struct error *err)
{
    lua_State *to = op->task->L;
    int top = lua_gettop(to);

    if (!vm_push(op->task->vm, to, push, job, LUA_MULTRET, err))
        return false;
    task_wake(op, lua_gettop(to) - top);
    return true;
}

void task_wake_with(struct op *op, lua_CFunction push, void *job)
{
    struct error err, again;

    if (!try_wake(op, push, job, &err) && !try_wake(op, push_error, &err, &again))
        task_wake(op, vm_push_shortage(op->task->L));
}

void task_wake_error(struct op *op, const struct error *err)
{
    struct error copy = *err;

    task_wake_with(op, push_error, &copy);
}
