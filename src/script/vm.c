/* The state, its allocator and the one protected way into it.
 *
 * Each lua_State carries its struct task in the extra space Lua keeps in front
 * of every thread; the main state carries vm->main, so that any binding finds
 * the VM from whatever state it is called with. */
#include "script/vm.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/leave.h"
#include "base/log.h"
#include "script/budget.h"
#include "script/show.h"
#include "script/value.h"
#include "script/vm_struct.h"

enum {
    DEFAULT_MEMORY = 256 * 1024 * 1024,
    RESERVE = 64 * 1024 * 1024, /* for values the engine pushes outside of any protected call */
    COLLECT_MS = 2,             /* collecting garbage in one round of the loop */
    LARGE_BYTES = 1024 * 1024,  /* an allocation after which the clock is looked at soon */
    GARBAGE_BYTES = 32 * 1024 * 1024, /* in use more than before: it is worth a collection */
};

/* The task whose limit counts next: this one, or one it works for. */
static struct task *payer_of(struct task *task)
{
    return task && !task->memory.limit ? task->memory.payer : task;
}

/* Is there room for so much more within the limits, and beyond them by one `slack`th (0: none)? */
static bool memory_has_room(const struct vm *vm, struct task *task, size_t more, int slack)
{
    size_t limit = vm->memory_limit + (slack ? vm->memory_limit / (size_t)slack : 0);

    if (vm->memory + more > limit)
        return false;
    for (struct task *payer = payer_of(task); payer; payer = payer->memory.payer) {
        int64_t most = payer->memory.limit + (slack ? payer->memory.limit / slack : 0);

        if (payer->memory.used + (int64_t)more > most) {
            task->memory.refused = payer->memory.limit;
            return false;
        }
    }
    return true;
}

bool vm_has_room(const struct vm *vm, struct task *task)
{
    return memory_has_room(vm, task, 0, 0);
}

/* When it is refused, Lua collects all garbage at once, for some tenths of a second. So a task may
 * go beyond its limit by half until its next instruction: there its hook collects in steps. */
static bool may_allocate(struct vm *vm, struct task *task, size_t more)
{
    if (task ? task->spare : vm->L && !vm->calls)
        return vm->memory + more <= vm->memory_limit / 2 * 3 + RESERVE;
    if (memory_has_room(vm, task, more, 0))
        return true;
    if (!memory_has_room(vm, task, more, 2))
        return false;
    if (task && !task->memory.full) {
        task->memory.full = true;
        pace_soon(task);
    }
    return true;
}

/* A task may collect another one's garbage, so a count is kept between nothing and all memory in
 * use. */
static void charge_task(struct vm *vm, struct task *task, int64_t change)
{
    for (struct task *payer = payer_of(task); payer; payer = payer->memory.payer) {
        payer->memory.used += change;
        if (payer->memory.used < 0)
            payer->memory.used = 0;
        else if (payer->memory.used > (int64_t)vm->memory)
            payer->memory.used = (int64_t)vm->memory;
    }
}

static void *vm_alloc(void *arg, void *ptr, size_t old, size_t size)
{
    struct vm *vm = arg;
    struct task *task = vm->running;
    size_t had = ptr ? old : 0;

    if (size > had) {
        if (size - had >= LARGE_BYTES)
            pace_soon(task ? task : &vm->main);
        if (!may_allocate(vm, task, size - had)) {
            vm->collect = 2; /* the one under way may have seen all as in use */
            return NULL;
        }
    }
    if (size == 0) {
        free(ptr);
        ptr = NULL;
    } else {
        ptr = realloc(ptr, size);
        if (!ptr) {
            vm->collect = 2;
            return NULL;
        }
    }
    vm->memory += size - had;
    charge_task(vm, task, (int64_t)size - (int64_t)had);
    return ptr;
}

static int vm_panic(lua_State *L)
{
    const char *text = lua_tostring(L, -1);

    fprintf(stderr, "perigee: unprotected Lua error: %s\n", text ? text : "(no message)");
    return 0; /* Lua aborts */
}

/* The finalizer of the oldest object, which lua_close() calls as the last one. */
static int leave_close(lua_State *L)
{
    struct vm *vm = vm_of(L);

    if (vm->leaving)
        longjmp(vm->way_out, 1);
    return 0;
}

