/* The sandbox's table.sort, concat, insert, move and remove beside Lua's own. */
#include "stock.h"

static void test_sort_compares_what_lua_compares(void **state)
{
    agrees(*state, "sorting.lua");
}

static void test_the_others_leave_what_lua_leaves(void **state)
{
    agrees(*state, "tables.lua");
}

/* --- what takes long -------------------------------------------------------------------- */

static void test_a_comparison_may_wait(void **state)
{
    gives(*state,
          "local time = require 'sys.time' "
          "local t = { 5, 3, 9, 1, 7, 2, 8 } "
          "table.sort(t, function(a, b) time.sleep(0) return a < b end) "
          "return table.concat(t, ' ')",
          "1 2 3 5 7 8 9");
    gives(*state,
          "local time = require 'sys.time' "
          "local mt = { __lt = function(a, b) time.sleep(0) return a.v < b.v end } "
          "local t = {} "
          "for i, v in ipairs { 4, 2, 3, 1 } do t[i] = setmetatable({ v = v }, mt) end "
          "table.sort(t) "
          "return t[1].v, t[2].v, t[3].v, t[4].v",
          "1|2|3|4");
    fails(*state,
          "local time = require 'sys.time' "
          "table.sort({ 3, 1, 2 }, function(a, b) time.sleep(0) error('no order', 0) end)",
          "runtime", "no order");
    fails(*state,
          "local time = require 'sys.time' "
          "table.sort({ 3, 1, 2, 4, 5 }, function(a, b) time.sleep(0) return true end)",
          "runtime", "invalid order function for sorting");
}

static void test_all_elements_are_there_while_it_waits(void **state)
{
    gives(*state,
          "local time, task = require 'sys.time', require 'sys.task' "
          "local t, bad, done = {}, 0, false "
          "for i = 1, 60 do t[i] = (i * 37) % 61 end "
          "task.map({ 1, 2 }, function(which) "
          "  if which == 1 then "
          "    table.sort(t, function(a, b) time.sleep(0) return a < b end) "
          "    done = true "
          "    return "
          "  end "
          "  while not done do "
          "    local sum = 0 "
          "    for i = 1, 60 do sum = sum + t[i] end "
          "    if sum ~= 1830 then bad = bad + 1 end "
          "    time.sleep(0) "
          "  end "
          "end) "
          "return bad, t[1], t[60]",
          "0|1|60");
}

static void test_the_loop_turns_while_it_sorts(void **state)
{
    stops(*state, "table.sort({ 2, 1 }, function() while true do end end)");
    stops(
        *state,
        "table.sort(setmetatable({}, { __len = function() return 1 << 30 end }), function() end)");
    stops(*state, "local t = {} for i = 1, 200000 do t[i] = i * 7919 % 200003 end "
                  "while true do table.sort(t) table.sort(t, function(a, b) return b < a end) end");
}

static void test_counts_that_cost_nothing_end(void **state)
{
    static const char *const sources[] = {
        "table.move({}, 1, 1 << 53, 2)",
        "table.move(setmetatable({}, { __index = math.abs, __newindex = rawequal }), 1, 1 << 53, "
        "2)",
        "table.insert(setmetatable({}, { __len = function() return 1 << 53 end }), 1, 1)",
        "table.remove(setmetatable({}, { __len = function() return 1 << 53 end }), 1)",
    };

    for (size_t i = 0; i < countof(sources); i++)
        fails(*state, sources[i], "runtime", i == 1 ? "number expected" : "without a break");
    fails(*state, "table.concat({}, '', 1, 1 << 53)", "runtime", "invalid value (nil) at index 1");
    fails(*state, "table.concat(setmetatable({}, { __index = { '' } }), '', 2, 1 << 53)", "runtime",
          "invalid value (nil)");
    fails(*state,
          "table.concat(setmetatable({}, { __index = function() return '' end }), '', 1, 1 << 53)",
          "runtime", "without a break");
    fails(*state, "table.concat(setmetatable({}, { __index = type }), '', 1, 1 << 53)", "runtime",
          "without a break");
    fails(*state, "return table.unpack({}, 1, 1 << 53)", "runtime", "too many results to unpack");
    gives(*state, "return #(''):rep(1 << 62), #('ab'):rep(3, '')", "0|6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STOCK_CASE(test_sort_compares_what_lua_compares),
        STOCK_CASE(test_the_others_leave_what_lua_leaves),
        LUA_CASE(test_a_comparison_may_wait),
        LUA_CASE(test_all_elements_are_there_while_it_waits),
        LUA_CASE(test_the_loop_turns_while_it_sorts),
        LUA_CASE(test_counts_that_cost_nothing_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
