/* The VM: calls into it, its modules and services, and limits of memory. */
#include "lua_run.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/log.h"
#include "script/budget.h"
#include "script/task_struct.h"

#define MB (1024 * 1024)

/* Leaves the function of a chunk on the main state. */
static lua_State *push_chunk(struct lua *lua, const char *source)
{
    struct error err = { .code = "" };

    if (!sandbox_load(lua->sandbox, "chunk", source, strlen(source), &err))
        fail_msg("%s", err.text);
    return vm_lua(lua->vm);
}

/* --- vm_call ----------------------------------------------------------------------- */

static void a_call_takes_arguments_and_leaves_results(void **state)
{
    struct lua *lua = *state;
    lua_State *L = push_chunk(lua, "local a, b = ... return a + b, a * b, 'third'");
    int top = lua_gettop(L);

    lua_pushinteger(L, 3);
    lua_pushinteger(L, 4);
    assert_true(vm_call(lua->vm, 2, 2, 0, NULL));
    assert_int_equal(lua_gettop(L), top + 1);
    assert_int_equal(lua_tointeger(L, -2), 7);
    assert_int_equal(lua_tointeger(L, -1), 12);
    lua_settop(L, top - 1);
}

static void call_fails(struct lua *lua, const char *source, uint64_t budget_ms, const char *code,
                       const char *part)
{
    struct error err;
    lua_State *L = push_chunk(lua, source);
    int top = lua_gettop(L) - 1;

    assert_false(vm_call(lua->vm, 0, 1, budget_ms, &err));
    assert_int_equal(lua_gettop(L), top);
    assert_string_equal(err.code, code);
    assert_non_null(strstr(err.text, part));
}

static void a_failed_call_says_where_and_leaves_nothing(void **state)
{
    call_fails(*state, "\n\nerror 'boom'", 0, "runtime", "chunk:3: boom");
    call_fails(*state, "local t = nil; return t.x", 0, "runtime", "attempt to index a nil value");
    call_fails(*state, "error {}", 0, "runtime", "");
    call_fails(*state, "error()", 0, "runtime", "");
}

static void a_call_has_a_budget_of_time(void **state)
{
    call_fails(*state, "while true do end", 30, "timeout", "chunk:1: took longer than 30 ms");
    call_fails(*state, "while true do pcall(function() while true do end end) end", 30, "timeout",
               "took longer than 30 ms");
    call_fails(*state, "table.sort({ 1, 2, 3 }, function() while true do end end)", 30, "timeout",
               "took longer than 30 ms");
    call_fails(*state, "xpcall(error, function() while true do end end)", 30, "timeout", "30 ms");
}

static void a_call_that_needs_too_much_memory_fails(void **state)
{
    struct lua small;

    (void)state;
    lua_open(&small, 4 * MB);
    call_fails(&small, "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end", 0,
               "memory", "not enough memory");
    gives(&small, "return 'still here'", "still here");
    lua_shut(&small);
}

/* --- modules and services -------------------------------------------------------------- */

static int opened;

static int open_counter(lua_State *L)
{
    opened++;
    lua_newtable(L);
    lua_pushinteger(L, opened);
    lua_setfield(L, -2, "count");
    return 1;
}

static void a_module_is_opened_once_when_it_is_first_wanted(void **state)
{
    struct lua *lua = *state;
    lua_State *L = vm_lua(lua->vm);

    opened = 0;
    vm_add_module(lua->vm, "sys.counter", open_counter);
    assert_int_equal(opened, 0);
    gives(lua, "return require('sys.counter').count, require('sys.counter').count", "1|1");
    assert_true(vm_push_module(L, "sys.counter"));
    lua_pop(L, 1);
    assert_int_equal(opened, 1);
    assert_false(vm_push_module(L, "sys.nothing"));
}

static void services_are_known_by_their_key(void **state)
{
    static const char one, other;
    struct lua *lua = *state;
    int thing;

    vm_set_service(lua->vm, &one, &thing);
    assert_ptr_equal(vm_service(vm_lua(lua->vm), &one), &thing);
    assert_null(vm_service(vm_lua(lua->vm), &other));
    assert_ptr_equal(vm_of(vm_lua(lua->vm)), lua->vm);
    assert_ptr_equal(vm_loop(lua->vm), &lua->loop);
}

/* --- functions that hold up the loop --------------------------------------------------------- */

static int hold(lua_State *L)
{
    uint64_t begun = processor_time();

    (void)L;
    while (processor_time() - begun < 2600 * MS)
        ;
    return 0;
}

static int open_hold(lua_State *L)
{
    static const luaL_Reg funcs[] = { { "on", hold }, { NULL, NULL } };

    luaL_newlib(L, funcs);
    return 1;
}

