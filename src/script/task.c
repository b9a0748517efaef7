/* Coroutines over the loop: start, park, wake, preempt, end.
 *
 * Only the engine makes coroutines (scripts have no `coroutine` library), so a
 * yield has two causes: a binding parked the task (task->op is set), or the
 * count hook put it aside. Ended coroutines are reset and used again. A message handler
 * takes the traceback of an error, before the stack is unwound. */
#include "script/task.h"

#include <lauxlib.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "script/budget.h"
#include "script/clock.h"
#include "script/probe.h"
#include "script/show.h"
#include "script/vm_struct.h"

enum {
    LOOP_TURN_MS = 5, /* Lua in one round of the loop, and again for tasks that start in it */
    POOL_MAX = 64,    /* ended tasks that are kept to be used again */
};

static void task_finish(struct task *task, enum task_end end, int nresults);
static void want_turn(struct vm *vm);

/* --- what each coroutine runs ------------------------------------------------------ */

/* A copy without the last line, which is task_body() below. */
static char *copy_trace(const char *trace)
{
    static const char last[] = "\n\t[C]: in ?";
    size_t len = strlen(trace);

    if (len > sizeof last - 1 && strcmp(trace + len - (sizeof last - 1), last) == 0)
        len -= sizeof last - 1;
    return mem_strndup(trace, len);
}

/* Message handler: keeps where the error came from, before the stack is unwound. */
static int on_task_error(lua_State *L)
{
    struct task *task = task_of(L);
    const char *text;

    if (task->end.life == TASK_DYING)
        task_unwind(task);
    task->spare = true;
    lua_pushvalue(L, 1); /* a number stays a number */
    text = lua_tostring(L, -1);
    if (!text)
        text = show_push_error(L, 1);
    luaL_traceback(L, L, text, 1);
    task->spare = false;
    free(task->end.traceback);
    task->end.traceback = copy_trace(lua_tostring(L, -1));
    lua_settop(L, 1);
    return 1;
}

static int body_ended(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - 1;
    return lua_error(L);
}

/* Each coroutine runs this: its function under a pcall. An error that the hook raises leaves hooks
 * switched off in a coroutine until a pcall has caught it, and then nothing could stop its
 * `<close>` variables, nor its next user. */
static int task_body(lua_State *L)
{
    lua_pushcfunction(L, on_task_error);
    lua_insert(L, 1); /* handler, function, args... */
    return body_ended(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 1, 0, body_ended), 0);
}

/* --- life ---------------------------------------------------------------------- */

/* (task) */
static int make_thread(lua_State *L)
{
    struct task *task = lua_touserdata(L, 1);

    task->L = lua_newthread(L);                 /* thread */
    task->ref = luaL_ref(L, LUA_REGISTRYINDEX); /* - */
    *(struct task **)lua_getextraspace(task->L) = task;
    return 0;
}

static struct task *task_make(struct vm *vm, struct error *err)
{
    struct link *link = list_pop(&vm->pool);
    struct task *task;

    if (link) {
        vm->pooled--;
        return container_of(link, struct task, all);
    }
    task = mem_zero(sizeof *task);
    task->vm = vm;
    if (vm_run(vm, make_thread, task, err))
        return task;
    free(task);
    return NULL;
}

/* By hand: this is on the path of every call, and printf is not cheap. */
static void copy_name(struct task *task, const char *name)
{
    size_t len = strlen(name);

    if (len >= sizeof task->name)
        len = sizeof task->name - 1;
    memcpy(task->name, name, len);
    task->name[len] = '\0';
}

static void task_put(struct task *task);

/* One with room for a function and its arguments. */
static struct task *task_with_room(struct vm *vm, int nargs, struct error *err)
{
    struct task *task = task_make(vm, err);

    if (!task || lua_checkstack(task->L, nargs + LUA_MINSTACK))
        return task;
    task_put(task);
    error_set(err, "memory", "not enough memory");
    return NULL;
}

struct task *task_new(lua_State *from, int nargs, const struct task_spec *spec, struct error *err)
{
    struct vm *vm = task_of(from)->vm;
    struct task *task = task_with_room(vm, nargs, err);
    struct task *parent = spec->parent;