/* Made before any other object with a finalizer. */
static void make_oldest(lua_State *L)
{
    lua_newuserdatauv(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, leave_close);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Only what the sandbox copies from: no io, os, debug, package, coroutine. */
static void open_base(lua_State *L)
{
    static const luaL_Reg libs[] = {
        { LUA_GNAME, luaopen_base },        { LUA_TABLIBNAME, luaopen_table },
        { LUA_STRLIBNAME, luaopen_string }, { LUA_MATHLIBNAME, luaopen_math },
        { LUA_UTF8LIBNAME, luaopen_utf8 },
    };

    for (size_t i = 0; i < countof(libs); i++) {
        luaL_requiref(L, libs[i].name, libs[i].func, 1); /* module */
        lua_pop(L, 1);                                   /* - */
    }
}

/* The messages for a lack of memory must exist before it. The second is Lua's own, which it makes
 * when a message handler fails, outside of any protection. */
static const char *const said[] = { "not enough memory", "error in error handling", "memory" };

static int open_protected(lua_State *L)
{
    make_oldest(L);
    open_base(L);
    value_init(L);
    for (size_t i = 0; i < countof(said); i++) {
        lua_pushstring(L, said[i]);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &said[i]);
    }
    return 0;
}

struct vm *vm_new(uv_loop_t *loop, const struct vm_limits *limits, struct error *err)
{
    struct vm *vm = mem_zero(sizeof *vm);

    vm->loop = loop;
    vm->memory_limit = limits && limits->memory ? limits->memory : DEFAULT_MEMORY;
    vm->L = lua_newstate(vm_alloc, vm);
    if (!vm->L) {
        free(vm);
        error_set(err, "memory", "not enough memory for Lua");
        return NULL;
    }
    vm->main = (struct task){ .vm = vm, .L = vm->L, .ref = LUA_NOREF, .name = "main" };
    *(struct task **)lua_getextraspace(vm->L) = &vm->main;
    lua_atpanic(vm->L, vm_panic);
    pace_reset(&vm->main);
    tasks_init(vm);
    if (vm_run(vm, open_protected, NULL, err))
        return vm;
    vm_free(vm);
    return NULL;
}

void vm_free(struct vm *vm)
{
    if (!vm)
        return;
    watchdog_free(vm->watchdog);
    vm->watchdog = NULL;
    tasks_close(vm);
}

void vm_end(struct vm *vm)
{
    if (!vm)
        return;
    vm->leaving = LEAVE_MEMORY;
    if (setjmp(vm->way_out) == 0)
        vm_free(vm);
    else
        tasks_closed(vm);
}

void vm_watch(struct vm *vm)
{
    if (!vm->watchdog)
        vm->watchdog = watchdog_new(vm);
}

void vm_before(struct vm *vm, void (*fn)(struct vm *vm), const char *const *except)
{
    vm->before = fn;
    vm->before_except = except;
}

void vm_print_to(struct vm *vm, void (*print)(void *context, const char *text, size_t len))
{
    vm->print = print;
}

void vm_enter(struct vm *vm)
{
    watchdog_enter(vm->watchdog);
}

void vm_leave(struct vm *vm)
{
    watchdog_leave(vm->watchdog);
}

lua_State *vm_lua(struct vm *vm)
{
    return vm->L;
}

uv_loop_t *vm_loop(struct vm *vm)
{
    return vm->loop;
}

struct vm *vm_of(lua_State *L)
{
    return task_of(L)->vm;
}

size_t vm_memory(const struct vm *vm)
{
    return vm->memory;
}

struct task *vm_running(const struct vm *vm)
{
    return vm->running;
}

/* Small pieces stay with the C library, which keeps what is below the last one that is in use. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void vm_settle(struct vm *vm)
{
    if (vm->memory < vm->settled)
        vm->settled = vm->memory;
    if (vm->memory > vm->settled + GARBAGE_BYTES && !vm->collect)
        vm->collect = 2; /* the one under way may have seen all as in use */
}

bool vm_collect_some(struct vm *vm)
{
    uint64_t start = uv_hrtime();

    while (vm->collect && uv_hrtime() - start < COLLECT_MS * MS)
        if (lua_gc(vm->L, LUA_GCSTEP, 0) && --vm->collect == 0) {
            vm->settled = vm->memory;
            give_back_memory();
        }
    return vm->collect > 0;
}

/* Message handler: keeps the message and logs where it came from. */
static int on_vm_error(lua_State *L)
{
    if (lua_isstring(L, 1)) {
        luaL_traceback(L, L, lua_tostring(L, 1), 1); /* message, trace */
        log_debug("%s", lua_tostring(L, -1));
        lua_pop(L, 1); /* message */
    } else {
        show_push(L, 1, NULL);
    }
    return 1;
}

