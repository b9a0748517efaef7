/* Runs Lua text as a task on a loop and a VM of the test's own, in a sandbox that may require every
 * sys module, and collects its outcome.
 *
 * cmocka fixtures: setup with lua_setup, teardown with lua_teardown, which fails if a handle is
 * left open on the loop. */
#ifndef PERIGEE_TESTS_LUA_RUN_H
#define PERIGEE_TESTS_LUA_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <lauxlib.h>
#include <lua.h>
#include <uv.h>

#include "base/buf.h"
#include "engine/modules.h"
#include "script/sandbox/sandbox.h"
#include "script/task.h"
#include "script/vm.h"
#include "sys/sys.h"

struct lua {
    uv_loop_t loop;
    struct vm *vm;
    struct sandbox *sandbox;
    size_t memory; /* limit of each task; 0: none */
    bool guest;    /* it may require nothing */
};

/* One task and its end. */
struct job {
    struct task *task; /* NULL: the task has ended */
    enum task_end end;
    struct error err; /* set by every end but TASK_DONE */
    struct buf text;  /* the returned values, by tostring(), with "|" between */
    struct buf printed;
    char *traceback;
};

static inline void job_print(void *context, const char *text, size_t len)
{
    struct job *job = context;

    buf_add(&job->printed, text, len);
    buf_addc(&job->printed, '\n');
}

static inline void job_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct job *job = arg;
    lua_State *L = task_lua(task);
    int first = lua_gettop(L) - nresults + 1;
    size_t len;

    job->task = NULL;
    job->end = end;
    if (end == TASK_FAILED)
        task_error(task, &job->err, &job->traceback);
    else if (end != TASK_DONE)
        task_end_error(task, end, &job->err);
    for (int i = 0; end == TASK_DONE && i < nresults; i++) {
        const char *text = luaL_tolstring(L, first + i, &len);

        if (i)
            buf_addc(&job->text, '|');
        buf_add(&job->text, text, len);
        lua_pop(L, 1);
    }
}

static inline void job_free(struct job *job)
{
    buf_free(&job->text);
    buf_free(&job->printed);
    free(job->traceback);
}

/* Starts the task; job->err has "syntax" if it does not compile. */
static inline void job_start(struct lua *lua, struct job *job, uint64_t timeout_ms,
                             const char *source)
{
    *job = (struct job){ .end = TASK_FAILED };
    if (!sandbox_load(lua->sandbox, "test", source, strlen(source), &job->err))
        return;
    job->task = task_new(vm_lua(lua->vm), 0,
                         &(struct task_spec){ .name = "test",
                                              .timeout_ms = timeout_ms,
                                              .memory = lua->memory,
                                              .context = job,
                                              .print = job_print,
                                              .ended = job_ended,
                                              .arg = job },
                         &job->err);
    assert_non_null(job->task);
    task_go(job->task);
}

static inline void job_guard(uv_timer_t *timer)
{
    (void)timer;
    fprintf(stderr, "the test hangs\n");
    abort();
}

/* Turns the loop until *flag is NULL; gives up after a minute. */
static inline void lua_turn_until_gone(struct lua *lua, struct task *const *flag)
{
    uv_timer_t guard;

    uv_timer_init(&lua->loop, &guard);
    uv_timer_start(&guard, job_guard, 60000, 0);
    while (*flag)
        uv_run(&lua->loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&guard, NULL);
    uv_run(&lua->loop, UV_RUN_NOWAIT);
}

/* Runs the task to its end. */
static inline void job_run(struct lua *lua, struct job *job, uint64_t timeout_ms,
                           const char *source)
{
    job_start(lua, job, timeout_ms, source);
    lua_turn_until_gone(lua, &job->task);
}

/* --- shorthands for most cases --------------------------------------------------- */

/* Against hanging alone: at a load of 60, deep recursion took longer than 30 s. */
enum { JOB_MS = 300000 };

/* Checks that the source returns this. */
static inline void gives(struct lua *lua, const char *source, const char *wanted)
{
    struct job job;

    job_run(lua, &job, JOB_MS, source);
    if (job.end != TASK_DONE)
        print_error("%s: %s\n%s\n", job.err.code, job.err.text, job.traceback ? job.traceback : "");
    assert_int_equal(job.end, TASK_DONE);
    assert_string_equal(buf_text(&job.text), wanted);
    job_free(&job);
}

/* Checks that the source ends with an error that has this code and this part. */
static inline void fails(struct lua *lua, const char *source, const char *code, const char *part)
{
    struct job job;

    job_run(lua, &job, JOB_MS, source);
    if (job.end == TASK_DONE)
        print_error("it returned %s\n", buf_text(&job.text));
    assert_int_not_equal(job.end, TASK_DONE);
    assert_string_equal(job.err.code, code);
    if (!strstr(job.err.text, part))
        print_error("\"%s\" is not in: %s\n", part, job.err.text);
    assert_non_null(strstr(job.err.text, part));
    job_free(&job);
}

static inline bool lua_guest_allow(void *arg, const char *module)
{
    struct lua *lua = arg;

    return !lua->guest || strcmp(module, "sys.json") == 0;
}

static inline void lua_open(struct lua *lua, size_t memory)
{
    struct vm_limits limits = { memory };
    struct error err;

    *lua = (struct lua){ 0 };
    assert_int_equal(uv_loop_init(&lua->loop), 0);
    lua->vm = vm_new(&lua->loop, &limits, &err);
    assert_non_null(lua->vm);
    if (getenv("PERIGEE_TEST_GC")) /* collects all the time: what is not held goes at once */
        lua_gc(vm_lua(lua->vm), LUA_GCINC, 1, 400, 1);
    assert_true(modules_register(lua->vm, &err));
    lua->sandbox = sandbox_new(
        lua->vm,
        &(struct sandbox_spec){ .allow = lua_guest_allow, .arg = lua, .open_globals = false });
}

static inline void lua_shut(struct lua *lua)
{
    sandbox_free(lua->sandbox);
    vm_free(lua->vm);
    uv_run(&lua->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&lua->loop), 0);
}

static inline int lua_setup(void **state)
{
    struct lua *lua = mem_alloc(sizeof *lua);

    lua_open(lua, 0);
    *state = lua;
    return 0;
}

static inline int lua_teardown(void **state)
{
    lua_shut(*state);
    free(*state);
    return 0;
}

#define LUA_CASE(name) cmocka_unit_test_setup_teardown(name, lua_setup, lua_teardown)

#endif