    if (!task) {
        lua_pop(from, nargs + 1);
        return NULL;
    }
    memset((char *)task + offsetof(struct task, clock), 0,
           sizeof *task - offsetof(struct task, clock));
    copy_name(task, spec->name ? spec->name : "task");
    list_init(&task->ready);
    list_init(&task->at_end);
    list_push(&vm->tasks, &task->all);
    task->clock.timeout_ms = spec->timeout_ms;
    task->made = uv_hrtime();
    task->clock.deadline = spec->timeout_ms ? task->made + spec->timeout_ms * MS : 0;
    task->memory.limit = (int64_t)spec->memory;
    task->memory.payer = parent && !parent->memory.limit ? parent->memory.payer : parent;
    task->kind = spec->loading ? TASK_LOADER : TASK_PLAIN;
    task->watch.probe = spec->probe;
    task->kin.parent = parent;
    task->ended = spec->ended;
    task->arg = spec->arg;
    task->context = spec->context;
    task->print = spec->print;
    if (parent) {
        task->kin.alongside = spec->alongside;
        task_top(task)->kin.beside += task->kin.alongside;
        parent->kin.below += !task->kin.alongside;
        if (!task->watch.probe)
            task->watch.probe = parent->watch.probe;
        task->kin.family = parent->kin.family;
        if (!task->context)
            task->context = parent->context;
        if (!task->print)
            task->print = parent->print;
        if (parent->clock.deadline &&
            (!task->clock.deadline || parent->clock.deadline < task->clock.deadline)) {
            task->clock.deadline = parent->clock.deadline;
            task->clock.timeout_ms = parent->clock.timeout_ms;
        }
    }
    pace_reset(task);
    lua_pushcfunction(task->L, task_body); /* body */
    lua_xmove(from, task->L, nargs + 1);   /* body, function, args... */
    task->nargs = nargs + 1;
    return task;
}

static void on_task_timer_closed(uv_handle_t *handle)
{
    struct task *task = handle->data;
    struct vm *vm = task->vm;

    free(task);
    if (--vm->handles == 0 && vm->closed)
        free(vm);
}

/* The coroutine goes; so does the struct, once its timer handle is closed. */
static void task_release(struct task *task)
{
    luaL_unref(task->vm->L, LUA_REGISTRYINDEX, task->ref);
    if (!task->timer_made) {
        free(task);
        return;
    }
    uv_close((uv_handle_t *)&task->timer, on_task_timer_closed);
}

static void task_put(struct task *task)
{
    struct vm *vm = task->vm;

    if (vm->closed || vm->pooled >= POOL_MAX || task->spent) {
        task_release(task);
        return;
    }
    list_push(&vm->pool, &task->all);
    vm->pooled++;
}

static void task_recycle(struct task *task)
{
    lua_settop(task->L, 0);
    free(task->end.traceback);
    task->end.traceback = NULL;
    task_put(task);
}

/* Runs the <close> variables. lua_resetthread() leaves the coroutine reusable, but for one thing:
 * it forgets that the pcall of task_body() is over where the coroutine was waiting (Lua 5.4.4). The
 * next user's errors would then reach on_task_error() twice, the second time without their stack.
 */
static void close_thread(struct task *task)
{
    struct vm *vm = task->vm;
    struct task *outer = vm->running;
    uint64_t outer_start = vm->slice_start;
    bool failed = lua_status(task->L) > LUA_YIELD;
    int status;

    task->spent = lua_status(task->L) == LUA_YIELD;
    task->kin.outer = outer;
    vm->running = task;
    task_unwind(task);
    vm->slice_start = task->turn.looked_at = uv_hrtime();
    task->end.pcalls = task->end.passing = 0;
#if LUA_VERSION_RELEASE_NUM >= 50406
    status = lua_closethread(task->L, outer ? outer->L : vm->L);
#else
    status = lua_resetthread(task->L);
#endif
    vm->running = outer;
    vm->slice_start = outer_start;
    if (status != LUA_OK && !failed)
        log_warn("%s: while closing: %s", task->name,
                 lua_isstring(task->L, -1) ? lua_tostring(task->L, -1) : "error");
}

/* It starts now, or never. */
static void leave_behind(struct task *task)
{
    task->vm->behind -= task->behind;
    task->behind = false;
}

static struct task_hook *take_hook(struct task *task, bool last)
{
    list_each (link, &task->at_end) {
        struct task_hook *hook = container_of(link, struct task_hook, link);

        if (hook->last != last)
            continue;
        list_remove(link);
        return hook;
    }
    return NULL;
}

static void call_hooks(struct task *task, bool last)
{
    struct task_hook *hook;

    while ((hook = take_hook(task, last))) /* each may take back others */
        hook->fn(hook);
}