bool vm_call(struct vm *vm, int nargs, int nresults, uint64_t budget_ms, struct error *err)
{
    lua_State *L = vm->L;
    int handler = lua_gettop(L) - nargs;
    uint64_t outer = vm->call_deadline;
    int status;
    bool late;

    if (!lua_checkstack(L, LUA_MINSTACK)) {
        lua_settop(L, handler - 1);
        return error_set(err, "memory", "not enough memory");
    }
    lua_pushcfunction(L, on_vm_error);
    lua_insert(L, handler); /* handler, function, args... */
    if (budget_ms && !outer) {
        vm->call_deadline = uv_hrtime() + budget_ms * 1000000;
        vm->call_budget_ms = budget_ms;
        vm->call_began = processor_time();
    }
    if (!vm->calls++)
        vm->main.end.late = false;
    vm->main.turn.looked_at = uv_hrtime();
    vm_enter(vm);
    status = lua_pcall(L, nargs, nresults, handler);
    vm_leave(vm);
    vm->calls--;
    late = vm->main.end.late;
    vm->call_deadline = outer;
    lua_remove(L, handler);
    if (status == LUA_OK)
        return true;
    error_set(err,
              status == LUA_ERRMEM ? "memory"
              : late               ? "timeout"
                                   : "runtime",
              "%s",
              lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error value is not a string");
    lua_pop(L, 1);
    return false;
}

bool vm_push(struct vm *vm, lua_State *to, lua_CFunction fn, void *job, int nresults,
             struct error *err)
{
    lua_State *L = vm_lua(vm);
    int top = lua_gettop(L);

    lua_pushcfunction(L, fn);
    lua_pushlightuserdata(L, job);
    if (!vm_call(vm, 1, nresults, 0, err))
        return false;
    if (L == to)
        return true;
    nresults = lua_gettop(L) - top;
    if (!lua_checkstack(to, nresults)) {
        lua_settop(L, top);
        return error_set(err, "memory", "not enough memory");
    }
    lua_xmove(L, to, nresults);
    return true;
}

bool vm_run(struct vm *vm, lua_CFunction fn, void *job, struct error *err)
{
    return vm_push(vm, vm->L, fn, job, 0, err);
}

int vm_push_shortage(lua_State *L)
{
    lua_pushnil(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &said[0]);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &said[2]);
    return 3;
}

void vm_add_module(struct vm *vm, const char *name, lua_CFunction open)
{
    if (vm->module_count == (int)countof(vm->modules))
        abort(); /* a programming error: the table above is too small */
    vm->modules[vm->module_count++] = (struct vm_module){ name, open };
}

void vm_on_open(struct vm *vm, void (*opened)(lua_State *L, const char *name))
{
    vm->opened = opened;
}

const char *vm_module_name(const struct vm *vm, int at)
{
    return at < vm->module_count ? vm->modules[at].name : NULL;
}

void vm_nearest_module(lua_State *L, struct nearest_name *nearest)
{
    const struct vm *vm = vm_of(L);

    for (int i = 0; i < vm->module_count; i++)
        nearest_name_try(nearest, vm->modules[i].name);
}

static void call_before(struct vm *vm, const char *name)
{
    void (*before)(struct vm * vm) = vm->before;
    const char *const *except = vm->before_except;

    while (*except && strcmp(*except, name) != 0)
        except++;
    if (*except)
        return;
    vm->before = NULL;
    before(vm);
}

bool vm_push_module(lua_State *L, const char *name)
{
    struct vm *vm = vm_of(L);

    for (int i = 0; i < vm->module_count; i++) {
        if (strcmp(vm->modules[i].name, name) != 0)
            continue;
        if (vm->before)
            call_before(vm, name);
        if (lua_rawgetp(L, LUA_REGISTRYINDEX, &vm->modules[i]) == LUA_TTABLE)
            return true;
        lua_pop(L, 1);
        lua_pushcfunction(L, vm->modules[i].open);
        lua_call(L, 0, 1); /* module */
        if (vm->opened)
            vm->opened(L, name);
        lua_pushvalue(L, -1);                               /* module, module */
        lua_rawsetp(L, LUA_REGISTRYINDEX, &vm->modules[i]); /* registry[&entry] = module */
        return true;
    }
    return false;
}

void vm_set_service(struct vm *vm, const void *key, void *service)
{
    int i = 0;

    while (i < vm->lent_count && vm->lent[i].key != key)
        i++;
    if (i == (int)countof(vm->lent))
        abort(); /* a programming error: the table above is too small */
    if (i == vm->lent_count)
        vm->lent_count++;
    vm->lent[i] = (struct vm_lent){ key, service };
}

void *vm_service(lua_State *L, const void *key)
{
    const struct vm *vm = vm_of(L);

    for (int i = 0; i < vm->lent_count; i++)
        if (vm->lent[i].key == key)
            return vm->lent[i].service;
    return NULL;
}
