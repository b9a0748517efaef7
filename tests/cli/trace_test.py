#!/usr/bin/env python3
"""perigee trace and perigee time: what a tool or a script calls, and how long it takes."""

import json
import re
import signal

from kit import FOLDER, Running, TOP, done, has, hasnt, must, perigee, same, tap, write

NESTED = ["--root", str(TOP / "tests/wire/root"), "--root", str(TOP / "tests/wire/nested")]

write("home/tools/t/busy.lua", """local task, time, env, json, tools, secrets = require "sys.task", require "sys.time", require "sys.env", require "sys.json",
  require "tools", require "sys.secrets"
return { description = "Do several things.", inputSchema = { type = "object", properties = { key = { type = "string" } }, additionalProperties = false },
  run = function(args)
    time.sleep(0.01)
    json.encode { password = "pass-word", note = ("x"):rep(500), list = { 1, 2, 3, 4, 5, 6, 7, 8 } }
    secrets.read "nothing"
    secrets.write("mine", "pass-word")
    if env.get "API_TOKEN" == "tok-en" then env.get "HOME" end
    pcall(time.sleep, "x")
    local value, why = json.decode "{"
    task.with_timeout(0.01, function() time.sleep(600) end)
    tools.quiet { text = "a" }
    tools.no_such_tool {}
    return args.key and { done = true, password = "pass-word", key = args.key } or "nothing"
  end }""")
write("home/tools/t/quiet.lua", """local json = require "sys.json"
return { description = "Encode.", inputSchema = { type = "object", properties = { text = { type = "string" } } },
  run = function(args) return json.encode(args.text) end }""")
write("home/tools/t/waits.lua", """local time, json = require "sys.time", require "sys.json"
return { description = "Wait.", inputSchema = { type = "object" }, run = function()
  json.encode "ready"
  time.sleep(600)
end }""")
write("home/tools/t/fails.lua", """return { description = "Fail.", inputSchema = { type = "object" },
  run = function() return nil, "There is no lion.", "no_lion" end }""")
SCRIPT = write("here/job.lua", """local time, tools = require "sys.time", require "tools"
print("printed", ...)
time.sleep(0.001)
tools.quiet { text = "b" }
require("beside").nap()
return require("perigee").args[1] == "fail" and error "it failed" or tonumber((...)) or { n = 1 }""")
write("here/beside.lua", 'local time = require "sys.time" return { nap = function() time.sleep(0.001) end }')