static char *read_log(FILE *file)
{
    struct buf text = { 0 };

    rewind(file);
    text.len = fread(buf_reserve(&text, 65536), 1, 65536, file);
    return buf_take(&text);
}

static void the_line_that_holds_everything_up_is_reported(void **state)
{
    struct lua *lua = *state;
    FILE *file = tmpfile();
    char *text, *found;

    assert_non_null(file);
    log_set_fd(fileno(file));
    vm_add_module(lua->vm, "sys.hold", open_hold);
    vm_watch(lua->vm);
    gives(lua,
          "local hold = require 'sys.hold'\n"
          "local time = require 'sys.time'\n"
          "time.sleep(1.2)\n" /* waiting is not a hold */
          "for i = 1, 3000000 do end\n"
          "hold.on()\n"
          "return 'done'",
          "done");
    text = read_log(file);
    while (!strstr(text, "test:5 has worked for over a second")) { /* a thread writes it */
        uv_sleep(1);
        free(text);
        text = read_log(file);
    }
    log_set_fd(-1);
    found = strstr(text, "test:5 has worked");
    if (strstr(found + strlen("test:5 has worked"), "has worked")) /* and once */
        fail_msg("%s", text);
    free(text);
    fclose(file);
}

static atomic_bool interrupted_enough;

static void interrupt_often(void *arg)
{
    const pthread_t *thread = arg;

    while (!interrupted_enough) {
        pthread_kill(*thread, SIGURG);
        uv_sleep(2);
    }
}

/* The signal came at any instruction, and reading the stack where Lua was just moving it crashed
 * the process. */
static void the_signal_may_come_while_the_stack_grows(void **state)
{
    struct lua *lua = *state;
    pthread_t self = pthread_self();
    uv_thread_t thread;

    vm_watch(lua->vm);
    assert_int_equal(uv_thread_create(&thread, interrupt_often, &self), 0);
    gives(lua,
          "local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end\n"
          "for i = 1, 4000 do deep(150) end\n"
          "return deep(1000)",
          "1000");
    interrupted_enough = true;
    uv_thread_join(&thread);
}

/* --- memory ------------------------------------------------------------------------------- */

#define HOARD "local t = {} for i = 1, n do t[i] = ('x'):rep(100000) .. i end return #t"

static void a_task_has_a_limit_of_its_own(void **state)
{
    struct lua *lua = *state;

    lua->memory = 10 * MB;
    gives(lua, "local n = 50 " HOARD, "50");
    fails(lua, "local n = 1000 " HOARD, "memory", "not enough memory: it may use 10 MB");
    fails(lua, "return #('x'):rep(20000000)", "memory", "10 MB");
    lua->memory = 0;
    gives(lua, "local n = 1000 " HOARD, "1000");
}

/* Lua would keep the garbage until twice as much memory is in use. */
static void what_filled_the_memory_goes_when_its_task_has_ended(void **state)
{
    struct lua small;

    (void)state;
    lua_open(&small, 100 * MB);
    gives(&small, "return 1", "1");
    size_t before = vm_memory(small.vm);
    fails(&small, "local t = {} while true do t[#t + 1] = { {} } end", "memory",
          "not enough memory");
    uv_run(&small.loop, UV_RUN_DEFAULT); /* as long as there is something to do */
    assert_true(vm_memory(small.vm) < before + MB);
    gives(&small, "return 2", "2");
    lua_shut(&small);
}

struct counting {
    lua_Alloc real;
    void *arg;
    int refused;
};

static void *count_refusals(void *arg, void *ptr, size_t old, size_t size)
{
    struct counting *counting = arg;
    void *got = counting->real(counting->arg, ptr, old, size);

    counting->refused += size > 0 && !got;
    return got;
}

/* If an allocation is refused Lua collects the whole heap, for some tenths of a second in which no
 * other work is done. */
static void a_full_memory_is_collected_in_steps(void **state)
{
    struct counting counting = { 0 };
    struct lua small;
    lua_State *L;

    (void)state;
    lua_open(&small, 20 * MB);
    L = vm_lua(small.vm);
    counting.real = lua_getallocf(L, &counting.arg);
    lua_setallocf(L, count_refusals, &counting);
    fails(&small, "local t while true do t = { t } end", "memory", "not enough memory");
    gives(&small,
          "local function fill() local t while true do t = { t } end end "
          "for i = 1, 3 do pcall(fill) end return 'done'",
          "done");
    assert_int_equal(counting.refused, 0);
    lua_setallocf(L, counting.real, counting.arg);
    lua_shut(&small);
}

