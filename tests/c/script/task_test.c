/* Tasks: how they run, wait, take turns and end, whatever they are doing then. */
#include "io_help.h"
#include "task_run.h"

#include "base/timer.h"

/* --- results and errors --------------------------------------------------------------- */

static void what_it_returns_arrives(void **state)
{
    gives(*state, "return 1, nil, 'x', false", "1|nil|x|false");
    gives(*state, "", "");
    gives(*state, T "time.sleep(0) return time.iso(0)", "1970-01-01T00:00:00.000Z");
}

static void an_error_has_place_and_traceback(void **state)
{
    struct job job;

    job_run(*state, &job, 0,
            "local function g() error 'boom' end\nlocal function f() g() end\nf()");
    assert_int_equal(job.end, TASK_FAILED);
    assert_string_equal(job.err.code, "runtime");
    assert_string_equal(job.err.text, "test:1: boom");
    assert_string_equal(job.traceback, "test:1: boom\nstack traceback:\n"
                                       "\t[C]: in function 'error'\n"
                                       "\ttest:1: in upvalue 'g'\n"
                                       "\ttest:2: in local 'f'\n"
                                       "\ttest:3: in main chunk");
    job_free(&job);
}

static void a_traceback_survives_waiting_and_pcall(void **state)
{
    struct job job;

    job_run(*state, &job, 0,
            T "local function f()\ntime.sleep(0.001)\nlocal x = nil + 1\nend\n"
              "pcall(error, 'caught')\nf()");
    assert_string_equal(job.err.text, "test:3: attempt to perform arithmetic on a nil value");
    assert_non_null(strstr(job.traceback, "\n\ttest:3: in local 'f'\n\ttest:6: in main chunk"));
    job_free(&job);
}

static void a_cancelled_wait_does_not_cost_the_next_error_its_traceback(void **state)
{
    struct lua *lua = *state;
    struct job job;

    for (int i = 0; i < 2; i++) {
        job_start(lua, &job, 0, T "time.sleep(60)");
        uv_run(&lua->loop, UV_RUN_NOWAIT);
        task_cancel(job.task);
        assert_int_equal(job.end, TASK_CANCELLED);
        job_free(&job);
        job_run(lua, &job, 0, "local function f() error 'boom' end\nf()");
        assert_non_null(strstr(job.traceback, "\n\ttest:1: in local 'f'\n\ttest:2: in main chunk"));
        job_free(&job);
    }
}

/* Each call is short; together they take longer than a single one may. */
static void many_short_calls_through_c_are_not_one_long_one(void **state)
{
    gives(*state,
          "local work = setmetatable({}, { __tostring = function() "
          "  local n = 0 for i = 1, 1500000 do n = n + i end return 'done' end }) "
          "for _ = 1, 50 do tostring(work) end "
          "return tostring(work)",
          "done");
}

static void any_value_may_be_an_error(void **state)
{
    fails(*state, "error({})", "runtime", "error value is a table");
    fails(*state, "error()", "runtime", "error value is a nil");
    fails(*state, "error(12)", "runtime", "12");
    gives(*state, "local t = {} local ok, err = pcall(error, t) return ok, err == t", "false|true");
}

static void too_deep_a_recursion_is_an_error(void **state)
{
    fails(*state, "local function f() return 1 + f() end f()", "runtime", "stack overflow");
    fails(*state,
          "local mt = {} mt.__index = function(t, k) return t[k] end "
          "return setmetatable({}, mt).x",
          "runtime", "overflow");
    fails(*state, "local function f() return pcall(f) end error((select(-1, f())))", "runtime",
          "overflow");
}

static void pcall_and_xpcall_are_lua_s(void **state)
{
    gives(*state, "return pcall(function(...) return ... end, 1, nil, 3)", "true|1|nil|3");
    gives(*state, "return pcall(error, 'x', 0)", "false|x");
    gives(*state, "return xpcall(function(...) return ... end, print, 1, nil)", "true|1|nil");
    gives(*state, "return xpcall(error, function(e) return e .. '!' end, 'x')", "false|x!");
    gives(*state, T "return pcall(function() time.sleep(0.001) error('late', 0) end)",
          "false|late");
    gives(*state, T "return xpcall(function() time.sleep(0.001) return 'late' end, print)",
          "true|late");
    gives(*state, "return select('#', pcall(error)), select('#', pcall(function() end))", "2|1");
    gives(*state, "return pcall(pcall, error, 'x'), select(2, xpcall(pcall, print, error, 'y'))",
          "true|false|y");
    fails(*state, "pcall()", "runtime", "value expected");
    fails(*state, "xpcall(print)", "runtime", "function expected");
}