def rows(text):
    """The lines of calls: milliseconds or None, depth, what was called."""
    found = []
    for line in text.partition("\n\n")[0].splitlines():
        match = re.match(r"^( *[\d.]+| {9})((?:  )*)  (?! )(.*)$", line)
        if match and len(match.group(1)) == 9:
            found.append((float(match.group(1)) if match.group(1).strip() else None, len(match.group(2)) // 2, match.group(3)))
    return found


def a_tool():
    answer = perigee("trace", "busy", "key=k", API_TOKEN="tok-en")
    same((answer.code, json.loads(answer.out)), (0, {"done": True, "password": "pass-word", "key": "k"}), answer)
    lines = rows(answer.err)
    same(lines[0], (None, 0, 'tools.busy { key = "k" }'))
    slept = lines[1]
    must(slept[0] >= 8.5 and slept[1:] == (1, "sys.time.sleep(0.01)"), slept)
    text = answer.err
    has(text, 'sys.json.encode({ list = { 1, 2, 3, 4, 5, 6, ... 2 more }, note = "', 'sys.time.sleep("x") raised an error',
        'sys.json.decode("{") = nil, "', "sys.time.sleep(600) did not return",
        'sys.task.with_timeout(0.01, function: ')
    at = [line[2] for line in lines].index('tools.quiet { text = "a" }')
    same([line[1:] for line in lines[at:at + 3]],
         [(1, 'tools.quiet { text = "a" }'), (2, 'sys.json.encode("a") = "\\"a\\""'), (1, 'tools.quiet = "\\"a\\""')])
    has(text, """tools.no_such_tool = nil, "there is no tool 'no_such_tool'", "unknown_tool\"""")
    same(lines[-1][1:], (0, 'tools.busy = { done = true, key = "k", password = *** }'))
    hasnt(text, "policy")


def secrets_are_hidden():
    answer = perigee("trace", "busy", "key=k", API_TOKEN="tok-en")
    has(answer.err, 'sys.env.get("API_TOKEN") = ***', 'sys.env.get("HOME") = "', 'sys.secrets.read("nothing") = ***',
        'sys.secrets.write("mine", ***) = ***', "password = ***")
    hasnt(answer.err, "pass-word", "tok-en\"")


def totals():
    text = perigee("trace", "busy", API_TOKEN="").err
    table = text[text.index("    calls       ms longest ms  function\n"):].splitlines()
    numbers = {line.split()[-1]: line.split()[:-1] for line in table[1:-1]}
    same(numbers["sys.time.sleep"][0], "3")
    must(float(numbers["sys.time.sleep"][1]) >= 17, numbers)
    times = [float(line.split()[1]) for line in table[1:-1]]
    same(times, sorted(times, reverse=True))
    must(re.fullmatch(r"[\d.]+ ms in all, [\d.]+ ms of them in Lua code", table[-1]), table[-1])


def short_ones_left_out():
    lines = rows(perigee("trace", "--min-ms", "5", "busy", API_TOKEN="").err)
    names = [line[2].partition("(")[0].partition(" ")[0] for line in lines]
    same([name for name in names if name.startswith("tools.")],
         ["tools.busy", "tools.quiet", "tools.quiet", "tools.no_such_tool", "tools.no_such_tool", "tools.busy"])
    same([line for line in lines if "sys." in line[2] and line[0] < 5], [])
    same((names.count("sys.time.sleep"), names.count("sys.task.with_timeout")), (2, 1))


def lines_of_json():
    answer = perigee("trace", "--json", "busy", "key=k", API_TOKEN="tok-en")
    lines = [json.loads(line) for line in answer.err.splitlines()]
    same([(line["kind"], line.get("name"), line.get("depth")) for line in lines[:2]],
         [("begin", "tools.busy", 0), ("call", "sys.time.sleep", 1)])
    same(lines[1]["arguments"], "0.01")
    must(lines[1]["ms"] >= 8.5, lines[1])
    same([line["how"] for line in lines if "how" in line], ["raised", "unfinished"])
    same((lines[-2]["kind"], lines[-2]["name"]), ("end", "tools.busy"))
    same(lines[-1]["kind"], "total")
    must(lines[-1]["lua_ms"] < lines[-1]["ms"], lines[-1])
    sleeps = [call for call in lines[-1]["calls"] if call["name"] == "sys.time.sleep"]
    same(sleeps[0]["count"], 3)
    same(json.loads(answer.out)["key"], "k", "the result")


def a_script():
    answer = perigee("trace", SCRIPT, "one", "two")
    same((answer.code, answer.out), (0, 'printed\tone\ttwo\n{"n":1}\n'), answer)
    lines = [line[1:] for line in rows(answer.err)]
    same(lines, [(0, "sys.time.sleep(0.001)"), (0, 'tools.quiet { text = "b" }'), (1, 'sys.json.encode("b") = "\\"b\\""'),
                 (0, 'tools.quiet = "\\"b\\""'), (0, "sys.time.sleep(0.001)"), (0, "beside.nap()")])
    same(perigee("trace", "./job.lua", "7").code, 7, "an exit status")
    failed = perigee("trace", "job.lua", "fail")
    same(failed.code, 1)
    has(failed.err, "job.lua:6: it failed", "stack traceback", "ms in all")
    has(perigee("trace", "none.lua").err, "none.lua", "No such file")
    late = perigee("trace", "--timeout", "0.05", write("here/late.lua", 'require("sys.time").sleep(600)'))
    same(late.code, 1, late)
    has(late.err, "was stopped after 0.05 s, its time limit", "sys.time.sleep(600) did not return")


def own_functions():
    """Functions of the file, and Lua functions of others that it calls; their time is that of Lua."""
    write("home/lib/far.lua", "local function inner(x) return x + 1 end return { more = function(x) local y = inner(x) return y end }")
    write("home/tools/t/own.lua", """local far, json = require "far", require "sys.json"
local function twice(x)
  json.encode(x)
  return x * 2
end
local function tail(x) return twice(x) end
return { description = "Own.", inputSchema = { type = "object" }, run = function()
  local list = { tail(1), far.more(1), pcall(function() error "no" end) and 1 or 0 }
  table.sort(list, function(a, b) return a < b end)
  return tostring(twice(20))
end }""")
    answer = perigee("trace", "own")
    same((answer.code, answer.out), (0, "40\n"), answer)
    called = [(depth, text) for _, depth, text in rows(answer.err)]
    same([row for row in called if "line 9" not in row[1]],
         [(0, "tools.own {}"), (1, 'sys.json.encode(1) = "1"'), (1, "tail(1) = 2"), (1, "far.more(1) = 2"),
          (1, "a function, line 8() raised an error"), (1, 'sys.json.encode(20) = "20"'), (1, "twice(20) = 40"),
          (0, 'tools.own = "40"')])
    must(any(text.startswith("a function, line 9(") for _, text in called), called)
    total = json.loads(perigee("trace", "--json", "own").err.splitlines()[-1])
    outside = sum(each["ms"] for each in total["calls"] if each["name"].startswith("sys."))
    must(total["ms"] - total["sys_ms"] >= total["lua_ms"] > 0 and abs(total["sys_ms"] - outside) < 0.01, total)


def how_it_fails():
    answer = perigee("trace", "fails")
    same((answer.code, answer.out), (3, ""))
    has(answer.err, 'tools.fails = "There is no lion."', "There is no lion.\n")
    has(perigee("trace", "busi").err, "there is no tool 'busi'", "busy")
    same(perigee("trace", "busi").code, 2)
    wrong = perigee("trace", "busy", "kee=1")
    same(wrong.code, 2, wrong)
    same(perigee("trace").code, 2)


def interrupted():
    """The code after a traced call runs in the same turn up to the next wait, so the sleep is under way at the signal."""
    running = Running("trace", "waits")
    text = b""
    while b'sys.json.encode("ready")' not in text:
        text += running.process.stderr.read1(4096)
    running.signal(signal.SIGINT)
    ended = running.end()
    same(ended.code, 130, ended)
    has(ended.err, "sys.time.sleep(600) did not return")


def nested_tools():
    answer = perigee("trace", *NESTED, "through", "tool=through", 'arguments:={"tool":"echo","arguments":{"text":"hi"}}')
    same((answer.code, answer.out), (0, "hi\n"), answer)
    lines = [line[1:] for line in rows(answer.err)]
    same([line for line in lines if line[1].startswith("tools.")],
         [(0, 'tools.through { arguments = { arguments = { text = "hi" }, tool = "echo" }, tool = "through" }'),
          (1, 'tools.through { arguments = { text = "hi" }, tool = "echo" }'), (2, 'tools.echo { text = "hi" }'),
          (2, 'tools.echo = "hi"'), (1, 'tools.through = "hi"'), (0, 'tools.through = "hi"')])


def a_command_that_is_not_traced_prints_no_line():
    same(perigee("call", "quiet", "text=a").err, "")


# --- perigee time -----------------------------------------------------------------------------

def timed():
    answer = perigee("time", "quiet", "text=a", "-n", "20")
    same((answer.code, answer.err), (0, ""), answer)
    lines = answer.out.splitlines()
    same(lines[0], "quiet: 20 runs")
    same([line[:14].strip() for line in lines[1:6]], ["ms", "in all", "Lua code", "sys functions", "the rest"])
    for line in lines[2:6]:
        low, middle, high = (float(number) for number in line[14:50].split())
        must(low <= middle <= high, line)
    must(re.fullmatch(r"first run [\d.]+ ms; Lua memory [\d.]+ kB at most, [\d.]+ kB in the median run", lines[6]), lines[6])


def timed_as_json():
    answer = json.loads(perigee("time", "--json", write("here/nap.lua", 'require("sys.time").sleep(0.02)'), "-n", "3").out)
    same((answer["name"], answer["runs"]), (str(FOLDER / "here/nap.lua"), 3))
    for part in ("wall_ms", "sys_ms"):
        must(answer[part]["min"] >= 18, answer)
    must(answer["lua_ms"]["median"] < answer["sys_ms"]["median"], answer)
    same(sorted(answer["memory"]), ["median", "min", "p95"])


def timed_computing():
    path = write("here/count.lua", "local n = 0 for i = 1, 3e6 do n = n + i end")
    answer = json.loads(perigee("time", "--json", path, "-n", "3").out)
    must(answer["lua_ms"]["median"] > 0.8 * answer["wall_ms"]["median"], answer)


def a_run_that_fails():
    answer = perigee("time", "fails")
    same((answer.code, answer.out, answer.err), (3, "", "perigee time: run 1 of 10 failed: There is no lion.\n"))
    same(perigee("time", "job.lua", "fail").code, 1)
    same(perigee("time", "quiet", "-n", "0").code, 2)


tap.case("a tool's calls, with milliseconds, arguments and what came of them", a_tool)
tap.case("secrets are hidden", secrets_are_hidden)
tap.case("the total of each function, by its time", totals)
tap.case("--min-ms leaves out short calls, not those of tools", short_ones_left_out)
tap.case("--json: an object in each line", lines_of_json)
tap.case("a script, its words and its exit status", a_script)
tap.case("calls of the file's own functions, and of Lua that it calls", own_functions)
tap.case("a tool that fails ends trace as it ends call", how_it_fails)
tap.case("Ctrl-C shows what was under way", interrupted)
tap.case("calls of tools in one another are indented", nested_tools)
tap.case("nothing is printed where nothing is traced", a_command_that_is_not_traced_prints_no_line)
tap.case("time: a table with the shortest, the median and the 95th percentile", timed)
tap.case("time --json, of a script that waits", timed_as_json)
tap.case("time tells computing from waiting", timed_computing)
tap.case("time ends with the error of a run", a_run_that_fails)
done()