/* The garbage stayed until other code needed as much memory, which may be never. */
static void much_garbage_of_a_task_that_ended_is_collected(void **state)
{
    struct lua *lua = *state;
    size_t before = vm_memory(lua->vm);

    gives(lua, "local t = {} for i = 1, 1000000 do t[i] = { i } end return 'done'", "done");
    for (int i = 0; i < 10000 && vm_memory(lua->vm) > before + MB; i++)
        uv_run(&lua->loop, UV_RUN_NOWAIT);
    assert_in_range(vm_memory(lua->vm), 1, before + MB);
}

static void a_limit_holds_for_what_a_task_starts(void **state)
{
    struct lua *lua = *state;

    lua->memory = 10 * MB;
    fails(lua, "local n = 1000 require('sys.task').map({ 1, 2 }, function() " HOARD " end)",
          "memory", "not enough memory: it may use 10 MB");
    fails(lua,
          "local n = 1000 require('sys.task').with_timeout(20, function() "
          "return require('sys.task').map({ 1 }, function() " HOARD " end) end)",
          "memory", "not enough memory");
}

static void garbage_is_not_counted(void **state)
{
    struct lua *lua = *state;

    lua->memory = 10 * MB;
    gives(lua, "for i = 1, 5000 do local s = ('x'):rep(100000) .. i end return 'done'", "done");
}

/* One task makes garbage and waits, and the other's allocations collect it. */
static void garbage_that_others_collect_is_not_counted(void **state)
{
    struct lua *lua = *state;
    struct job job, other;

    job_start(lua, &other, 0,
              "local time = require 'sys.time' while true do local t = {} "
              "for i = 1, 20000 do t[i] = {} end time.sleep(0) end");
    lua->memory = 30 * MB;
    job_run(lua, &job, 60000,
            "local time = require 'sys.time' for round = 1, 300 do local t = {} "
            "for i = 1, 20 do t[i] = ('x'):rep(50000) .. i end time.sleep(0) end return 'done'");
    assert_int_equal(job.end, TASK_DONE);
    task_cancel(other.task);
    job_free(&job);
    job_free(&other);
}

static void the_vm_has_a_limit_for_all(void **state)
{
    struct lua small;

    (void)state;
    lua_open(&small, 8 * MB);
    fails(&small, "return #('x'):rep(9000000)", "memory", "not enough memory");
    fails(&small, "local t = {} while true do t = { t, {}, {} } end", "memory",
          "not enough memory");
    fails(&small, "local s = 'x' while true do s = s .. s end", "memory", "not enough memory");
    fails(&small, "local t = {} for i = 1, 1e9 do t[i] = i end", "memory", "not enough memory");
    gives(&small, "local ok, err = pcall(string.rep, 'x', 9000000) return ok, err",
          "false|not enough memory");
    gives(&small, "return 'still here'", "still here");
    assert_true(vm_memory(small.vm) < 8 * MB);
    lua_shut(&small);
}

/* Memory that C holds meanwhile is not lost: the sanitizer would find a leak. */
static void running_out_of_memory_in_c_leaves_nothing_behind(void **state)
{
    static const char *const sources[] = {
        "local t = {} for i = 1, 60000 do t['key ' .. i] = i end local deep = { { { a = t } } } "
        "return #json.encode { x = { deep, json.object(t, { 'key 7' }) } }",
        "return #json.decode('[' .. ('[],'):rep(100000) .. '1]')",
        "return #json.decode('[' .. ('[],'):rep(10) .. '\"' .. ('x'):rep(3000000) .. '\"]')",
        "local t = {} for i = 1, 60000 do t['key ' .. i] = i end "
        "return json.check({ type = 'object', required = { 'a' } }, { a = t, b = { t } })",
        "return #json.encode({ ('x'):rep(2000000) }, { pretty = true })",
    };
#ifdef __SANITIZE_ADDRESS__
    const size_t step = 250000;
#else
    const size_t step = 1000000; /* sanitizers notice more leaks, at more places */
#endif
    struct lua *lua = *state;
    char source[512];

    for (size_t i = 0; i < countof(sources); i++) {
        snprintf(source, sizeof source, "local json = require 'sys.json' %s", sources[i]);
        for (size_t limit = 3 * MB; limit < 9 * MB; limit += step) {
            struct job job;

            lua->memory = limit;
            job_run(lua, &job, 60000, source);
            if (job.end == TASK_FAILED)
                assert_string_equal(job.err.code, "memory");
            job_free(&job);
        }
    }
}