/* --- deadlines -------------------------------------------------------------------------- */

static void a_deadline_ends_whatever_runs(void **state)
{
    static const char *const sources[] = {
        SPIN,
        "local function f() return f() end f()",
        "while true do pcall(function() " SPIN " end) end",
        "while true do pcall(error) end",
        IN_C "in_c(function() " SPIN " end)",
        IN_C "while true do pcall(in_c, function() " SPIN " end) end",
        "local s = setmetatable({}, { __index = function() " SPIN " end }) return s.x",
        "for _ in function() return 1 end do end",
        "local t = {} while true do t[#t % 1000 + 1] = tostring(t) end",
        "while true do local s = ('x'):rep(50000000) end",
        "local s = ('x'):rep(50000000) while true do s:find('y', 1, true) end",
        T "while true do time.sleep(0.001) end",
        T "time.sleep(600)",
        T "task.with_timeout(600, function() " SPIN " end)",
        T "task.map({ 1, 2, 3 }, function() " SPIN " end)",
        T "task.map({ 1, 2, 3 }, function() time.sleep(600) end)",
        T "task.spawn(function() task.lock 'x' time.sleep(600) end) time.sleep(0) task.lock 'x'",
        T "task.spawn(function() time.sleep(600) end):join()",
        T "task.channel():receive()",
        T "local c = task.channel() while true do c:send(1, 0) end",
    };
    struct job job;

    for (size_t i = 0; i < countof(sources); i++) {
        job_run(*state, &job, 50, sources[i]);
        if (job.end != TASK_TIMED_OUT)
            print_error("%s: %s\n", sources[i], job.err.text);
        assert_int_equal(job.end, TASK_TIMED_OUT);
        assert_string_equal(job.err.code, "timeout");
        assert_non_null(strstr(job.err.text, "test was stopped after 0.05 s, its time limit, "));
        assert_non_null(strstr(job.err.text, "at test:1"));
        job_free(&job);
    }
}

/* The error for an endless loop did not name the file and the line. */
static void a_deadline_names_the_line_that_ran(void **state)
{
    static const struct {
        const char *source, *where;
    } cases[] = {
        { "local n = 0\nwhile true do\nn = n + 1 end", ", at test:3" },
        { "pcall(function()\nlocal n = 0\nwhile true do\nn = n + 1 end end)", ", at test:4" },
        { IN_C "\nin_c(function()\n" SPIN "\nend)", ", at test:3" },
        { "\nlocal s = ('x'):rep(50000000)\nwhile true do s:find('y', 1, true) end",
          ", at test:3" },
        { T "\ntime.sleep(600)", ", while it waited at test:2" },
        { T "\ntask.with_timeout(600, function()\n" SPIN "\nend)", ", at test:3" },
        { T "\ntask.map({ 1, 2 }, function()\n\n" SPIN "\nend)", ", at test:4" },
        { T "\ntask.map({ 1, 2 }, function()\ntime.sleep(600) end)",
          ", while it waited at test:3" },
    };
    struct job job;

    for (size_t i = 0; i < countof(cases); i++) {
        job_run(*state, &job, 50, cases[i].source);
        assert_int_equal(job.end, TASK_TIMED_OUT);
        if (!strstr(job.err.text, cases[i].where))
            print_error("%s: %s\n", cases[i].source, job.err.text);
        assert_non_null(strstr(job.err.text, cases[i].where));
        job_free(&job);
    }
}

static void who_is_in_time_is_not_touched(void **state)
{
    struct job job;

    job_run(*state, &job, 60000, T "time.sleep(0.01) return task.remaining() < 60");
    assert_string_equal(buf_text(&job.text), "true");
    job_free(&job);
    gives(*state, T "return task.remaining() > 1", "true");
    job_run(*state, &job, 0, T "return task.remaining() == math.huge");
    assert_string_equal(buf_text(&job.text), "true");
    job_free(&job);
}

