/* sys.task: several functions at once, within a time, one at a time. */
#include "io_help.h"
#include "task_run.h"

/* --- task.map ------------------------------------------------------------------- */

static void map_keeps_the_order_of_its_items(void **state)
{
    gives(*state,
          T "local r = task.map({ 'a', 'b', 'c', 'd' }, function(item, i) "
            "time.sleep((5 - i) / 200) return item .. i, 'dropped' end) "
            "return table.concat(r, ' '), r.n, #r",
          "a1 b2 c3 d4|4|4");
    gives(*state, T "local r = task.map({}, error) return r.n, #r", "0|0");
    gives(*state,
          T "local r = task.map({ 1, 2, 3 }, function(i) if i ~= 2 then return i end end) "
            "return r.n, r[1], r[2], r[3]",
          "3|1|nil|3");
}

static void map_runs_as_many_as_it_may(void **state)
{
    static const char source[] =
        T "local now, most = 0, 0 local items = {} for i = 1, 100 do items[i] = i end "
          "task.map(items, function() now = now + 1 most = math.max(most, now) time.sleep(0.002) "
          "now = now - 1 end %s) return most";
    char text[512];

    snprintf(text, sizeof text, source, "");
    gives(*state, text, "8");
    snprintf(text, sizeof text, source, ", 1");
    gives(*state, text, "1");
    snprintf(text, sizeof text, source, ", 64");
    gives(*state, text, "64");
    snprintf(text, sizeof text, source, ", 65");
    fails(*state, text, "runtime", "expected 1 to 64");
    snprintf(text, sizeof text, source, ", 0");
    fails(*state, text, "runtime", "expected 1 to 64");
}

static void an_error_in_map_cancels_the_others(void **state)
{
    struct job job;

    job_run(*state, &job, 0,
            T CLOSING
            "print(pcall(task.map, { 1, 2, 3, 4 }, function(i) "
            "local x <close> = closing(function() print('closed ' .. i) end) "
            "if i == 3 then time.sleep(0.01) error('third', 0) end time.sleep(600) end))");
    assert_int_equal(job.end, TASK_DONE);
    assert_string_equal(buf_text(&job.printed),
                        "closed 3\nclosed 1\nclosed 2\nclosed 4\nfalse\titem 3: third\n");
    job_free(&job);
    gives(*state,
          T "local e = {} local ok, err = pcall(task.map, { 1 }, function() error(e) end) "
            "return ok, err == e",
          "false|true");
    gives(*state,
          T "local n = 0 pcall(task.map, { 1, 2, 3, 4, 5 }, function() n = n + 1 error 'x' end, 1) "
            "return n",
          "1");
    fails(*state, T "task.map({ 1, 2 }, function(i) time.sleep(0.001) error('bad ' .. i) end)",
          "runtime", "item 1: test:1: bad 1");
}

static void maps_can_be_nested(void **state)
{
    gives(*state,
          T "local r = task.map({ 1, 2, 3 }, function(i) "
            "local inner = task.map({ 10, 20 }, function(j) time.sleep(0.001) return i * j end) "
            "return inner[1] + inner[2] end) return r[1], r[2], r[3]",
          "30|60|90");
    fails(*state,
          T "task.map({ 1 }, function() task.map({ 'x' }, function() error('deep', 0) end) end)",
          "runtime", "item 1: item 1: deep");
}

static void map_wants_a_list_and_a_function(void **state)
{
    fails(*state, T "task.map(1, print)", "runtime", "table expected");
    fails(*state, T "task.map({}, 1)", "runtime", "function expected");
    fails(*state, T IN_C "in_c(function() task.map({ 1 }, print) end)", "runtime",
          "cannot wait here");
}

/* --- with_timeout --------------------------------------------------------------- */

static void with_timeout_gives_what_the_function_gives(void **state)
{
    gives(*state, T "return task.with_timeout(5, function() return 1, nil, 3 end)", "1|nil|3");
    gives(*state, T "return select('#', task.with_timeout(5, function() end))", "0");
    gives(*state, T "return task.with_timeout(5, function() time.sleep(0.001) return 'x' end)",
          "x");
    fails(*state, T "task.with_timeout(5, function() error 'inner' end)", "runtime",
          "test:1: inner");
    gives(*state,
          T "local e = {} local ok, err = pcall(task.with_timeout, 5, function() error(e) end) "
            "return err == e",
          "true");
}