static void the_engine_can_speak_when_a_task_has_used_all(void **state)
{
    struct lua small;
    struct job hog;

    (void)state;
    lua_open(&small, 8 * MB);
    job_start(&small, &hog, 0,
              "hoard = {} pcall(function() while true do hoard[#hoard + 1] = ('x'):rep(9999) end "
              "end) require('sys.time').sleep(600)");
    assert_null(hog.task); /* globals are locked: it failed, and says why */
    assert_non_null(strstr(hog.err.text, "global 'hoard' is not declared"));
    job_free(&hog);
    job_start(
        &small, &hog, 0,
        "local hoard, time = {}, require 'sys.time' "
        "pcall(function() while true do hoard[#hoard + 1] = ('x'):rep(999) .. #hoard end end) "
        "time.sleep(600) return #hoard");
    while (vm_memory(small.vm) < 7 * MB)
        uv_run(&small.loop, UV_RUN_ONCE);
    for (int i = 0; i < 50; i++)
        uv_run(&small.loop, UV_RUN_NOWAIT);
    assert_non_null(hog.task);
    for (int i = 0; i < 100; i++) { /* these may fail in any way, but do no damage */
        struct job job;

        job_start(&small, &job, 1000, "local t = {} for i = 1, 10 do t[i] = {} end return #t");
        lua_turn_until_gone(&small, &job.task);
        job_free(&job);
    }
    task_cancel(hog.task);
    assert_int_equal(hog.end, TASK_CANCELLED);
    job_free(&hog);
    gives(&small, "return 'still here'", "still here");
    lua_shut(&small);
}

/* --- the end ---------------------------------------------------------------------------------- */

static void freeing_the_vm_ends_every_task_once(void **state)
{
    static const char *const sources[] = {
        "require('sys.time').sleep(600)",
        "require('sys.task').map({ 1, 2, 3 }, function() require('sys.time').sleep(600) end)",
        "while true do end",
        "require('sys.task').with_timeout(500, function() while true do end end)",
    };
    struct job jobs[countof(sources)];
    struct lua other;

    (void)state;
    lua_open(&other, 0);
    for (size_t i = 0; i < countof(sources); i++)
        job_start(&other, &jobs[i], 0, sources[i]);
    for (int i = 0; i < 5; i++)
        uv_run(&other.loop, UV_RUN_NOWAIT);
    lua_shut(&other);
    for (size_t i = 0; i < countof(sources); i++) {
        assert_null(jobs[i].task);
        assert_int_equal(jobs[i].end, TASK_CANCELLED);
        job_free(&jobs[i]);
    }
    vm_free(NULL);
}

static int count_down(lua_State *L)
{
    --**(int **)lua_touserdata(L, 1);
    return 0;
}

/* (count): an object whose finalizer counts */
static int make_counted(lua_State *L)
{
    int *left = lua_touserdata(L, 1);

    *(int **)lua_newuserdatauv(L, sizeof left, 0) = left;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, count_down);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, left + *left);
    ++*left;
    return 0;
}

static void the_end_of_the_process_runs_all_finalizers(void **state)
{
    uv_loop_t loop;
    struct vm *vm;
    int left = 0;

    (void)state;
    uv_loop_init(&loop);
    vm = vm_new(&loop, NULL, NULL);
    for (int i = 0; i < 3; i++)
        assert_true(vm_run(vm, make_counted, &left, NULL));
    assert_int_equal(left, 3);
    vm_end(vm);
    assert_int_equal(left, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    vm_end(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LUA_CASE(a_call_takes_arguments_and_leaves_results),
        LUA_CASE(a_failed_call_says_where_and_leaves_nothing),
        LUA_CASE(a_call_has_a_budget_of_time),
        LUA_CASE(a_call_that_needs_too_much_memory_fails),
        LUA_CASE(a_module_is_opened_once_when_it_is_first_wanted),
        LUA_CASE(services_are_known_by_their_key),
        LUA_CASE(the_line_that_holds_everything_up_is_reported),
        LUA_CASE(the_signal_may_come_while_the_stack_grows),
        LUA_CASE(a_task_has_a_limit_of_its_own),
        cmocka_unit_test(what_filled_the_memory_goes_when_its_task_has_ended),
        cmocka_unit_test(a_full_memory_is_collected_in_steps),
        LUA_CASE(a_limit_holds_for_what_a_task_starts),
        LUA_CASE(much_garbage_of_a_task_that_ended_is_collected),
        LUA_CASE(garbage_is_not_counted),
        LUA_CASE(garbage_that_others_collect_is_not_counted),
        LUA_CASE(the_vm_has_a_limit_for_all),
        LUA_CASE(running_out_of_memory_in_c_leaves_nothing_behind),
        LUA_CASE(the_engine_can_speak_when_a_task_has_used_all),
        LUA_CASE(freeing_the_vm_ends_every_task_once),
        cmocka_unit_test(the_end_of_the_process_runs_all_finalizers),
    };

    return cmocka_run_group_tests_name("vm", tests, NULL, NULL);
}
