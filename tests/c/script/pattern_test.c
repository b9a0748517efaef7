/* The sandbox's find, match, gmatch, gsub and rep beside Lua's own, which the VM still has until
 * the first file is loaded: results and errors must be the same. The difference is that they give
 * turns, and that they end. */
#include "stock.h"

static void test_random_patterns_mean_what_they_mean_to_lua(void **state)
{
    agrees(*state, "random_patterns.lua");
}

static void test_corners_mean_what_they_mean_to_lua(void **state)
{
    agrees(*state, "strings.lua");
}

static void test_a_method_call_reaches_the_same_functions(void **state)
{
    gives(*state,
          "return ('x').find == string.find, ('x').rep == string.rep, ('x').gsub == string.gsub",
          "true|true|true");
    fails(*state, "return ('x'):find()", "runtime",
          "test:1: bad argument #1 to 'find' (string expected");
    fails(*state, "return ('x'):gsub('x')", "runtime",
          "bad argument #2 to 'gsub' (string/function/table expected");
}

/* --- patterns that take long ---------------------------------------------------------- */

static void test_a_pattern_without_end_is_given_up(void **state)
{
    fails(*state, "return ('a'):rep(3000):find('.-.-.-.-b')", "runtime",
          "pattern took too long on this text (3000 bytes). Anchor it or make it simpler");
    fails(*state, "return ('a'):rep(40):match(('a?'):rep(60) .. ('a'):rep(40) .. 'b')", "runtime",
          "took too long");
    fails(*state, "for _ in ('a'):rep(3000):gmatch('.-.-.-.-b') do end", "runtime",
          "took too long");
    fails(*state, "return ('a'):rep(3000):gsub('.-.-.-.-b', '')", "runtime", "took too long");
    gives(*state, "return pcall(string.find, ('a'):rep(3000), '.-.-.-.-b') == false", "true");
}

/* At each place it takes little time; in all it would take a minute and a half. */
static void test_a_call_has_one_budget_for_all_places(void **state)
{
    static const char wanted[] =
        "pattern took too long on this text (100001 bytes). Anchor it or make it simpler";

    fails(*state, "return ((' '):rep(100000) .. 'x'):gsub('%s+$', '')", "runtime", wanted);
    fails(*state, "return ((' '):rep(100000) .. 'x'):find('%s+$')", "runtime", wanted);
    fails(*state, "return ((' '):rep(100000) .. 'x'):match('%s+$')", "runtime", wanted);
    fails(*state, "for _ in ((' '):rep(100000) .. 'x'):gmatch('%s+%.') do end", "runtime", wanted);
    fails(*state, "return ('y' .. (' '):rep(100000)):gsub('%s-x', function() return 'z' end)",
          "runtime", wanted);
}

static void test_the_loop_turns_while_a_search_goes_on(void **state)
{
    stops(*state, "return ('a'):rep(100000):find('.-b')");
    stops(*state, "return ('a'):rep(100000):match('a*b')");
    stops(*state, "for _ in ('a'):rep(100000):gmatch('a-b') do end");
    stops(*state, "return ('a'):rep(100000):gsub('a*b', 'c')");
    stops(*state, "return ('('):rep(100000):find('%b()')");
    stops(*state, "return ('a'):rep(10000):find('(a*)%1b')");
    stops(*state, "local s = ('a'):rep(2000000) while true do s:find('b') end");
    stops(*state, "return ('a'):rep(8000000):find(('a'):rep(4000000) .. 'b', 1, true)");
    stops(*state, "return ('a'):rep(100000):find('[' .. ('bcdefghi'):rep(1000) .. ']')");
}

static void test_a_search_that_is_given_up_in_a_pcall_does_not_outlive_its_time(void **state)
{
    struct job job;

    job_run(*state, &job, 300,
            "while true do pcall(string.find, ('a'):rep(3000), '.-.-.-.-b') end");
    assert_int_equal(job.end, TASK_TIMED_OUT);
    job_free(&job);
}

/* Work that takes a tenth of the limit takes all of it in a build with sanitizers. */
#ifdef __SANITIZE_ADDRESS__
#define LARGE "600000"
#define FOUND "600001|true|1200004|600003"
#else
#define LARGE "6000000"
#define FOUND "6000001|true|12000004|6000003"
#endif

static void test_a_large_text_is_searched_to_its_end(void **state)
{
    gives(*state,
          "local s = ('a'):rep(" LARGE ") .. 'b=12' "
          "local n = 0 "
          "for _ in s:gmatch('%w') do n = n + 1 end "
          "return s:find('b=(%d+)'), s:match('^(a+)b') == ('a'):rep(" LARGE "), "
          "#s:gsub('a', 'bc'), n",
          FOUND);
    gives(
        *state,
        "local s = ('ab'):rep(300000) return #s:gsub('b', string.upper), #s:gsub('b', { b = '' })",
        "600000|300000");
}

static void test_a_search_ends_while_a_file_is_loaded(void **state)
{
    struct lua *lua = *state;
    struct error err;
    const char source[] = "return ('a'):rep(3000):find('.-.-.-.-b')";

    assert_false(
        sandbox_run(lua->sandbox, "test", source, sizeof source - 1, SANDBOX_LOAD_MS, &err));
    assert_non_null(strstr(err.text, "took too long"));
}

static void test_a_replacement_function_may_wait(void **state)
{
    gives(
        *state,
        "local time = require 'sys.time' "
        "return ('one two three'):gsub('%a+', function(w) time.sleep(0.002) return w:upper() end)",
        "ONE TWO THREE|3");
    gives(*state,
          "local time = require 'sys.time' "
          "return ('abc'):gsub('^%a', function(w) time.sleep(0) return w:upper() end)",
          "Abc|1");
    gives(*state,
          "local time = require 'sys.time' "
          "return pcall(string.gsub, 'abc', 'b', function() time.sleep(0) error('no', 0) end)",
          "false|no");
    fails(*state,
          "local time = require 'sys.time' "
          "return ('abc'):gsub('b', function() time.sleep(0) return {} end)",
          "runtime", "test:1: invalid replacement value (a table)");
    gives(*state,
          "local time, task = require 'sys.time', require 'sys.task' "
          "local function double(n) "
          "  return (('x'):rep(n):gsub('x', function(x) time.sleep(0) return x:rep(n) end)) "
          "end "
          "local all = task.map({ 5, 40 }, double) "
          "return #all[1], #all[2]",
          "25|1600");
}

static void test_a_replacement_function_is_preempted(void **state)
{
    stops(*state, "return ('a'):gsub('a', function() while true do end end)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STOCK_CASE(test_random_patterns_mean_what_they_mean_to_lua),
        STOCK_CASE(test_corners_mean_what_they_mean_to_lua),
        LUA_CASE(test_a_method_call_reaches_the_same_functions),
        LUA_CASE(test_a_pattern_without_end_is_given_up),
        LUA_CASE(test_a_call_has_one_budget_for_all_places),
        LUA_CASE(test_the_loop_turns_while_a_search_goes_on),
        LUA_CASE(test_a_search_that_is_given_up_in_a_pcall_does_not_outlive_its_time),
        LUA_CASE(test_a_large_text_is_searched_to_its_end),
        LUA_CASE(test_a_search_ends_while_a_file_is_loaded),
        LUA_CASE(test_a_replacement_function_may_wait),
        LUA_CASE(test_a_replacement_function_is_preempted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
