/* Turns and deadlines inside C functions; what hook_task() is to Lua.
 *
 * A task that must end yields here and is not resumed, which no pcall can catch. */
#include "script/budget.h"

#include <lauxlib.h>

#include "script/vm_private.h"

#define MS ((uint64_t)1000000)

enum { TURN_MS = 2, WHOLE_MS = 200, STEPS_PER_MS = 20000 };

bool budget_exceeds(const struct budget *budget, int ms)
{
    return budget->took > (uint64_t)ms * MS && budget->steps > (uint64_t)ms * STEPS_PER_MS;
}

static void end_now(lua_State *L, struct task *task)
{
    if (lua_isyieldable(L))
        lua_yield(L, 0);
    task_unwind(task); /* the pcalls that are under way pass the error on */
    luaL_error(L, "stopped");
}

void budget_look(struct budget *budget)
{
    lua_State *L = budget->L;
    struct task *task = task_of(L);
    uint64_t now = uv_hrtime();
    bool may_yield;

    if (!budget->since)
        budget->since = now;
    budget->took = now - budget->since;
    budget->steps += (uint64_t)budget->done;
    budget->done = 0;
    if (task == &task->vm->main || task->closing) {
        vm_hook(L, NULL); /* raises when their time is over */
        return;
    }
    if (task_must_end(task, now))
        end_now(L, task);
    if (now - task->looked_at > MS)
        pace_soon(task); /* a loop of such calls is to be seen by the hook */
    may_yield = !budget->whole && lua_isyieldable(L);
    if (!may_yield && budget_exceeds(budget, WHOLE_MS))
        luaL_error(L, "this worked for %d ms without a break; give it less to do at a time",
                   WHOLE_MS);
    budget->over = may_yield && now - task->vm->slice_start > TURN_MS * MS;
}
