/* Turns and deadlines inside C functions; what hook_task() is to Lua.
 *
 * A task that must end yields here and is not resumed, which no pcall can catch. */
#include "script/stint.h"

#include <lauxlib.h>

#include "script/vm_private.h"

#define MS ((uint64_t)1000000)

enum { TURN_MS = 2, WHOLE_MS = 200, STEPS_PER_MS = 20000 };

bool stint_exceeds(const struct stint *stint, int ms)
{
    return stint->took > (uint64_t)ms * MS && stint->steps > (uint64_t)ms * STEPS_PER_MS;
}

static void end_now(lua_State *L, struct task *task)
{
    if (lua_isyieldable(L))
        lua_yield(L, 0);
    task_unwind(task); /* the pcalls that are under way pass the error on */
    luaL_error(L, "stopped");
}

void stint_look(struct stint *stint)
{
    lua_State *L = stint->L;
    struct task *task = task_of(L);
    uint64_t now = uv_hrtime();
    bool may_yield;

    if (!stint->since)
        stint->since = now;
    stint->took = now - stint->since;
    stint->steps += (uint64_t)stint->done;
    stint->done = 0;
    if (task == &task->vm->main || task->closing) {
        vm_hook(L, NULL); /* raises when their time is over */
        return;
    }
    if (task_must_end(task, now))
        end_now(L, task);
    if (now - task->looked_at > MS)
        pace_soon(task); /* a loop of such calls is to be seen by the hook */
    may_yield = !stint->whole && lua_isyieldable(L);
    if (!may_yield && stint_exceeds(stint, WHOLE_MS))
        luaL_error(L, "this worked for %d ms without a break; give it less to do at a time",
                   WHOLE_MS);
    stint->over = may_yield && now - task->vm->slice_start > TURN_MS * MS;
}
