/* sys.process: child processes as scripts see them. The children are real. */
#include "io_help.h"
#include "lua_run.h"

#define P "local process = require 'sys.process' "

/* Children hold $LINE open. */
static void open_line(struct lifeline *line)
{
    lifeline_open(line);
    setenv("LINE", line->path, 1);
}

static void turn_until_alive(struct lua *lua, struct lifeline *line)
{
    while (!lifeline_alive(line)) {
        uv_run(&lua->loop, UV_RUN_NOWAIT);
        uv_sleep(1);
    }
}

#define HOLD "{ 'sh', '-c', 'exec 9>\"$LINE\"; echo up; sleep 600' }"

/* --- run --------------------------------------------------------------------------- */

static void a_result_has_code_output_and_errors(void **state)
{
    gives(*state,
          P "local r = process.run { 'sh', '-c', 'echo out; echo err >&2; exit 3' } "
            "return r.code, r.signal, r.stdout, r.stderr, r.truncated, math.type(r.elapsed)",
          "3|nil|out\n|err\n|false|float");
}

static void a_signal_is_told_apart_from_a_code(void **state)
{
    gives(*state, P "local r = process.run { 'sh', '-c', 'kill -9 $$' } return r.code, r.signal",
          "nil|9");
}

static void arguments_are_not_touched_by_a_shell(void **state)
{
    gives(*state, P "return process.run({ 'printf', '%s|', '$HOME', '', '*', 12, 1.5 }).stdout",
          "$HOME||*|12|1.5|");
}

static void input_of_any_bytes_goes_through(void **state)
{
    gives(*state,
          P "local s = ('a\\0b\\n'):rep(100000) "
            "return process.run({ 'cat', input = s, max_output = 1000000 }).stdout == s",
          "true");
}

static void output_is_cut_at_its_limit_and_says_so(void **state)
{
    gives(*state,
          P "local r = process.run { 'sh', '-c', 'yes | head -c 100000', max_output = 1000 } "
            "return #r.stdout, r.truncated, r.code",
          "1000|true|0");
}

static void merged_errors_are_output(void **state)
{
    gives(*state,
          P
          "local r = process.run { 'sh', '-c', 'echo a; echo b >&2; echo c', merge_stderr = true }"
          " return r.stdout, r.stderr",
          "a\nb\nc\n|");
}

static void the_environment_is_ours_with_changes(void **state)
{
    setenv("PERIGEE_TEST_KEPT", "kept", 1);
    setenv("PERIGEE_TEST_GONE", "gone", 1);
    setenv("PERIGEE_TEST_OTHER", "old", 1);
    gives(*state,
          P "return process.run({ 'sh', '-c', 'echo $PERIGEE_TEST_KEPT,$PERIGEE_TEST_GONE,"
            "$PERIGEE_TEST_OTHER,$PERIGEE_TEST_NEW', env = { PERIGEE_TEST_GONE = false, "
            "PERIGEE_TEST_OTHER = 'new', PERIGEE_TEST_NEW = 'a=b c' } }).stdout",
          "kept,,new,a=b c\n");
}

static void it_runs_in_the_folder_asked_for(void **state)
{
    gives(*state, P "return process.run({ 'pwd', cwd = '/' }).stdout", "/\n");
}

static void a_missing_program_is_a_failure_with_a_code(void **state)
{
    gives(*state,
          P "local r, err, code = process.run { 'no-such-program-here' } "
            "return r, code, err:match 'no program of this name is on PATH'",
          "nil|not_found|no program of this name is on PATH");
}

static void a_time_limit_kills_the_group_and_gives_what_was_said(void **state)
{
    struct lifeline line;

    open_line(&line);
    gives(*state,
          P "local r, err, code, part = process.run { 'sh', '-c', "
            "'exec 9>\"$LINE\"; echo so far; echo trouble >&2; sleep 600 & wait', timeout = 0.3 } "
            "return r, code, err, part.stdout",
          "nil|timeout|\"sh\" was stopped after 0.3 s, its time limit. Its last message: "
          "trouble|so far\n");
    lifeline_await_end(&line);
    lifeline_close(&line);
}

