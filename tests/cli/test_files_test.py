#!/usr/bin/env python3
"""Test files: examples of a tool that its own file does not show, and what is said of those that cannot be run."""

import json
import os

from kit import FOLDER, done, folder, has, hasnt, perigee, same, tap, write

ROOT = os.path.realpath(folder("root"))
TOOL = """local window, words = require "sys.window", require "words"
return {
  description = "Says how many windows there are.", inputSchema = { type = "object" },
  run = function()
    local list, err, code = window.list()
    if not list then return nil, err, code end
    return words.count(#list)
  end,
  examples = { { "counts", given = { ["sys.window.list"] = { { id = 1 } } }, want = "1 window" } },
}
"""
write("root/tools/mine/count.lua", TOOL)
write("root/lib/words.lua", "return { count = function(n) return n .. (n == 1 and ' window' or ' windows') end }")
write("root/testing/rooms.lua", "return { full = function(n) local l = {} for i = 1, n do l[i] = { id = i } end return l end }")
CASES = """local rooms = require "testing.rooms"

return {
  { "counts many", given = { ["sys.window.list"] = rooms.full(3) }, want = "3 windows" },
  { "says why it cannot", given = { ["sys.window.list"] = { n = 3, false, "no display", "no_display" } }, code = "no_display" },
}
"""


def tested(*words):
    return perigee("test", *words, "--no-user-root", "--root", ROOT)


def clean():
    for name in os.listdir(FOLDER / "root/tests/tools") if (FOLDER / "root/tests/tools").is_dir() else []:
        os.remove(FOLDER / "root/tests/tools" / name)


def cases(text, name="count_test.lua"):
    clean()
    return write("root/tests/tools/" + name, text)


def both_are_run():
    cases(CASES)
    answer = tested("count")
    same((answer.code, answer.err), (0, ""), answer)
    same(answer.out, "tools/mine/count.lua\n  ok   counts\ntests/tools/count_test.lua\n  ok   counts many\n"
                     "  ok   says why it cannot\n3 passed, 0 failed\n")
    same(perigee("check", "--no-user-root", "--root", ROOT).code, 0)


WAITS = """local element, screen, time, window = require "sys.element", require "sys.screen", require "sys.time", require "sys.window"

local function for_an_hour(wait)
  local began = time.monotonic()
  while time.monotonic() - began < 3600 do wait() end
end

return {
  description = "Waits five hours for what does not happen, and an hour at most for what has happened.",
  inputSchema = { type = "object" },
  run = function()
    local began = time.monotonic()
    for_an_hour(function() time.sleep(60) end)
    for_an_hour(function() element.changes { pid = 7, since = 1, wait = 60 } end)
    for_an_hour(function() window.changed("1", { wait = 60 }) end)
    for_an_hour(function() window.changed("1") end)
    for_an_hour(function() screen.drawn() end)
    window.changed()
    window.changed("0", { wait = 3600 })
    screen.drawn { wait = 3600 }
    element.changes { pid = 7, since = 1, wait = 3600 }
    element.changes()
    return ("%d h"):format((time.monotonic() - began) // 3600)
  end,
  examples = { { "hours go by", want = "5 h",
                 given = {
                   ["sys.element.changes"] = function(options)
                     return options and (options.wait < 3600 and { next = 1 } or { events = { {} }, next = 2 })
                   end,
                   ["sys.window.changed"] = "1",
                   ["sys.screen.drawn"] = function(what) return what ~= nil end } } },
}
"""


def waits_take_no_time():
    """An example waited until its time was over, and kept a processor busy meanwhile."""
    path = write("root/tools/mine/waits.lua", WAITS)
    try:
        has(tested("waits").out, "1 passed, 0 failed")
    finally:
        os.remove(path)


def one_is_chosen():
    cases(CASES)
    has(tested("counts many").out, "counts many", "1 passed, 0 failed")
    has(tested("tests/tools/count_test.lua").out, "2 passed, 0 failed")
    has(tested("--only", ROOT + "/tools").out, "3 passed, 0 failed")
    has(tested("--only", ROOT + "/tests").out, "2 passed, 0 failed")
    files = [result["file"] for result in json.loads(tested("count", "--json").out)["results"]]
    same(files, [ROOT + "/tools/mine/count.lua"] + 2 * [ROOT + "/tests/tools/count_test.lua"])