static void with_timeout_stops_what_takes_longer(void **state)
{
    static const char *const inside[][2] = {
        { "time.sleep(600)", "while it waited at" },
        { SPIN, "at" },
        { "task.map({ 1, 2 }, function() time.sleep(600) end)", "while it waited at" },
    };
    char source[512], told[128];

    for (size_t i = 0; i < countof(inside); i++) {
        snprintf(source, sizeof source,
                 T "local r, err, code = task.with_timeout(0.02, function() %s end) "
                   "time.sleep(0) return r, err, code",
                 inside[i][0]);
        snprintf(told, sizeof told,
                 "nil|test was stopped after 0.02 s, its time limit, %s test:1|timeout",
                 inside[i][1]);
        gives(*state, source, told);
    }
    gives(*state, T "return task.with_timeout(0.02, function() " SPIN " end, 'decide()')",
          "nil|decide() was stopped after 0.02 s, its time limit, at test:1|timeout");
    fails(*state, T "task.with_timeout(0, print)", "runtime", "expected more than 0");
    fails(*state, T "task.with_timeout(1)", "runtime", "function expected");
}

static void the_shorter_limit_counts(void **state)
{
    struct job job;

    gives(*state,
          T "return task.with_timeout(600, function() return select(3, task.with_timeout(0.02, "
            "function() time.sleep(600) end)) end)",
          "timeout");
    for (int i = 0; i < 10; i++) { /* it is left to chance which timer fires first */
        job_run(*state, &job, 15 + i,
                T
                "task.with_timeout(600, function() task.map({ 1 }, function() time.sleep(600) end)"
                " end) print 'went on'");
        assert_int_equal(job.end, TASK_TIMED_OUT);
        assert_int_equal(job.printed.len, 0);
        job_free(&job);
    }
    gives(*state,
          T "return task.with_timeout(0.5, function() return task.remaining() <= 0.5 end), "
            "task.remaining() > 0.5",
          "true|true");
}

/* --- task.lock ------------------------------------------------------------------ */

static void a_lock_is_held_by_one_at_a_time_in_order(void **state)
{
    gives(*state,
          T "local t = {} task.map({ 1, 2, 3 }, function(i) local held <close> = task.lock 'a' "
            "t[#t + 1] = 'in' .. i time.sleep(0.002) t[#t + 1] = 'out' .. i end) "
            "return table.concat(t, ' ')",
          "in1 out1 in2 out2 in3 out3");
    gives(*state, T "local a <close> = task.lock 'a' local b <close> = task.lock 'b' return 'both'",
          "both");
}

static void a_lock_is_given_back_however_its_holder_ends(void **state)
{
    static const char *const ways[] = { "error 'x'", "time.sleep(600)", SPIN };
    char source[512];

    for (size_t i = 0; i < countof(ways); i++) {
        snprintf(source, sizeof source,
                 T "pcall(task.with_timeout, 0.02, function() local held <close> = task.lock 'a' "
                   "%s end) local held <close> = task.lock 'a' return 'mine'",
                 ways[i]);
        gives(*state, source, "mine");
    }
}

/* The next task in line is given the lock, and cancelled before it runs again. */
static void a_lock_passes_those_who_are_gone(void **state)
{
    struct lua *lua = *state;
    struct job holder, next, last;

    job_start(lua, &holder, 0, T "local held <close> = task.lock 'a' time.sleep(0.01)");
    job_start(lua, &next, 0, T "local held <close> = task.lock 'a' print 'next'");
    job_start(lua, &last, 0, T "local held <close> = task.lock 'a' return 'last'");
    task_cancel(holder.task);
    task_cancel(next.task);
    lua_turn_until_gone(lua, &last.task);
    assert_int_equal(next.printed.len, 0);
    assert_string_equal(buf_text(&last.text), "last");
    job_free(&holder);
    job_free(&next);
    job_free(&last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LUA_CASE(map_keeps_the_order_of_its_items),
        LUA_CASE(map_runs_as_many_as_it_may),
        LUA_CASE(an_error_in_map_cancels_the_others),
        LUA_CASE(maps_can_be_nested),
        LUA_CASE(map_wants_a_list_and_a_function),
        LUA_CASE(with_timeout_gives_what_the_function_gives),
        LUA_CASE(with_timeout_stops_what_takes_longer),
        LUA_CASE(the_shorter_limit_counts),
        LUA_CASE(a_lock_is_held_by_one_at_a_time_in_order),
        LUA_CASE(a_lock_is_given_back_however_its_holder_ends),
        LUA_CASE(a_lock_passes_those_who_are_gone),
    };

    alarm(HANG_SECONDS);
    return cmocka_run_group_tests_name("sys_task", tests, NULL, NULL);
}