static void what_is_no_spec_raises(void **state)
{
    fails(*state, P "process.run 'ls'", "runtime", "table expected");
    fails(*state, P "process.run {}", "runtime", "the program's name is missing");
    fails(*state, P "process.run { 'ls', true }", "runtime", "[2]: string expected, got boolean");
    fails(*state, P "process.run { 'ls', 'a\\0b' }", "runtime", "[2] has a NUL byte");
    fails(*state, P "process.run { 'ls', timout = 3 }", "runtime",
          "field 'timout': there is no such option");
    fails(*state, P "process.run { 'ls', timeout = 0 }", "runtime", "field 'timeout': expected");
    fails(*state, P "process.run { 'ls', timeout = 0/0 }", "runtime", "field 'timeout': expected");
    fails(*state, P "process.run { 'ls', timeout = '3' }", "runtime",
          "field 'timeout': number expected, got string");
    fails(*state, P "process.run { 'ls', max_output = 1e12 }", "runtime", "field 'max_output'");
    fails(*state, P "process.run { 'ls', cwd = '/\\0' }", "runtime", "it has a NUL byte");
    fails(*state, P "process.run { 'ls', env = { ['A=B'] = 'c' } }", "runtime", "a name is empty");
    fails(*state, P "process.run { 'ls', env = { A = true } }", "runtime", "'A' must be a string");
    fails(*state, P "process.run { 'ls', env = 'A=B' }", "runtime", "table expected");
    fails(*state, P "process.run { 'ls', merge_stderr = 'yes' }", "runtime", "boolean expected");
}

static void cancelling_a_call_kills_what_it_runs(void **state)
{
    struct lua *lua = *state;
    struct lifeline line;
    struct job job;

    open_line(&line);
    job_start(lua, &job, 0, P "process.run " HOLD);
    turn_until_alive(lua, &line);
    task_cancel(job.task);
    assert_int_equal(job.end, TASK_CANCELLED);
    lifeline_await_end(&line);
    lifeline_close(&line);
    job_free(&job);
}

static void the_deadline_of_the_call_ends_what_it_runs(void **state)
{
    struct lifeline line;
    struct job job;

    open_line(&line);
    job_run(*state, &job, 300, P "process.run " HOLD);
    assert_int_equal(job.end, TASK_TIMED_OUT);
    lifeline_await_end(&line);
    lifeline_close(&line);
    job_free(&job);
}

/* --- start ------------------------------------------------------------------------- */

static void lines_are_read_one_by_one(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'printf', 'a\\n\\nb c\\nend' } "
            "local t = {} "
            "while true do local line, err, code = c:read_line() "
            "if not line then t[#t + 1] = code break end t[#t + 1] = '<' .. line .. '>' end "
            "return table.concat(t, ' ')",
          "<a> <> <b c> <end> closed");
}

static void a_conversation_works(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'cat' } local t = {} "
            "for i = 1, 100 do assert(c:write('line ' .. i .. '\\n')) t[i] = c:read_line() end "
            "c:close_input() local r = c:wait() "
            "return #t, t[100], r.code, c:running(), select(3, c:write 'x')",
          "100|line 100|0|false|closed");
}

static void a_line_that_does_not_come_is_a_timeout(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'cat' } "
            "local line, err, code = c:read_line(0.05) "
            "c:write 'late\\n' return line, code, err, c:read_line()",
          "nil|timeout|\"cat\" is still running but wrote no line in time|late");
}

static void a_line_that_is_too_long_is_skipped(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'sh', '-c', "
            "'yes | tr -d \"\\\\n\" | head -c 300000; echo; echo next', max_output = 1000 } "
            "local line, err, code = c:read_line() return line, code, c:read_line()",
          "nil|too_large|next");
}