static void a_function_called_by_c_may_not_run_for_long(void **state)
{
    fails(*state, IN_C "in_c(function() " SPIN " end)", "runtime",
          "test:1: a metamethod or a function called from C ran for 200 ms");
    fails(*state, IN_C "while true do pcall(in_c, function() " SPIN " end) end", "runtime",
          "ran for 200 ms");
    fails(*state, IN_C "xpcall(in_c, function() " SPIN " end, function() " SPIN " end)", "runtime",
          "ran for 200 ms");
    fails(*state, "xpcall(error, function() " SPIN " end)", "runtime", "ran for 200 ms");
}

/* The coroutine of a task that ended in this way is used again, and must be stoppable. */
static void the_next_task_is_as_stoppable_as_the_last(void **state)
{
    for (int i = 0; i < 3; i++) {
        fails(*state, IN_C "in_c(function() " SPIN " end)", "runtime", "ran for 200 ms");
        ends(*state, 20, SPIN, TASK_TIMED_OUT, "");
    }
}

/* The next call of the server had only the directories of a script that a client had sent. */
static void the_next_task_was_as_confined_as_the_last(void **state)
{
    struct lua *lua = *state;
    struct job job;

    job_start(lua, &job, 0, T "time.sleep(0)");
    task_confine(job.task);
    assert_true(task_confined(job.task));
    while (job.task)
        uv_run(&lua->loop, UV_RUN_NOWAIT);
    job_free(&job);
    job_start(lua, &job, 0, T "time.sleep(60)");
    assert_false(task_confined(job.task));
    task_cancel(job.task);
    job_free(&job);
}

static void waiting_is_refused_where_it_cannot_be(void **state)
{
    fails(*state, T IN_C "in_c(function() time.sleep(0) end)", "runtime", "cannot wait here");
    fails(*state, T "setmetatable({}, { __close = 1 }) time.sleep(-1)", "runtime",
          "expected 0 to 86400 seconds");
}

/* --- turns ---------------------------------------------------------------------------------- */

static void tasks_that_compute_share_the_time(void **state)
{
    struct lua *lua = *state;
    struct job spinning, job;

    job_start(lua, &spinning, 0, SPIN);
    job_run(lua, &job, 60000, "local n = 0 for i = 1, 3000000 do n = n + i end return n");
    assert_int_equal(job.end, TASK_DONE);
    assert_string_equal(buf_text(&job.text), "4500001500000");
    assert_non_null(spinning.task);
    task_cancel(spinning.task);
    job_free(&job);
    job_free(&spinning);
}

static void count(void *arg)
{
    ++*(int *)arg;
}

static void the_loop_goes_on_while_tasks_compute(void **state)
{
    struct lua *lua = *state;
    struct job spinning[3];
    int fired = 0;

    for (int i = 0; i < 3; i++)
        job_start(lua, &spinning[i], 0, SPIN);
    timer_after(&lua->loop, 1, count, &fired);
    timer_after(&lua->loop, 20, count, &fired);
    while (fired < 2)
        uv_run(&lua->loop, UV_RUN_NOWAIT);
    for (int i = 0; i < 3; i++) {
        assert_non_null(spinning[i].task);
        task_cancel(spinning[i].task);
        job_free(&spinning[i]);
    }
}

static void a_turn_is_short(void **state)
{
    struct lua *lua = *state;
    struct job spinning;
    uint64_t best = UINT64_MAX;

    job_start(lua, &spinning, 0, SPIN);
    for (int i = 0; i < 50; i++) { /* takes the shortest round: the machine may have other work */
        uint64_t start = uv_hrtime(), took;

        uv_run(&lua->loop, UV_RUN_NOWAIT);
        took = uv_hrtime() - start;
        best = took < best ? took : best;
    }
    assert_true(best < 20 * 1000000);
    task_cancel(spinning.task);
    job_free(&spinning);
}

/* All tasks ran at once, with their first milliseconds, and held up the work behind them. */
static void many_that_start_at_once_do_not_hold_the_loop(void **state)
{
    enum { MANY = 60 };
    struct lua *lua = *state;
    struct job jobs[MANY + 1], *last = &jobs[MANY];
    int began = 0;

    uv_run(&lua->loop, UV_RUN_NOWAIT);
    for (int i = 0; i < MANY; i++)
        job_start(lua, &jobs[i], 0, "print 'began' " SPIN);
    for (int i = 0; i < MANY; i++)
        began += jobs[i].printed.len > 0;
    assert_in_range(began, 1, MANY / 2);

    uv_run(&lua->loop, UV_RUN_NOWAIT); /* a round of its own: yet the last task is behind those */
    job_start(lua, last, 0, "return 'last'");
    while (last->task)
        uv_run(&lua->loop, UV_RUN_NOWAIT);
    for (int i = 0; i < MANY; i++) {
        assert_string_equal(buf_text(&jobs[i].printed), "began\n");
        task_cancel(jobs[i].task);
        job_free(&jobs[i]);
    }
    job_free(last);
}