def a_failure_is_one():
    cases(CASES.replace("3 windows", "4 windows"))
    answer = tested("count", "--tap")
    same(answer.code, 1, answer)
    has(answer.out, "not ok 2 - tests/tools/count_test.lua: counts many", 'the text is "3 windows", expected "4 windows"')


def an_interface_can_be_shown():
    write("root/tools/mine/look.lua", """local element = require "sys.element"
return { description = "Names what is pressed.", inputSchema = { type = "object" }, run = function()
  local names = {}
  for _, node in ipairs(element.tree({ pid = 7 }).nodes) do names[#names + 1] = node.name end
  return table.concat(names, " ")
end, examples = { { "one after the other", shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" } } }, want = "Notes Save" },
  { "with more that is given", shows = { {} }, given = { ["sys.element.tree"] = { nodes = { { name = "Mine" } } } },
    want = "Mine" } } }
""")
    answer = tested("look")
    same(answer.code, 0, answer)
    has(answer.out, "2 passed")
    os.remove(FOLDER / "root/tools/mine/look.lua")


def problem(text, *parts, name="count_test.lua"):
    path = cases(text, name)
    for answer in (tested("--only", ROOT), perigee("check", "--no-user-root", "--root", ROOT)):
        same(answer.code, 1, answer)
        has(answer.out, *(part.replace("PATH", os.path.realpath(path)) for part in parts))


def problems_name_the_line_and_the_cure():
    problem(CASES, 'PATH:1: there is no tool "cout"; did you mean count? Rename the file to the name of a tool and _test.lua, or '
            "remove it", name="cout_test.lua")
    problem(CASES.replace("code =", "cod ="), 'PATH:5: unknown key "cod" in an example of a tool; did you mean code or did?')
    problem("return {\n  { 'x',\n", "PATH:3: ", "near <eof>")
    problem("\nreturn require 'testing.roms'", "PATH:2: module 'testing.roms' not found", "no root has testing/roms.lua")
    problem("local cases = {}", "PATH:1: it returns nothing. End it with a list of examples: return {")
    problem("return { { 'x', args = 1 } }", "PATH:1: args of an example must be a table, not a number")
    problem(CASES, "PATH:1: it is not run. Rename it to count_test.lua", name="count.lua")


def those_of_an_overridden_tool_are_not_run():
    cases(CASES)
    write("later/tools/mine/count.lua", TOOL.replace('require "words"', "{ count = function() return '1 window' end }"))
    answer = perigee("test", "count", "--no-user-root", "--root", ROOT, "--root", str(FOLDER / "later"))
    same(answer.code, 0, answer)
    has(answer.out, "1 passed, 0 failed")
    write("later/tests/tools/count_test.lua", "return { { 'its own', given = { ['sys.window.list'] = {} }, want = '1 window' } }")
    has(perigee("test", "count", "--no-user-root", "--root", ROOT, "--root", str(FOLDER / "later")).out, "2 passed, 0 failed")


def prompts_and_others_have_them_too():
    clean()
    write("root/prompts/hello.lua", """return { description = "Greets.", arguments = { { name = "who" } },
  render = function(args) return "Hello, " .. (args.who or "you") end, examples = { { "all", want = "Hello, you" } } }""")
    write("root/tests/prompts/hello_test.lua", "return { { 'one', args = { who = 'Ann' }, want = 'Hello, Ann' } }")
    has(tested("hello").out, "tests/prompts/hello_test.lua", "2 passed, 0 failed")
    write("root/tests/prompts/hello_test.lua", "return {\n  { 'one', args = { whom = 'Ann' } } }")
    has(tested("hello").out, 'hello_test.lua:2: unknown argument "whom" in an example\'s args; did you mean who?')
    os.remove(FOLDER / "root/tests/prompts/hello_test.lua")


def a_server_does_not_look_at_them():
    cases("error 'it was loaded'")
    answer = perigee("tools", "count", "--no-user-root", "--root", ROOT)
    same(answer.code, 0, answer)
    hasnt(answer.out + answer.err, "it was loaded")


for test in (both_are_run, waits_take_no_time, one_is_chosen, a_failure_is_one, an_interface_can_be_shown,
             problems_name_the_line_and_the_cure, those_of_an_overridden_tool_are_not_run, prompts_and_others_have_them_too,
             a_server_does_not_look_at_them):
    tap.case(test.__name__.replace("_", " "), test)
done()
