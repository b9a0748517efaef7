/* The Lua virtual machine: one state for the whole engine, memory-capped.
 *
 * Everything here runs on the loop's thread. Lua code that serves calls runs in
 * coroutines (task.h); the main state only loads files, by vm_call(). */
#ifndef PERIGEE_SCRIPT_VM_H
#define PERIGEE_SCRIPT_VM_H

#include <lua.h>
#include <uv.h>

#include "base/distance.h"
#include "base/error.h"
#include "base/util.h"

struct task;
struct vm;

struct vm_limits {
    size_t memory; /* bytes for all of Lua; 0: 256 MiB */
};

/* NULL and err ("memory"): the limit is too small, or there is none. `loop` is borrowed; NULL: the
 * caller waits by itself, and calls vm_turn() and timers_run() (base/timer.h) in each of its
 * rounds. What a VM without a loop opens may use no other handle of libuv. */
struct vm *vm_new(uv_loop_t *loop, const struct vm_limits *limits, struct error *err);

/* Cancels every task (their `ended` is called), closes the state and the
 * loop handles; the loop must run once more for the last of it. NULL is fine. */
void vm_free(struct vm *vm);

/* The same where the process ends soon: the memory of Lua's objects, whose finalizers run, is left
 * to the system, which takes it back at once. */
void vm_end(struct vm *vm);

/* Gives the tasks that are ready a few milliseconds: where the VM has no loop, or from the loop
 * while none runs. */
void vm_turn(struct vm *vm);

/* A VM without a loop: is a task ready, or garbage to be collected? Then nothing may be waited for.
 */
bool vm_wants_turn(const struct vm *vm);

/* Collects garbage from now on, in pieces, while others have their turns: for a moment at which
 * nobody waits. What comes next then need not. */
void vm_tidy(struct vm *vm);

/* fn() is called once, before a script gets a module that is not in `except`, a list of names that
 * ends in NULL, and then forgotten: for what few modules need, and the first calls may not. */
void vm_before(struct vm *vm, void (*fn)(struct vm *vm), const char *const *except);

/* Tasks may have no output of their own, such as a function that a library calls back (of a login
 * or an event). Their output goes to print(NULL, ...) instead of the log. For a process that
 * somebody runs a script in at a terminal. */
void vm_print_to(struct vm *vm, void (*print)(void *context, const char *text, size_t len));

/* From now on the log tells of Lua code that holds everything up (watchdog.h). For a process that
 * serves; from the thread of the loop. */
void vm_watch(struct vm *vm);

lua_State *vm_lua(struct vm *vm);      /* the main state; borrowed */
uv_loop_t *vm_loop(struct vm *vm);     /* borrowed; NULL: see vm_new() */
struct vm *vm_of(lua_State *L);        /* the VM of any of its states */
size_t vm_memory(const struct vm *vm); /* bytes in use by Lua */

/* The task whose code runs now; NULL: none does. Borrowed. */
struct task *vm_running(const struct vm *vm);

/* Calls the function under nargs arguments on the main state, with a traceback
 * handler and a time budget in milliseconds (0: none). On success leaves
 * nresults values; on failure none, and fills err: code "runtime", "timeout"
 * or "memory", text "file:line: message". The traceback goes to the log at
 * debug level. The one door from C into Lua outside of tasks: whatever may
 * allocate there (every push but of numbers, booleans, C functions and what is
 * in Lua already) is done inside, or a lack of memory would end the program. */
bool vm_call(struct vm *vm, int nargs, int nresults, uint64_t budget_ms, struct error *err);

/* Calls fn(job) by vm_call() and moves its nresults results (LUA_MULTRET: all) to `to`, any state.
 * err may be NULL. */
bool vm_push(struct vm *vm, lua_State *to, lua_CFunction fn, void *job, int nresults,
             struct error *err);

/* fn() by vm_call(), for nothing that it returns. */
bool vm_run(struct vm *vm, lua_CFunction fn, void *job, struct error *err);

/* Pushes nil, "not enough memory", "memory" and gives 3. Allocates nothing; needs room for them. */
int vm_push_shortage(lua_State *L);

/* Makes `require "NAME"` give what `open` pushes (a table), once per VM. Name borrowed for ever. */
void vm_add_module(struct vm *vm, const char *name, lua_CFunction open);

/* opened() is called once for each module when it is opened, with its table on top, which it may
 * change. It may raise. */
void vm_on_open(struct vm *vm, void (*opened)(lua_State *L, const char *name));

/* Pushes a module's table, opening it on first use; false (nothing pushed) if there is none. */
bool vm_push_module(lua_State *L, const char *name);

/* The name of a module, by its place; NULL behind the last. */
const char *vm_module_name(const struct vm *vm, int at);

/* Tries the name of every module. */
void vm_nearest_module(lua_State *L, struct nearest_name *nearest);

/* A pointer that bindings of higher layers hang on the VM, by a static key. NULL: none is. */
void vm_set_service(struct vm *vm, const void *key, void *service);
void *vm_service(lua_State *L, const void *key);

#endif
