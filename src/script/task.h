/* Tasks: one coroutine per call, over the loop.
 *
 * A task runs until it returns, waits (parks) or has computed for a few
 * milliseconds (it is then put behind the others, so the loop stays live). It
 * ends by returning, by an error, at its deadline or when it is cancelled; in
 * every case its `<close>` variables run and `ended` is called once.
 *
 * A binding that waits is linear (see CONTRIBUTING):
 *     check arguments
 *     struct task *task = task_here(L);          raises unless it may wait here
 *     struct x *x = lua_newuserdatauv(L, ...);   x->op = { task, cancel, what, which }
 *     start it
 *     return task_park(L, &x->op);
 * and later, from the loop: task_wake(&x->op, n), or wake.h. Nothing that allocates in Lua
 * is done on the parked coroutine from the loop, where no one would catch the error.
 * The op lives in a userdata on the parked coroutine's own stack: the collector
 * cannot take it while it is parked, and it dies with the coroutine. */
#ifndef PERIGEE_SCRIPT_TASK_H
#define PERIGEE_SCRIPT_TASK_H

#include <lua.h>

#include "base/error.h"
#include "base/list.h"
#include "base/util.h"

struct vm;
struct task;
struct probe;

enum task_end { TASK_DONE, TASK_FAILED, TASK_TIMED_OUT, TASK_CANCELLED };

/* One pending wait. `cancel` stops it: after it, task_wake() is not called. It
 * runs on timeout, cancellation and shutdown alike, and must not touch Lua. */
#define OP_CALL  "the call of"      /* `which` is a tool or prompt */
#define OP_TASKS "tasks of its own" /* it waits for the same things as they do */

struct op {
    struct task *task;
    void (*cancel)(struct op *op);
    const char *what;  /* that is waited for, for people: "the lock"; a constant */
    const char *which; /* ... its name, which lives as long as the wait; NULL: it has none */
};

struct task_spec {
    const char *name;    /* for messages; copied, cut at 63 bytes */
    uint64_t timeout_ms; /* 0: none, or the parent's */
    size_t memory;       /* net bytes it may add; 0: no limit of its own */
    struct task *parent; /* NULL, or a task whose deadline, context and print it shares */
    bool alongside; /* its parent does not wait for it. Whoever makes it ends it before its parent,
                       by task_at_end() */
    bool loading;   /* it runs a file's own statements: its turns are given, but it may not wait */
    struct probe *probe; /* its observer (probe.h); NULL: the parent's, or none */
    void *context;       /* the result of task_context(); NULL: the parent's */
    void (*print)(void *context, const char *text,
                  size_t len); /* NULL: the parent's, or vm_print_to()'s, or the log */

    /* DONE: the results are the top `nresults` of task_lua(task).
     * FAILED: one value, the error; task_error() makes it a text.
     * else: no value. The task is gone when this returns. */
    void (*ended)(void *arg, struct task *task, enum task_end end, int nresults);
    void *arg;
};

/* Takes the function and nargs arguments off `from`. Borrowed; valid until `ended` returns. NULL
 * and err ("memory"): there is none, and `ended` is not called. Never raises. */
struct task *task_new(lua_State *from, int nargs, const struct task_spec *spec, struct error *err);

/* Runs it: at once when no other task is running (it may have ended on
 * return), else as soon as the running one waits; and when its turn comes, after
 * those that came before it, if starting tasks has kept the loop for long. */
void task_go(struct task *task);

/* Runs it when its turn comes, as those that are put aside: many may be started at once. */
void task_go_later(struct task *task);

/* Gives it one more turn if all it waits for is its turn; false: it waits for something else. Not
 * from inside a task. It may have ended on return. */
bool task_turn(struct task *task);

/* Ends it as soon as it can be: at once unless it, or a task below it, is running now. */
void task_cancel(struct task *task);

lua_State *task_lua(struct task *task);
bool task_is_loading(lua_State *L);      /* as task_spec.loading */
bool task_late(lua_State *L);            /* is an error that no pcall catches on its way? */
void *task_mark(lua_State *L);           /* a name for the task, or for the main state */
void *task_context(lua_State *L);        /* the context of L's task; NULL on the main state */
struct task *task_current(lua_State *L); /* NULL on the main state */
const char *task_name(const struct task *task);

/* task_spec.arg of one that was made with this `ended`; NULL: it was made with another. */
void *task_arg(const struct task *task,
               void (*ended)(void *arg, struct task *task, enum task_end end, int nresults));