static void who_waits_first_goes_on_first(void **state)
{
    gives(*state,
          T "local t = {} task.map({ 3, 1, 2 }, function(ms) time.sleep(ms / 20) t[#t + 1] = ms "
            "end) return table.concat(t, ' ')",
          "1 2 3");
}

/* --- cancelling ----------------------------------------------------------------- */

static void cancelling_ends_every_kind_of_wait(void **state)
{
    static const char *const waits[] = {
        "time.sleep(600)",
        "task.map({ 1, 2, 3 }, function() local y <close> = closing(function() print 'in' end) "
        "time.sleep(600) end)",
        "task.with_timeout(600, function() local y <close> = closing(function() print 'in' end) "
        "time.sleep(600) end)",
        "task.with_timeout(600, function() task.map({ 1 }, function() local y <close> = "
        "closing(function() print 'in' end) time.sleep(600) end) end)",
        "task.spawn(function() task.lock 'x' time.sleep(600) end) time.sleep(0) task.lock 'x'",
        "task.spawn(function() local y <close> = closing(function() print 'in' end) "
        "time.sleep(600) end):join()",
        "task.channel():send(1)",
        "task.channel():receive(600)",
        "task.select({ task.channel(), task.channel(1) }, 600)",
        "require('sys.process').run { 'sleep', '600' }",
        "local c <close> = require('sys.process').start { 'cat' } c:read_line(600)",
        "local c <close> = require('sys.process').start { 'cat' } c:wait(600)",
        "local c <close> = require('sys.process').start { 'sleep', '600' } "
        "c:write(('x'):rep(5000000))",
    };
    static const char *const printed[] = { "out cancelled\n",     "in\nin\nin\nout cancelled\n",
                                           "in\nout cancelled\n", "in\nout cancelled\n",
                                           "out cancelled\n",     "in\nout cancelled\n",
                                           "out cancelled\n",     "out cancelled\n",
                                           "out cancelled\n",     "out cancelled\n",
                                           "out cancelled\n",     "out cancelled\n",
                                           "out cancelled\n" };
    struct lua *lua = *state;
    struct job job;
    char source[1024];

    for (size_t i = 0; i < countof(waits); i++) {
        snprintf(source, sizeof source,
                 T CLOSING "local x <close> = closing(function(e) print 'out cancelled' end) "
                           "%s print 'not reached'",
                 waits[i]);
        job_start(lua, &job, 0, source);
        turn(lua, 5);
        assert_non_null(job.task);
        task_cancel(job.task);
        assert_null(job.task);
        assert_int_equal(job.end, TASK_CANCELLED);
        assert_string_equal(job.err.code, "cancelled");
        assert_string_equal(job.err.text, "test was cancelled");
        assert_string_equal(buf_text(&job.printed), printed[i]);
        job_free(&job);
    }
}

static void cancelling_ends_who_computes(void **state)
{
    struct lua *lua = *state;
    struct job job;

    job_start(lua, &job, 0,
              CLOSING "local x <close> = closing(function() print 'closed' end) "
                      "while true do pcall(function() " SPIN " end) end");
    turn(lua, 3);
    task_cancel(job.task);
    assert_int_equal(job.end, TASK_CANCELLED);
    assert_string_equal(buf_text(&job.printed), "closed\n");
    job_free(&job);
}

static void cancelling_between_waking_and_going_on_is_safe(void **state)
{
    struct lua *lua = *state;
    struct job jobs[3];

    for (int i = 0; i < 3; i++)
        job_start(lua, &jobs[i], 0,
                  T CLOSING "local x <close> = closing(function() print 'closed' end) "
                            "time.sleep(0.001) " SPIN);
    uv_sleep(2);
    uv_run(&lua->loop, UV_RUN_NOWAIT); /* the timers fire; the first one computes */
    for (int i = 0; i < 3; i++) {
        task_cancel(jobs[i].task);
        assert_int_equal(jobs[i].end, TASK_CANCELLED);
        assert_string_equal(buf_text(&jobs[i].printed), "closed\n");
        job_free(&jobs[i]);
    }
}

