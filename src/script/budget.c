/* The count hook: turns, deadlines, and the time of `<close>` variables. And the same inside C
 * functions, which no hook interrupts.
 *
 * An instruction can be the call of a C function that takes long. So the distance between two looks
 * at the clock, the pace, is not fixed: it shrinks when a stretch took long, and to nothing when a
 * large piece of memory is allocated. */
#include "script/budget.h"

#include <lauxlib.h>
#include <time.h>

#include "base/log.h"
#include "script/anchor.h"
#include "script/probe.h"
#include "script/purity.h"
#include "script/task_struct.h"
#include "script/vm_struct.h"

enum {
    PACE = 1000,
    SLICE_MS = 2,      /* time of a task before others get a turn */
    NO_YIELD_MS = 200, /* work where no turn can be given */
    CLOSE_BLOCK_MS = 200,
    STEPS_PER_MS = 20000,
    ENDLESS_MS = 3000, /* work without a wait, after which a task of a service is named */
};

static void on_count(lua_State *L, lua_Debug *ar);

/* --- pace ------------------------------------------------------------------------- */

static void set_hook(struct task *task, int pace, bool returns)
{
    int mask = LUA_MASKCOUNT;

    if (returns || (task->watch.probe && task->watch.probe->returned))
        mask |= LUA_MASKRET;
    if (task->watch.purity || (task->watch.probe && task->watch.probe->called))
        mask |= LUA_MASKCALL;
    if (task->turn.pace == pace && lua_gethookmask(task->L) == mask)
        return;
    task->turn.pace = pace;
    task->turn.returns = returns;
    lua_sethook(task->L, on_count, mask, pace);
}

static void set_pace(struct task *task, int pace)
{
    set_hook(task, pace, task->turn.returns);
}

void pace_reset(struct task *task)
{
    set_hook(task, PACE, false);
}

void pace_restore(struct task *task)
{
    lua_sethook(task->L, NULL, 0, 0);
    set_hook(task, task->turn.pace, task->turn.returns);
}

void pace_soon(struct task *task)
{
    if (task->L)
        set_pace(task, 1);
}

/* Changing it is slow in a deep recursion (lua_sethook() visits every call), so
 * it is done in few steps, and its own time does not count. */
static void adapt_pace(struct task *task, uint64_t now)
{
    uint64_t took = now - task->turn.looked_at, ms = took / MS;
    int pace = task->turn.pace;

    if (ms)
        pace = ms < (uint64_t)pace ? (int)((uint64_t)pace / ms) : 1;
    else if (took < MS / 10)
        pace = pace < PACE / 8 ? pace * 8 : PACE;
    if (pace != task->turn.pace) {
        set_pace(task, pace);
        now = uv_hrtime();
    }
    task->turn.looked_at = now;
}

/* --- ending ------------------------------------------------------------------------ */

bool task_must_end(struct task *task, uint64_t now)
{
    if (task->end.life == TASK_LIVES && task->clock.deadline && now >= task->clock.deadline) {
        task->end.life = TASK_DYING;
        task->end.fate = TASK_TIMED_OUT;
    }
    return task->end.life != TASK_LIVES;
}

void task_unwind(struct task *task)
{
    if (task->end.life == TASK_CLOSING)
        return;
    if (!task->end.place[0])
        task_note_place(task);
    task->end.life = TASK_CLOSING;
    task->end.passing = task->end.pcalls;
    task->vm->slice_start = uv_hrtime();
}

bool task_passes_on(struct task *task, int depth)
{
    if (task->end.life == TASK_DYING)
        task_unwind(task);
    return task->end.late || (task->end.life == TASK_CLOSING && depth <= task->end.passing);
}

/* --- the hook ------------------------------------------------------------------------ */

static int raise_limit(lua_State *L, const char *fmt, int ms)
{
    luaL_where(L, 0); /* the hook has no place of its own on the stack */
    lua_pushfstring(L, fmt, ms);
    lua_concat(L, 2);
    return lua_error(L);
}

uint64_t processor_time(void)
{
    struct timespec time;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        return uv_hrtime();
    return (uint64_t)time.tv_sec * 1000 * MS + (uint64_t)time.tv_nsec;
}

/* Has this slice worked for long, from when it was first looked at? Being kept from the processor
 * is not work: on a busy machine every file would be stopped while it is loaded. */
static bool slice_worked_for(struct vm *vm, int ms)
{
    if (vm->worked_slice != vm->slice_start) {
        vm->worked_slice = vm->slice_start;
        vm->worked_since = processor_time();
    }
    return processor_time() - vm->worked_since > (uint64_t)ms * MS;
}

/* Code that closes something is not interrupted at once: most of it ends soon, and a caller that
 * waits for the stopped task then finds it closed. */
static uint64_t slice_ms(const struct task *task)
{
    return task->kind == TASK_CLOSER && task->arg ? CLOSE_BLOCK_MS : SLICE_MS;
}

/* Collects garbage until there is room, or, after two whole cycles, raises: the first may have
 * begun before the garbage was some. In steps where others can have their turns between them. */
static void make_task_room(lua_State *L, struct task *task)
{
    uint64_t until = lua_isyieldable(L) ? uv_hrtime() + SLICE_MS * MS : UINT64_MAX;

    if (!task->memory.cycles)
        task->memory.cycles = 2;
    while (!vm_has_room(task->vm, task) && task->memory.cycles && uv_hrtime() < until)
        task->memory.cycles -= lua_gc(L, LUA_GCSTEP, 0) == 1;
    if (!vm_has_room(task->vm, task) && task->memory.cycles) {
        pace_soon(task);
        return;
    }
    task->memory.full = false;
    task->memory.cycles = 0;
    if (vm_has_room(task->vm, task))
        return;
    task->vm->collect = 2;
    vm_push_shortage(L);
    lua_pop(L, 1);
    lua_error(L);
}