struct task *task_parent(const struct task *task); /* NULL: it has none */

/* A hook for the end of a task, when fn is called once. It may end other tasks, and must not raise.
 * The hook lies in its owner, who takes it back by list_remove(&hook->link), which is also fine
 * after the call. */
struct task_hook {
    struct link link; /* list_init() before the first use */
    void (*fn)(struct task_hook *hook);
    bool last; /* after its <close> variables have run; else before, and before its `ended` */
};
void task_at_end(struct task *task, struct task_hook *hook);

/* How many tasks are alongside others in what this task belongs to: below the one that has no
 * parent. */
unsigned task_beside(const struct task *task);

/* Is it this task, or one that goes on only when this task has ended? */
bool task_holds_up(const struct task *task, const struct task *other);

/* It, and all it starts, acts for code that a client sent: files are written only where that may.
 */
void task_confine(struct task *task);
bool task_confined(const struct task *task);

/* While it is set, what the task and those it starts do is the engine's own work, which no policy
 * judges: it asks the user. Returns what it was. */
bool task_set_own(struct task *task, bool own);
bool task_is_own(const struct task *task);

/* From now on task_closings() gives how many tasks below it were stopped and still close what they
 * had opened (a __close that waits). */
void task_count_closings(struct task *task);
unsigned task_closings(const struct task *task);

/* Its wait; NULL: it computes, or waits for its turn. Valid until it goes on. */
const struct op *task_op(const struct task *task);

/* Seconds since it was made. */
double task_age(const struct task *task);

/* Calls each() for every task that is alive, the oldest first. Nothing is started or ended
 * meanwhile. */
void tasks_each(struct vm *vm, void (*each)(void *arg, struct task *task), void *arg);

/* Net bytes that Lua allocated while it, or one below it, ran; counted where task_spec.memory is
 * set.
 */
int64_t task_memory(const struct task *task);

/* Seconds until its deadline; a negative number without one. */
double task_remaining(const struct task *task);

/* After FAILED, in `ended`: the error as text, code "runtime" or "memory", or the
 * message's own. `traceback` (or NULL) gets a text to free(). */
void task_error(struct task *task, struct error *err, char **traceback);

/* "stopped after 5 s, ..., at FILE:LINE" for TIMED_OUT, "was cancelled" for CANCELLED. */
void task_end_error(struct task *task, enum task_end end, struct error *err);

/* After the same ends: FILE:LINE where it computed. NULL: it was waiting, or had not begun. */
const char *task_place(const struct task *task);

/* In `ended` of a child that `parent` waits for: where that must end as well, the child's place is
 * where it was. */
void task_pass_place(const struct task *child, struct task *parent);

/* While it waits for a person its time, and that of those that wait for it, stands still. Each
 * pause is ended by one resume, or with the task. */
void task_pause_clock(struct task *task);
void task_resume_clock(struct task *task);

/* For the __close of files: in a task that is being stopped, where nothing may wait, takes the
 * function and its nargs arguments off the stack and runs it in a task of its own, which may wait
 * for up to CLOSE_WAIT_MS though the other one is gone. False: it may run here. */
enum { CLOSE_WAIT_MS = 2000 };
bool task_start_closer(lua_State *L, int nargs);

/* Whether one of those runs on, of any task. */
bool task_has_closer(const struct vm *vm);

/* For the VM. tasks_close() ends all tasks, closes the state and then calls tasks_closed(), which
 * closes the handles. */
void tasks_init(struct vm *vm);
void tasks_close(struct vm *vm);
void tasks_closed(struct vm *vm);

/* For bindings. */
struct task *task_here(lua_State *L);
int task_park(lua_State *L, struct op *op);
void task_wake(struct op *op, int nresults);

/* Like task_park(), for a binding that has work left after the wake-up: `after`
 * runs then, with `context`, over everything that is on the stack. */
int task_park_then(lua_State *L, struct op *op, lua_KContext context, lua_KFunction after);

/* Hands printed text to whoever listens to this task. */
void task_print(lua_State *L, const char *text, size_t len);

/* Pushes nil, text, code and returns 3: what a binding returns when the world
 * failed it. Wrong arguments raise instead (luaL_argerror). */
int bind_fail(lua_State *L, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);
int bind_error(lua_State *L, const struct error *err);

#endif