static void task_finish(struct task *task, enum task_end end, int nresults)
{
    struct vm *vm = task->vm;

    leave_behind(task);
    list_remove(&task->ready);
    list_remove(&task->all);
    task->end.fate = end;
    clock_stop(task);
    call_hooks(task, false);
    if (task->kin.alongside)
        task_top(task)->kin.beside--;
    else if (task->kin.parent)
        task->kin.parent->kin.below--;
    if (end == TASK_DONE) {
        task->ended(task->arg, task, end, nresults);
    } else if (end == TASK_FAILED) {
        /* the error and its traceback are read off the stack before it is unwound */
        task->ended(task->arg, task, end, 1);
        close_thread(task);
    } else {
        close_thread(task);
        task->ended(task->arg, task, end, 0);
    }
    call_hooks(task, true);
    if (UNLIKELY(task->watch.probe != NULL) && task->watch.probe->ended)
        task->watch.probe->ended(task->watch.probe, task);
    task_recycle(task);
    vm_settle(vm);
    if (vm->collect && !vm->closed)
        want_turn(vm);
}

/* --- turns ---------------------------------------------------------------------- */

static void make_ready(struct task *task)
{
    struct vm *vm = task->vm;

    if (list_empty(&vm->ready))
        want_turn(vm);
    list_remove(&task->ready); /* one that must end may be there already */
    list_push(&vm->ready, &task->ready);
}

/* Cancels the wait. If it was for a child, the child says where that was. */
static void drop_wait(struct task *task)
{
    if (!task->op)
        return;
    task->end.waited = true;
    task->op->cancel(task->op);
    task->op = NULL;
}

void task_step(struct task *task)
{
    struct vm *vm = task->vm;
    struct task *outer = vm->running;
    uint64_t outer_start = vm->slice_start;
    int nargs = task->nargs;
    int nresults = 0;
    int status;

    leave_behind(task);
    task->nargs = 0;
    task->turn.looked_at = uv_hrtime();
    if (task_must_end(task, task->turn.looked_at)) { /* a parent's deadline may wake it, too */
        drop_wait(task);
        task_finish(task, task->end.fate, 0);
        return;
    }
    task->kin.outer = outer;
    vm->running = task;
    vm->slice_start = task->turn.looked_at;
    if (UNLIKELY(task->watch.probe != NULL) && task->watch.probe->begins)
        task->watch.probe->begins(task->watch.probe, task, task->turn.looked_at);
    vm_enter(vm);
    status = lua_resume(task->L, outer ? outer->L : vm->L, nargs, &nresults);
    vm_leave(vm);
    if (UNLIKELY(task->watch.probe != NULL) && task->watch.probe->leaves)
        task->watch.probe->leaves(task->watch.probe, task, uv_hrtime());
    vm->running = outer;
    vm->slice_start = outer_start;

    if (task->end.life != TASK_LIVES &&
        task->end.fate != TASK_FAILED) { /* timed out or cancelled while it ran */
        drop_wait(task);
        task_finish(task, task->end.fate, 0);
    } else if (status == LUA_OK && task->end.life == TASK_LIVES) {
        task_finish(task, TASK_DONE, nresults);
    } else if (status != LUA_YIELD) {
        task_finish(task, TASK_FAILED, 1);
    } else {
        lua_pop(task->L, nresults);
        if (task->clock.deadline && !clock_is_armed(task))
            clock_arm(task);
        if (!task->op)
            make_ready(task); /* put aside by the hook */
    }
}

/* First come, first served, also those that get ready meanwhile; but a round of the
 * loop gives at most LOOP_TURN_MS to Lua, so that input is read. False: nothing is left to do. */
static bool take_vm_turn(struct vm *vm)
{
    uint64_t start = uv_hrtime();
    struct link *link;

    while (uv_hrtime() - start <= LOOP_TURN_MS * MS && (link = list_pop(&vm->ready)))
        task_step(container_of(link, struct task, ready));
    return !list_empty(&vm->ready) || vm_collect_some(vm);
}

void vm_turn(struct vm *vm)
{
    vm->spent = 0;
    if (!take_vm_turn(vm) && vm->loop)
        uv_idle_stop(&vm->turn);
}

bool vm_wants_turn(const struct vm *vm)
{
    return !list_empty(&vm->ready) || vm->collect;
}

static void on_turn(uv_idle_t *idle)
{
    struct vm *vm = idle->data;

    if (!take_vm_turn(vm))
        uv_idle_stop(&vm->turn);
}

/* Without a loop, whoever has the VM takes its turns anyway. */
static void want_turn(struct vm *vm)
{
    if (vm->loop)
        uv_idle_start(&vm->turn, on_turn);
}