/* A loop without an end in a service takes no turn from others, so nothing else would show it. A
 * script may compute for long. */
static void tell_of_endless(lua_State *L, struct task *task)
{
    static const char service[] = "service ";
    const char *owner;

    task->turn.filled++;
    if (task->clock.deadline || task->turn.filled != ENDLESS_MS / SLICE_MS)
        return;
    owner = anchors_owner(L);
    if (owner && strncmp(owner, service, sizeof service - 1) == 0)
        log_warn("%s: %s has worked for %d s without waiting, now at %s. If that loop has no end, "
                 "correct it. If it has one, let it wait now and then",
                 owner, task_name(task), ENDLESS_MS / 1000, task->end.place);
}

/* A yield cannot be caught by pcall, an error can: so it yields where it may,
 * and raises only inside callbacks of C functions (sort, gsub), where the pcalls
 * of the sandbox pass it on. */
static void hook_task(lua_State *L, struct task *task, uint64_t now)
{
    uint64_t ran = now - task->vm->slice_start;
    bool over = task_must_end(task, now);

    if (task->end.life == TASK_CLOSING) {
        if (ran > CLOSE_BLOCK_MS * MS) {
            task->end.late = true;
            raise_limit(L, "a __close handler took longer than %d ms", CLOSE_BLOCK_MS);
        }
        return;
    }
    if (ran < slice_ms(task) * MS && !over)
        return;
    task_note_place(task); /* after a yield of the hook Lua knows only the instruction before */
    if (lua_isyieldable(L)) {
        tell_of_endless(L, task);
        lua_yield(L, 0);
        return;
    }
    set_hook(task, task->turn.pace,
             true); /* its turn ends when C has its call back: see on_return() */
    if (over) {
        task_unwind(task);
        raise_limit(L, "stopped", 0);
    } else if (slice_worked_for(task->vm, NO_YIELD_MS)) {
        task->end.life = TASK_DYING;
        task->end.fate = TASK_FAILED;
        task_unwind(task);
        raise_limit(L, "a metamethod or a function called from C ran for %d ms without a break",
                    NO_YIELD_MS);
    }
}

/* A loop of calls through C (tostring, sort) may never be seen outside of them. Where the first of
 * them returns to code that may yield, the next instruction is looked at: a hook of returns cannot
 * yield itself. */
static void on_return(lua_State *L, struct task *task)
{
    if (lua_isyieldable(L))
        set_hook(task, 1, false);
}

/* The budget of a vm_call() is of work, too: until it is used up its deadline moves on. */
static void hook_main(lua_State *L, struct vm *vm, uint64_t now)
{
    uint64_t worked = processor_time() - vm->call_began, budget = vm->call_budget_ms * MS;

    if (worked < budget) {
        vm->call_deadline = now + budget - worked;
        return;
    }
    vm->main.end.late = true; /* no pcall is to catch it */
    raise_limit(L, "took longer than %d ms", (int)vm->call_budget_ms);
}

static void on_count(lua_State *L, lua_Debug *ar)
{
    struct task *task = task_of(L);
    struct vm *vm = task->vm;
    uint64_t now;

    if (ar && ar->event == LUA_HOOKRET) {
        if (task->watch.probe && task->watch.probe->returned)
            task->watch.probe->returned(task->watch.probe, task, L, ar);
        if (task->turn.returns)
            on_return(L, task);
        return;
    }
    if (ar && ar->event != LUA_HOOKCOUNT) {
        if (task->watch.probe && task->watch.probe->called)
            task->watch.probe->called(task->watch.probe, task, L, ar);
        if (task->watch.purity)
            purity_on_call(L, ar);
        return;
    }
    watchdog_beat(vm->watchdog);
    if (task->memory.full && task->end.life != TASK_CLOSING)
        make_task_room(L, task);
    now = uv_hrtime();
    if (UNLIKELY(task->watch.probe != NULL) && task->watch.probe->looked)
        task->watch.probe->looked(task->watch.probe, task, L, now);
    adapt_pace(task, now);
    if (task->memory.full)
        pace_soon(task);
    if (task != &vm->main)
        hook_task(L, task, now);
    else if (vm->call_deadline && now > vm->call_deadline)
        hook_main(L, vm, now);
}

/* --- inside C functions --------------------------------------------------------------- */

bool budget_exceeds(const struct budget *budget, int ms)
{
    uint64_t limit = (uint64_t)ms * MS;

    return budget->took > limit && budget->steps > (uint64_t)ms * STEPS_PER_MS &&
           processor_time() - budget->worked_before > limit;
}

/* The task yields here and is not resumed, which no pcall can catch. */
static void end_task_now(lua_State *L, struct task *task)
{
    task_note_place(task);
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

    if (!budget->since) {
        budget->since = now;
        budget->worked_before = processor_time();
    }
    budget->took = now - budget->since;
    budget->steps += (uint64_t)budget->done;
    budget->done = 0;
    if (task == &task->vm->main || task->end.life == TASK_CLOSING) {
        on_count(L, NULL); /* raises when their time is over */
        return;
    }
    if (task_must_end(task, now))
        end_task_now(L, task);
    if (now - task->turn.looked_at > MS)
        pace_soon(task); /* a loop of such calls is to be seen by the hook */
    may_yield = lua_isyieldable(L);
    if (!may_yield && budget_exceeds(budget, NO_YIELD_MS))
        luaL_error(L, "this worked for %d ms without a break. Give it less to do at a time",
                   NO_YIELD_MS);
    budget->over = may_yield && now - task->vm->slice_start > SLICE_MS * MS;
}
