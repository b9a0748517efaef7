/* For tests of functions that replace Lua's own: they run beside the original, and under a loop
 * that must go on turning. */
#ifndef PERIGEE_TESTS_STOCK_H
#define PERIGEE_TESTS_STOCK_H

#include "files/file.h"
#include "lua_run.h"
#include "script/budget.h"

/* Leaves Lua's own `string` and `table` in the global STOCK for the texts. */
static inline int stock_setup(void **state)
{
    struct lua *lua = mem_alloc(sizeof *lua);
    lua_State *L;

    lua_open(lua, 0);
    L = vm_lua(lua->vm);
    lua_newtable(L);
    for (size_t i = 0; i < 2; i++) {
        static const char *const libs[] = { "string", "table" };

        lua_newtable(L); /* stock, copy */
        lua_getglobal(L, libs[i]);
        for (lua_pushnil(L); lua_next(L, -2);) { /* stock, copy, lib, k, v */
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, -5);
        }
        lua_pop(L, 1);
        lua_setfield(L, -2, libs[i]);
    }
    lua_setglobal(L, "STOCK");
    *state = lua;
    return 0;
}

/* Loads a file of stock/ beside this one; its function is left on the main state. */
static inline void load_stock(struct lua *lua, const char *name)
{
    struct buf path = { 0 }, text = { 0 };
    struct error err;

    buf_add(&path, __FILE__, strlen(__FILE__) - strlen(".h"));
    buf_addc(&path, '/');
    buf_add(&path, name, strlen(name));
    if (!file_read_all(buf_text(&path), 1 << 20, &text, &err) ||
        !sandbox_load(lua->sandbox, name, text.data, text.len, &err))
        fail_msg("%s", err.text);
    buf_free(&path);
    buf_free(&text);
}

/* Runs a file of stock/ with the result of compare.lua, and with Lua's own libraries. */
static inline void agrees(struct lua *lua, const char *name)
{
    struct job job = { .end = TASK_FAILED };
    lua_State *L = vm_lua(lua->vm);

    load_stock(lua, name);
    load_stock(lua, "compare.lua");
    lua_getglobal(L, "STOCK");
    if (!vm_call(lua->vm, 1, 1, 0, &job.err)) /* file, compare */
        fail_msg("%s", job.err.text);
    lua_getglobal(L, "STOCK");
    job.task = task_new(
        L, 2,
        &(struct task_spec){
            .name = name, .context = &job, .print = job_print, .ended = job_ended, .arg = &job },
        &job.err);
    assert_non_null(job.task);
    task_go(job.task);
    lua_turn_until_gone(lua, &job.task);
    if (job.end != TASK_DONE)
        fail_msg("%s\n%s", job.err.text, job.traceback ? job.traceback : "");
    job_free(&job);
}

#define STOCK_CASE(name) cmocka_unit_test_setup_teardown(name, stock_setup, lua_teardown)

struct turns {
    uv_check_t check;
    int count;
};

static inline void on_turned(uv_check_t *check)
{
    struct turns *turns = check->data;

    turns->count++;
}

/* Runs the job; returns the milliseconds that this thread computed for each turn of the loop
 * meanwhile. A busy machine lets it compute little in the same time. */
static inline uint64_t ms_for_a_turn(struct lua *lua, struct job *job, uint64_t timeout_ms,
                                     const char *source)
{
    struct turns turns = { .count = 0 };
    uint64_t began = processor_time();

    uv_check_init(&lua->loop, &turns.check);
    turns.check.data = &turns;
    uv_check_start(&turns.check, on_turned);
    job_run(lua, job, timeout_ms, source);
    uv_close((uv_handle_t *)&turns.check, NULL);
    uv_run(&lua->loop, UV_RUN_NOWAIT);
    assert_true(turns.count > 0);
    return (processor_time() - began) / 1000000 / (uint64_t)turns.count;
}

/* Checks that the source ends by its time limit, or gives up before, and that others have their
 * turns until then. */
static inline void stops(struct lua *lua, const char *source)
{
    struct job job;
    uint64_t ms = ms_for_a_turn(lua, &job, 300, source);

    if (job.end != TASK_TIMED_OUT && !strstr(job.err.text, "took too long"))
        fail_msg("%s: %s", source, job.err.text);
    assert_in_range(ms, 0, 100);
    job_free(&job);
}

#endif