void vm_tidy(struct vm *vm)
{
    vm->collect = vm->collect ? vm->collect : 1;
    want_turn(vm);
}

static void on_round(uv_prepare_t *round)
{
    struct vm *vm = round->data;

    vm->spent = 0;
}

/* Where many calls come in one piece of input, those that come after the first few milliseconds of
 * work start in rounds of their own, in the order in which they came. */
static void start_task_now(struct task *task)
{
    struct vm *vm = task->vm;
    uint64_t start;

    if (vm->behind || vm->spent > LOOP_TURN_MS * MS) {
        task->behind = true;
        vm->behind++;
        make_ready(task);
        return;
    }
    start = uv_hrtime();
    task_step(task);
    vm->spent += uv_hrtime() - start;
}

void task_go(struct task *task)
{
    if (task->vm->running)
        make_ready(task);
    else
        start_task_now(task);
}

void task_go_later(struct task *task)
{
    make_ready(task);
}

bool task_turn(struct task *task)
{
    if (task->op || task->vm->running)
        return false;
    list_remove(&task->ready);
    if (task->vm->loop && !vm_wants_turn(task->vm))
        uv_idle_stop(&task->vm->turn);
    task_step(task);
    return true;
}

/* Does it run, or one below it? So do all that are to go on when the running one lets them. */
static bool is_under_way(const struct task *task)
{
    for (const struct task *at = task->vm->running; at; at = at->kin.outer)
        for (const struct task *up = at; up; up = up->kin.parent)
            if (up == task)
                return true;
    return false;
}

void task_cancel(struct task *task)
{
    if (task->end.life == TASK_LIVES) {
        task->end.life = TASK_DYING;
        task->end.fate = TASK_CANCELLED;
    }
    if (!is_under_way(task)) {
        drop_wait(task);
        task_finish(task, task->end.fate, 0);
    } else if (task->op) {
        make_ready(task); /* it waits while one below it runs, and ends in a turn of its own */
    }                     /* else it ends at its next step */
}

/* --- for bindings ---------------------------------------------------------------- */

struct task *task_here(lua_State *L)
{
    struct task *task = task_of(L);

    if (task->end.life == TASK_CLOSING)
        luaL_error(L, "cannot wait here: the call is being stopped");
    if (task == &task->vm->main || task->kind == TASK_LOADER)
        luaL_error(L, "cannot wait while a file is loaded. Call this from a function");
    if (!lua_isyieldable(L))
        luaL_error(L, "cannot wait here: in a metamethod called from C, or in a __close handler");
    return task;
}

static void set_wait(struct task *task, struct op *op)
{
    task->op = op;
    task->turn.filled = 0;
    task->end.place[0] = '\0';
}

int task_park(lua_State *L, struct op *op)
{
    set_wait(task_of(L), op);
    return lua_yield(L, 0);
}

int task_park_then(lua_State *L, struct op *op, lua_KContext context, lua_KFunction after)
{
    set_wait(task_of(L), op);
    return lua_yieldk(L, 0, context, after);
}

void task_wake(struct op *op, int nresults)
{
    struct task *task = op->task;

    task->op = NULL;
    task->nargs = nresults;
    make_ready(task);
}

/* --- with the VM -------------------------------------------------------------------- */

void tasks_init(struct vm *vm)
{
    list_init(&vm->tasks);
    list_init(&vm->ready);
    list_init(&vm->pool);
    if (!vm->loop)
        return;
    uv_idle_init(vm->loop, &vm->turn);
    uv_prepare_init(vm->loop, &vm->round);
    vm->turn.data = vm->round.data = vm;
    uv_prepare_start(&vm->round, on_round);
    uv_unref((uv_handle_t *)&vm->round);
    vm->handles = 2;
}

static void on_vm_handle_closed(uv_handle_t *handle)
{
    struct vm *vm = handle->data;

    if (--vm->handles == 0)
        free(vm);
}

void tasks_close(struct vm *vm)
{
    struct link *link;

    vm->ending = true;
    while (!list_empty(&vm->tasks))
        task_cancel(container_of(vm->tasks.next, struct task, all));
    vm->closed = true;
    while ((link = list_pop(&vm->pool)))
        task_release(container_of(link, struct task, all));
    lua_close(vm->L);
    tasks_closed(vm);
}

void tasks_closed(struct vm *vm)
{
    if (!vm->loop) {
        free(vm);
        return;
    }
    uv_close((uv_handle_t *)&vm->turn, on_vm_handle_closed);
    uv_close((uv_handle_t *)&vm->round, on_vm_handle_closed);
}