static void a_task_that_never_began_can_be_cancelled(void **state)
{
    struct lua *lua = *state;
    struct job job;

    /* The children are made at once and begin in turns. */
    job_start(lua, &job, 0, T "task.map({ 1, 2, 3, 4, 5, 6, 7, 8 }, function() " SPIN " end)");
    task_cancel(job.task);
    assert_int_equal(job.end, TASK_CANCELLED);
    job_free(&job);
}

/* --- <close> variables ---------------------------------------------------------- */

static void they_run_however_a_task_ends(void **state)
{
#define CLOSED CLOSING "local x <close> = closing(function(e) print(e == nil and 'nil' or e) end) "
    ends(*state, 0, CLOSED "return 1", TASK_DONE, "nil\n");
    ends(*state, 0, CLOSED "error('boom', 0)", TASK_FAILED, "boom\n");
    ends(*state, 30, CLOSED SPIN, TASK_TIMED_OUT, "nil\n");
    ends(*state, 30, T CLOSED "time.sleep(600)", TASK_TIMED_OUT, "nil\n");
    ends(*state, 0, CLOSED IN_C "in_c(function() " SPIN " end)", TASK_FAILED,
         "test:1: a metamethod or a function called from C ran for 200 ms without a break\n");
}

static void they_may_use_pcall_and_print(void **state)
{
#define TIDY                                                                                       \
    T CLOSING "local x <close> = closing(function() print(pcall(error, 'e', 0)) "                  \
              "print(xpcall(error, function(e) return e .. '!' end, 'e')) end) "
    static const char tidied[] = "false\te\nfalse\te!\n";

    ends(*state, 0, TIDY, TASK_DONE, tidied);
    ends(*state, 0, TIDY "error 'x'", TASK_FAILED, tidied);
    ends(*state, 30, TIDY "time.sleep(600)", TASK_TIMED_OUT, tidied);
    ends(*state, 30, TIDY SPIN, TASK_TIMED_OUT, tidied);
    ends(*state, 0, TIDY IN_C "in_c(function() " SPIN " end)", TASK_FAILED, tidied);
    ends(*state, 0,
         TIDY IN_C "pcall(function() local y <close> = closing(function() "
                   "print(pcall(error, 'inner', 0)) error 'replaced' end) "
                   "in_c(function() " SPIN " end) end) print 'survived'",
         TASK_FAILED, "false\tinner\nfalse\te\nfalse\te!\n");
}

static void they_may_wait(void **state)
{
#define WAITS                                                                                      \
    T CLOSING "local x <close> = closing(function() print((pcall(time.sleep, 0.001))) end) "
    ends(*state, 0, WAITS, TASK_DONE, "true\n");
    ends(*state, 0, WAITS "error 'x'", TASK_FAILED, "true\n");
    /* A task that waits goes on without the one that is stopped; tests/lua/sys_task_test.lua sees
     * it. */
    ends(*state, 30, WAITS SPIN, TASK_TIMED_OUT, "");
    ends(*state, 0, WAITS "task.with_timeout(0.01, function() " WAITS "time.sleep(600) end)",
         TASK_DONE, "true\n");
}

static void they_have_a_limited_time(void **state)
{
#define ENDLESS                                                                                    \
    CLOSING "local x <close> = closing(function() while true do pcall(function() " SPIN            \
            " end) end end) "
    ends(*state, 20, ENDLESS SPIN, TASK_TIMED_OUT, "");
    ends(*state, 20, T ENDLESS "time.sleep(600)", TASK_TIMED_OUT, "");
    ends(*state, 0, ENDLESS IN_C "in_c(function() " SPIN " end)", TASK_FAILED, "");
    ends(*state, 500, ENDLESS "error 'x'", TASK_TIMED_OUT, "");
    ends(*state, 500, ENDLESS, TASK_TIMED_OUT, "");
}

static void each_of_them_runs_though_another_fails(void **state)
{
    ends(*state, 30,
         T CLOSING "local a <close> = closing(function() print 'a' end) "
                   "local b <close> = closing(function() error 'b failed' end) "
                   "local c <close> = closing(function() print 'c' end) time.sleep(600)",
         TASK_TIMED_OUT, "c\na\n");
}