static void a_line_is_as_long_as_it_may_be_and_no_longer(void **state)
{
    gives(*state,
          P "local function first(n, newline) local c <close> = process.start { 'sh', '-c', "
            "'head -c ' .. n .. ' /dev/zero | tr \"\\\\0\" x; ' .. newline, max_output = 1000 } "
            "local line, err, code = c:read_line() return line and #line or code end "
            "return first(999, 'echo'), first(1000, 'echo'), first(1001, 'echo'), "
            "first(1000, ''), first(1001, ''), first(70000, 'echo')",
          "999|1000|too_large|1000|too_large|too_large");
}

static void many_lines_pass_through_a_small_window(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'seq', '200000', max_output = 4096 } "
            "local n, sum = 0, 0 "
            "for line in function() return (c:read_line()) end do "
            "n = n + 1 sum = sum + tonumber(line) end return n, sum, c:wait().code",
          "200000|20000100000|0");
}

static void the_smallest_window_lets_everything_through(void **state)
{
    gives(*state,
          P
          "local c <close> = process.start { 'sh', '-c', 'for i in 1 2 3 4 5 6 7 8 9; do echo $i; "
          "done', max_output = 1 } local t = {} "
          "for line in function() return (c:read_line()) end do t[#t + 1] = line end "
          "return table.concat(t)",
          "123456789");
}

static void a_child_that_is_not_read_waits(void **state)
{
    gives(*state,
          P "local time = require 'sys.time' "
            "local c <close> = process.start { 'sh', '-c', "
            "'yes | head -c 3000000; echo done >&2; cat > /dev/null', max_output = 1000 } "
            "local code = select(3, c:wait(0.01)) "
            "return code",
          "timeout");
}

static void stdout_that_is_closed_is_told(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'sh', '-c', 'echo a; exec >&-; sleep 600' } "
            "return c:read_line(), c:running(), select(2, c:read_line())",
          "a|true|\"sh\" closed its output|closed");
}

static void how_it_ended_is_told_with_its_last_words(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'sh', '-c', 'echo one >&2; echo two >&2; exit 4' } "
            "local _, err = c:read_line() return err, c:errors()",
          "\"sh\" exited with code 4. Its last message: two|one\ntwo\n");
}

static void errors_keep_the_last_8_kB(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'sh', '-c', 'seq 100000 >&2' } "
            "local r = c:wait() return #c:errors(), c:errors():sub(-7), r.stderr == c:errors()",
          "8192|100000\n|true");
}

static void wait_gives_what_was_not_read(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'sh', '-c', 'echo a; echo b; echo c; exit 2' } "
            "local line = c:read_line() local r = c:wait() "
            "return line, r.code, r.stdout, c:wait().stdout, select(3, c:read_line())",
          "a|2|b\nc\n||closed");
}

static void wait_drops_what_is_too_much(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'sh', '-c', 'yes | head -c 1000000', "
            "max_output = 5000 } local r = c:wait() return #r.stdout, r.truncated, r.code",
          "5000|true|0");
}

static void one_task_at_a_time_reads_a_child(void **state)
{
    gives(*state,
          P "local task = require 'sys.task' local c <close> = process.start { 'cat' } "
            "local codes = task.map({ 1, 2 }, function(_, i) "
            "if i == 2 then local code = select(3, c:read_line(5)) c:write 'x\\n' return code end "
            "return (c:read_line()) end) return codes[1], codes[2]",
          "x|busy");
}

static void closing_wakes_the_one_who_reads(void **state)
{
    gives(*state,
          P "local task = require 'sys.task' local c = process.start { 'cat' } "
            "local codes = task.map({ 1, 2 }, function(_, i) "
            "if i == 2 then c:close() return 'closed it' end "
            "return select(3, c:read_line()) end) "
            "c:kill() c:close() return codes[1], codes[2], c:running()",
          "closed|closed it|false");
}