/* --- many ----------------------------------------------------------------------- */

static void thousands_of_tasks_leave_nothing_behind(void **state)
{
    static const char *const sources[] = {
        "return 1",
        "error 'x'",
        T "time.sleep(0) return 1",
        T "time.sleep(600)",
        T "task.map({ 1, 2, 3 }, function() time.sleep(0) end)",
        T "pcall(task.map, { 1, 2, 3 }, function() error 'x' end)",
        T "task.with_timeout(0.001, function() time.sleep(600) end)",
        T "local held <close> = task.lock 'a' time.sleep(0)",
        T "task.spawn(function() time.sleep(600) end) time.sleep(0)",
        T "local c = task.channel() task.spawn(function() c:send {} end) return c:receive()",
        T "return task.channel():receive(0.001)",
    };
    struct lua *lua = *state;
    struct job jobs[200];
    size_t before = 0;

    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < countof(jobs); i++)
            job_start(lua, &jobs[i], 1000, sources[i % countof(sources)]);
        turn(lua, 3);
        for (size_t i = 0; i < countof(jobs); i++) {
            if (jobs[i].task && i % 2)
                task_cancel(jobs[i].task);
            lua_turn_until_gone(lua, &jobs[i].task);
            job_free(&jobs[i]);
        }
        lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
        lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
        if (round == 5)
            before = vm_memory(lua->vm);
    }
    assert_true(vm_memory(lua->vm) <= before + 20000);
    assert_int_equal(lua_gettop(vm_lua(lua->vm)), 0);
}

static void thousands_at_once_all_end(void **state)
{
    enum { MANY = 3000 };
    struct lua *lua = *state;
    struct job *jobs = mem_zero(MANY * sizeof *jobs);

    for (int i = 0; i < MANY; i++)
        job_start(lua, &jobs[i], 0, T "time.sleep(0.001) time.sleep(0.001) return 'ok'");
    for (int i = 0; i < MANY; i++) {
        lua_turn_until_gone(lua, &jobs[i].task);
        assert_int_equal(jobs[i].end, TASK_DONE);
        job_free(&jobs[i]);
    }
    free(jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LUA_CASE(what_it_returns_arrives),
        LUA_CASE(an_error_has_place_and_traceback),
        LUA_CASE(a_traceback_survives_waiting_and_pcall),
        LUA_CASE(a_cancelled_wait_does_not_cost_the_next_error_its_traceback),
        LUA_CASE(many_short_calls_through_c_are_not_one_long_one),
        LUA_CASE(any_value_may_be_an_error),
        LUA_CASE(too_deep_a_recursion_is_an_error),
        LUA_CASE(pcall_and_xpcall_are_lua_s),
        LUA_CASE(a_deadline_ends_whatever_runs),
        LUA_CASE(a_deadline_names_the_line_that_ran),
        LUA_CASE(who_is_in_time_is_not_touched),
        LUA_CASE(a_function_called_by_c_may_not_run_for_long),
        LUA_CASE(the_next_task_is_as_stoppable_as_the_last),
        LUA_CASE(the_next_task_was_as_confined_as_the_last),
        LUA_CASE(waiting_is_refused_where_it_cannot_be),
        LUA_CASE(tasks_that_compute_share_the_time),
        LUA_CASE(the_loop_goes_on_while_tasks_compute),
        LUA_CASE(a_turn_is_short),
        LUA_CASE(many_that_start_at_once_do_not_hold_the_loop),
        LUA_CASE(who_waits_first_goes_on_first),
        LUA_CASE(cancelling_ends_every_kind_of_wait),
        LUA_CASE(cancelling_ends_who_computes),
        LUA_CASE(cancelling_between_waking_and_going_on_is_safe),
        LUA_CASE(a_task_that_never_began_can_be_cancelled),
        LUA_CASE(they_run_however_a_task_ends),
        LUA_CASE(they_may_use_pcall_and_print),
        LUA_CASE(they_may_wait),
        LUA_CASE(they_have_a_limited_time),
        LUA_CASE(each_of_them_runs_though_another_fails),
        LUA_CASE(thousands_of_tasks_leave_nothing_behind),
        LUA_CASE(thousands_at_once_all_end),
    };

    alarm(HANG_SECONDS);
    return cmocka_run_group_tests_name("task", tests, NULL, NULL);
}