static void a_kept_child_outlives_its_call(void **state)
{
    struct lua *lua = *state;

    gives(lua,
          P "local state = require('sys.state').open 'kept' "
            "state.c = process.start { 'cat' } return state.c:running()",
          "true");
    lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
    lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
    gives(lua,
          "local c = require('sys.state').open('kept').c c:write 'hello\\n' return c:read_line()",
          "hello");
    gives(lua,
          "local t = require('sys.state').open 'kept' t.c:kill 'kill' "
          "local r = t.c:wait() t.c = nil return r.signal",
          "9");
}

static void a_collected_child_is_killed(void **state)
{
    struct lua *lua = *state;
    struct lifeline line;

    open_line(&line);
    gives(lua, P "return process.start(" HOLD "):read_line()", "up");
    assert_true(lifeline_alive(&line));
    lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
    lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
    lifeline_await_end(&line);
    lifeline_close(&line);
}

static void a_closed_child_is_killed(void **state)
{
    struct lifeline line;

    open_line(&line);
    gives(*state, P "local c <close> = process.start(" HOLD ") return c:read_line()", "up");
    lifeline_await_end(&line);
    lifeline_close(&line);
}

static void a_kept_child_dies_with_the_vm(void **state)
{
    struct lifeline line;
    struct lua other;

    (void)state;
    open_line(&line);
    lua_open(&other, 0);
    gives(&other,
          P "local t = require('sys.state').open 'kept' t.c = process.start(" HOLD ") "
            "return t.c:read_line()",
          "up");
    assert_true(lifeline_alive(&line));
    lua_shut(&other);
    lifeline_await_end(&line);
    lifeline_close(&line);
}

static void a_cancelled_reader_leaves_the_child_usable(void **state)
{
    struct lua *lua = *state;
    struct job job;

    job_start(lua, &job, 0,
              P "local t = require('sys.state').open 'kept' t.c = process.start { 'cat' } "
                "t.c:read_line(600)");
    assert_non_null(job.task);
    task_cancel(job.task);
    gives(lua,
          "local c <close> = require('sys.state').open('kept').c c:write 'again\\n' "
          "return c:read_line()",
          "again");
    job_free(&job);
}

static void a_time_limit_ends_a_started_child(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'sleep', '600', timeout = 0.05 } "
            "local r, err, code, result = c:wait() return r, code, err, result.signal",
          "nil|timeout|\"sleep\" was stopped at its time limit|15");
}

static void writing_more_than_the_pipe_holds_waits_for_the_reader(void **state)
{
    gives(*state,
          P "local task = require 'sys.task' local c <close> = process.start { 'wc', '-c' } "
            "local s = ('x'):rep(100000) for i = 1, 50 do assert(c:write(s)) end "
            "c:close_input() return (c:read_line():gsub('%s', ''))",
          "5000000");
}

static void writing_to_one_who_left_fails(void **state)
{
    gives(*state,
          P "local c <close> = process.start { 'true' } c:wait() "
            "local ok, err, code = c:write 'x' return ok, code",
          "nil|closed");
    gives(*state,
          P
          "local c <close> = process.start { 'sh', '-c', 'exec <&-; echo ready; sleep 600' } "
          "c:read_line() local ok, err, code "
          "for i = 1, 1000 do ok, err, code = c:write(('x'):rep(100000)) if not ok then break end "
          "end return ok, code",
          "nil|closed");
}

static void signals_have_names(void **state)
{
    gives(*state,
          P "local t = {} for i, name in ipairs { 'term', 'kill', 'int', 'hup' } do "
            "local c <close> = process.start { 'sleep', '600' } c:kill(name) "
            "t[i] = c:wait().signal end return table.concat(t, ' ')",
          "15 9 2 1");
    fails(*state, P "process.start({ 'cat' }):kill 'nonsense'", "runtime", "invalid option");
}

static void methods_want_a_child(void **state)
{
    fails(*state, P "local c = process.start { 'cat' } c.read_line({})", "runtime",
          "sys.process.Child expected, got table");
    fails(*state, P "local c = process.start { 'cat' } c.read_line()", "runtime",
          "sys.process.Child");
    gives(*state, P "local c <close> = process.start { 'cat' } return c.nothing, math.type(c.pid)",
          "nil|integer");
}

static void a_file_starts_nothing_while_it_is_loaded(void **state)
{
    struct lua *lua = *state;
    struct error err;
    static const char *const texts[] = { P "process.start { 'cat' }", P "process.run { 'ls' }" };

    for (size_t i = 0; i < countof(texts); i++) {
        assert_false(
            sandbox_run(lua->sandbox, "file", texts[i], strlen(texts[i]), SANDBOX_LOAD_MS, &err));
        assert_non_null(strstr(err.text, "while a file is loaded"));
    }
}

static void no_memory_is_lost_when_results_do_not_fit(void **state)
{
    struct lua *lua = *state;

    lua->memory = 1024 * 1024;
    fails(lua,
          P "local r = process.run { 'sh', '-c', 'yes | head -c 4000000', max_output = 4000000 } "
            "return #r.stdout",
          "memory", "memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LUA_CASE(a_result_has_code_output_and_errors),
        LUA_CASE(a_signal_is_told_apart_from_a_code),
        LUA_CASE(arguments_are_not_touched_by_a_shell),
        LUA_CASE(input_of_any_bytes_goes_through),
        LUA_CASE(output_is_cut_at_its_limit_and_says_so),
        LUA_CASE(merged_errors_are_output),
        LUA_CASE(the_environment_is_ours_with_changes),
        LUA_CASE(it_runs_in_the_folder_asked_for),
        LUA_CASE(a_missing_program_is_a_failure_with_a_code),
        LUA_CASE(a_time_limit_kills_the_group_and_gives_what_was_said),
        LUA_CASE(what_is_no_spec_raises),
        LUA_CASE(cancelling_a_call_kills_what_it_runs),
        LUA_CASE(the_deadline_of_the_call_ends_what_it_runs),
        LUA_CASE(lines_are_read_one_by_one),
        LUA_CASE(a_conversation_works),
        LUA_CASE(a_line_that_does_not_come_is_a_timeout),
        LUA_CASE(a_line_that_is_too_long_is_skipped),
        LUA_CASE(a_line_is_as_long_as_it_may_be_and_no_longer),
        LUA_CASE(many_lines_pass_through_a_small_window),
        LUA_CASE(the_smallest_window_lets_everything_through),
        LUA_CASE(a_child_that_is_not_read_waits),
        LUA_CASE(stdout_that_is_closed_is_told),
        LUA_CASE(how_it_ended_is_told_with_its_last_words),
        LUA_CASE(errors_keep_the_last_8_kB),
        LUA_CASE(wait_gives_what_was_not_read),
        LUA_CASE(wait_drops_what_is_too_much),
        LUA_CASE(one_task_at_a_time_reads_a_child),
        LUA_CASE(closing_wakes_the_one_who_reads),
        LUA_CASE(a_kept_child_outlives_its_call),
        LUA_CASE(a_collected_child_is_killed),
        LUA_CASE(a_closed_child_is_killed),
        LUA_CASE(a_kept_child_dies_with_the_vm),
        LUA_CASE(a_cancelled_reader_leaves_the_child_usable),
        LUA_CASE(a_time_limit_ends_a_started_child),
        LUA_CASE(writing_more_than_the_pipe_holds_waits_for_the_reader),
        LUA_CASE(writing_to_one_who_left_fails),
        LUA_CASE(signals_have_names),
        LUA_CASE(methods_want_a_child),
        LUA_CASE(a_file_starts_nothing_while_it_is_loaded),
        LUA_CASE(no_memory_is_lost_when_results_do_not_fit),
    };

    return cmocka_run_group_tests_name("sys.process", tests, NULL, NULL);
}
