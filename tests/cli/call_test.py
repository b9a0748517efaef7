#!/usr/bin/env python3
"""perigee call: arguments, answers, exit codes."""

import json
import os
import pathlib
import signal

from kit import FOLDER, PERIGEE, Running, Terminal, WIRE_ROOT, done, has, hasnt, must, perigee, same, shell, soon, tap, write

ROOT = str(FOLDER / "root")

write("root/tools/t/args.lua", """
local json = require "sys.json"
return {
  description = "Gives back its arguments.",
  inputSchema = {
    type = "object",
    properties = {
      n = { type = "number" }, i = { type = "integer" }, s = { type = "string" }, b = { type = "boolean" },
      list = { type = "array", items = { type = "string" } },
      numbers = { type = "array", items = { ["$ref"] = "#/$defs/whole" } },
      either = { anyOf = { { type = "integer" }, { type = "string" } } },
      maybe = { type = { "integer", "null" } },
      pick = { enum = { "red", 5, true } },
      any = {},
      box = { type = "object", properties = {
        x = { type = "integer" }, deep = { type = "object", properties = { on = { type = "boolean" } } } } },
      ["dotted.name"] = { type = "integer" },
      map = { type = "object", additionalProperties = { type = "number" } },
    },
    ["$defs"] = { whole = { type = "integer" } },
    additionalProperties = false,
  },
  run = function(args) return (json.encode(args)) end,
}""")

write("root/tools/t/held.lua", """
local fs, process = require "sys.fs", require "sys.process"
return {
  description = "Runs a program for long, and notes when it is let go.",
  inputSchema = { type = "object", properties = { seconds = { type = "string" } } },
  run = function(args, call)
    local held <close> = setmetatable({}, { __close = function() print "let go" end })
    call:progress(1, 2, "started")
    return process.run { "sleep", args.seconds, timeout = 3600 }
  end,
}""")

write("root/tools/t/waits.lua", """
return {
  description = "Waits for somebody, and counts nothing.",
  inputSchema = { type = "object" },
  run = function(_, call)
    call:progress(0, nil, "waiting for you")
    call:progress(1, nil, "waiting on")
    return "done"
  end,
}""")

write("root/tools/t/tells.lua", """
return {
  description = "Fails and tells a secret.",
  inputSchema = { type = "object" },
  run = function() return nil, "the key is " .. require("sys.env").get("MY_KEY", "unknown") end,
}""")

write("root/tools/t/sneaky.lua", """
return {
  description = "Answers with what would rename the window.",
  inputSchema = { type = "object" },
  run = function() return "\\27]0;owned\\7red\\27[31m\\u{9b}0m\\u{a0}" end,
}""")


def call(*words, **options):
    return perigee("call", "--root", ROOT, "--root", WIRE_ROOT, *words, **options)


def arguments(*words, **options):
    answer = call("args", *words, **options)
    same(answer.code, 0, f"exit status of {words} ({answer.err})")
    return json.loads(answer.out)


def reads(words, want):
    got = arguments(*words)
    must(got == want and json.dumps(got, sort_keys=True) == json.dumps(want, sort_keys=True),
         f"{words} became {got}, expected {want}")


for name, words, want in [
    ("numbers", ["n=2.5", "i=-3"], {"n": 2.5, "i": -3}),
    ("numbers as people write them", ["n=.5", "i=1e3"], {"n": 0.5, "i": 1000}),
    ("a text that looks like a number", ["s=007"], {"s": "007"}),
    ("a text with an equals sign, spaces and quotes", ["s=a=b 'c' \"d\""], {"s": "a=b 'c' \"d\""}),
    ("an empty text", ["s="], {"s": ""}),
    ("beyond ASCII", ["s=€ 漢字 😀"], {"s": "€ 漢字 😀"}),
    ("booleans", ["b=true"], {"b": True}),
    ("booleans as words", ["b=no"], {"b": False}),
    ("a list by commas", ["list=a,b c,d"], {"list": ["a", "b c", "d"]}),
    ("a list by the key given again", ["list=a", "list=b,c"], {"list": ["a", "b,c"]}),
    ("a list as JSON", ["list=[\"a,b\"]"], {"list": ["a,b"]}),
    ("an empty list", ["list="], {"list": []}),
    ("a list of numbers through a reference", ["numbers=1,2"], {"numbers": [1, 2]}),
    ("what may be a number or a text", ["either=12"], {"either": 12}),
    ("what may be a number or a text, as text", ["either=12a"], {"either": "12a"}),
    ("null where it may be", ["maybe=null"], {"maybe": None}),
    ("a value of a list of values", ["pick=red"], {"pick": "red"}),
    ("a number of a list of values", ["pick=5"], {"pick": 5}),
    ("text where the schema is silent", ["any=5"], {"any": "5"}),
    ("JSON after :=", ["any:={\"a\":[1,null]}", "i:=7"], {"any": {"a": [1, None]}, "i": 7}),
    ("a colon in a text", ["s=x:=y"], {"s": "x:=y"}),
    ("dots into objects", ["box.x=4", "box.deep.on=yes"], {"box": {"x": 4, "deep": {"on": True}}}),
    ("dots into an object given as JSON", ["box:={\"x\":1}", "box.x=2"], {"box": {"x": 2}}),
    ("a name that has a dot", ["dotted.name=1"], {"dotted.name": 1}),
    ("members that only additionalProperties speaks of", ["map.a=1.5"], {"map": {"a": 1.5}}),
    ("numbers with more digits than a float has",
     ["any:=12345678901234567890123", "i=12345678901234567890124", "numbers=1,12345678901234567890125",
      "box.x:=9007199254740993"],
     {"any": 12345678901234567890123, "i": 12345678901234567890124, "numbers": [1, 12345678901234567890125],
      "box": {"x": 9007199254740993}}),
    ("the last of two", ["i=1", "i=2"], {"i": 2}),
    ("words beside options", ["i=1", "--timeout", "9", "s=x"], {"i": 1, "s": "x"}),
]:
    tap.case("reads " + name, reads, words, want)


def whole_arguments():
    path = write("args.json", '{"i": 5, "s": "file"}')
    same(arguments("--args", '{"i":1}'), {"i": 1})
    same(arguments("--args=" + '{"i":1}'), {"i": 1})
    same(arguments("--args", "@" + path, "s=over"), {"i": 5, "s": "over"})
    same(arguments("--args", "-", stdin='{"n":1.5}'), {"n": 1.5})
    marked = write("marked.json", '\ufeff{"i": 5}')        # as some editors begin a file
    same(arguments("--args", "@" + marked), {"i": 5})


tap.case("takes all arguments as JSON, of a file or from stdin, and words on top", whole_arguments)


def refuses(words, *parts, code=2):
    answer = call(*words)
    same(answer.code, code, f"exit status ({answer})")
    same(answer.out, "", "stdout")
    has(answer.err, *parts)


for name, words, parts in [
    ("no tool", [], ["which tool?", "perigee help call"]),
    ("an unknown tool, with near names", ["ehco"], ["there is no tool 'ehco'", "did you mean echo?"]),
    ("an unknown parameter, with the near name", ["args", "lst=a"], ['unknown property "lst"', '"list"', "perigee tools args"]),
    ("a value that does not fit", ["args", "i=abc"], ["i: expected integer", '"abc"']),
    ("a value that does not fit within an object", ["args", "box.deep.on=maybe"], ["box.deep.on", "boolean"]),
    ("what is no key=value", ["args", "hello"], ["'hello' is not key=value"]),
    ("an empty key", ["args", "=x"], ["is not key=value"]),
    ("broken JSON", ["args", "any:={"], ["any:= is not JSON"]),
    ("broken JSON for all", ["args", "--args", "{"], ["--args is not JSON"]),
    ("a list for all", ["args", "--args", "[1]"], ["--args is not a JSON object"]),
    ("a file that is not there", ["args", "--args", "@/no/such"], ["/no/such"]),
    ("a member of what is no object", ["args", "s=x", "s.y=1"], ["s has a value that is not an object"]),
    ("an unknown option", ["args", "--nope"], ["unknown option --nope"]),
    ("an option without its value", ["args", "--timeout"], ["--timeout needs a value"]),
    ("a time that is none", ["args", "--timeout", "soon"], ["--timeout takes a number of seconds"]),
    ("a missing parameter", ["echo"], ['missing required property "text"']),
]:
    tap.case("refuses " + name, refuses, words, *parts)


def helps():
    answer = perigee("call", "describe_tool", "--help")
    same((answer.code, answer.err), (0, ""), answer)
    same(answer.out.splitlines()[0], perigee("tools", "describe_tool").out.splitlines()[0])
    has(answer.out, "Parameters\n", "perigee call --help")
    has(perigee("trace", "--help", "describe_tool").out, "Parameters\n", "perigee trace --help")
    has(perigee("trace", "describe_tool.lua", "--help").out, "usage: perigee trace")
    answer = perigee("call", "describe_tol", "--help")
    same((answer.code, answer.out), (2, ""))
    has(answer.err, "there is no tool 'describe_tol'; did you mean describe_tool?")
    server = ["--", PERIGEE, "serve", "--quiet", "--lean"]
    has(perigee("mcp", "call", "describe_tool", "--help", *server).out, "describe_tool", "Parameters\n")
    same(perigee("mcp", "call", "describe_tol", "--help", *server).code, 2)
    has(perigee("mcp", "call", "--help").out, "usage: perigee mcp")


tap.case("--help behind a tool's name is the tool's", helps)


def invalid_utf8():
    answer = shell(f"\"$P\" call --root '{ROOT}' args $'s=a\\xff'")
    same(answer.code, [2])
    has(answer.err, "not valid UTF-8")


tap.case("refuses an argument that is not UTF-8", invalid_utf8)


# --- answers --------------------------------------------------------------------------

def text_answer():
    answer = call("echo", "text=hello", "times=2")
    same((answer.code, answer.out, answer.err), (0, "hellohello\n", ""))
    same(call("say", "text=by its alias").out, "by its alias\n")
    same(call("echo", "text=ends\n").out, "ends\n")


tap.case("prints the text and ends the line once", text_answer)


def json_answer():
    answer = call("echo", "text=hi", "--json")
    same(json.loads(answer.out), {"content": [{"type": "text", "text": "hi"}]})
    same(answer.out.count("\n"), 1)
    failed = call("fail", "--json")
    same(failed.code, 3)
    same(json.loads(failed.out)["isError"], True)
    same(json.loads(failed.out)["_meta"]["perigee/code"], "no_window")


tap.case("prints the whole result as one line of JSON", json_answer)


def tool_error():
    answer = call("fail", "message=No such window.")
    same((answer.code, answer.out, answer.err), (3, "", "No such window.\n"))


tap.case("a tool's error is its text on stderr and exit status 3", tool_error)


def our_bug():
    answer = call("raise")
    same((answer.code, answer.out), (3, ""))
    has(answer.err, "tools/test/raise.lua:8:", "stack traceback")


tap.case("a tool that raises shows where", our_bug)


def out_of_time():
    answer = call("sleep", "seconds=600", "--timeout", "0.2")
    same((answer.code, answer.out), (124, ""))
    has(answer.err, "0.2 s")
    answer = call("spin", "--timeout=0.2")
    same(answer.code, 124)
    has(answer.err, "spin was stopped after 0.2 s, its time limit, at tools/")


tap.case("a tool that takes too long is stopped: 124", out_of_time)


def binary():
    answer = call("image")
    same(answer.out, "one pixel\n[image: image/png, 69 bytes; --output FILE saves it]\n")
    path = FOLDER / "here" / "pixel.png"
    same(call("image", "--output", "pixel.png").code, 0)
    same(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
    same(len(path.read_bytes()), 69)
    same(call("image", "--output", "pixel.png").code, 0, "an image is replaced")
    piped = shell(f"\"$P\" call --root '{WIRE_ROOT}' image -o - | wc -c")
    same(piped.out.strip(), "69")
    has(call("audio").out, "[audio: audio/wav, 44 bytes")
    none = call("echo", "text=x", "--output", "none.png")
    same(none.code, 1)
    has(none.err, "nothing to save")


def notes_stay():
    path = write("here/notes.txt", "my notes")
    answer = call("image", "--output", "notes.txt")
    same((answer.code, answer.err), (1, "perigee call: notes.txt exists and is not an image. Choose another file\n"))
    same(pathlib.Path(path).read_text(), "my notes")


tap.case("a picture is described, and --output saves it", binary)
tap.case("--output replaced any file by a picture", notes_stay)


def on_a_terminal():
    with Terminal("call", "--root", ROOT, "sneaky") as terminal:
        shown = terminal.end().out
    same(shown, "^[]0;owned^Gred^[[31m<9b>0m\u00a0\r\n")
    same(call("sneaky").out, "\x1b]0;owned\x07red\x1b[31m\u009b0m\u00a0\n")


tap.case("on a terminal a tool's control bytes do nothing", on_a_terminal)


def structured_on_a_terminal():
    plain = call("structured", "id=7")
    same(plain.out.count("\n"), 1)
    with Terminal("call", "--root", WIRE_ROOT, "structured", "id=7") as terminal:
        shown = terminal.end().out
    same(json.loads(shown), json.loads(plain.out))
    must(shown.count("\n") > 2, shown)


tap.case("structured results are indented on a terminal only", structured_on_a_terminal)


def progress():
    hasnt(call("progress", "steps=3").err, "step")
    has(call("progress", "steps=3", "-v").err, "1/3 step 1", "3/3 step 3")
    with Terminal("call", "--root", WIRE_ROOT, "progress", "steps=3") as terminal:
        has(terminal.end().out, "2/3 step 2\r", "counted to 3")
    waits = call("waits", "-v").err
    has(waits, "waiting for you", "1 waiting on")
    hasnt(waits, "0 waiting")


tap.case("progress shows on a terminal, or with -v", progress)


def log_lines():
    quiet = call("log")
    has(quiet.err, '[warning] test: {"at":"warning"}')
    hasnt(quiet.err, '[info]')
    has(call("log", "-v").err, '[info] test: {"at":"notice"}', '[debug] test: {"at":"debug"}')
    same(call("log", "-q").err.count("\n"), 4)


tap.case("log lines below a warning show with -v only", log_lines)


# --- the end ------------------------------------------------------------------------------

def children(mark):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[:1] == [b"sleep"] and mark.encode() in words:
                found.append(entry)
    return found


def interrupted(number, code):
    mark = f"3000.{os.getpid()}{number}"
    running = Running("call", "--root", ROOT, "held", "seconds=" + mark, "-v")
    soon(lambda: children(mark), "the tool's program did not start")
    running.signal(number)
    answer = running.end()
    same((answer.code, answer.out), (code, ""))
    has(answer.err, "let go")
    soon(lambda: not children(mark), "the tool's program is still there")


tap.case("Ctrl-C closes what the tool holds and ends its programs: 130", interrupted, signal.SIGINT, 130)
tap.case("SIGTERM closes what the tool holds, and the exit status is 143", interrupted, signal.SIGTERM, 143)


def reader_gone():
    answer = shell(f"\"$P\" call --root '{WIRE_ROOT}' big bytes=3000000 | head -c 5")
    same((answer.code, answer.out, answer.err), ([141, 0], "xxxxx", ""))
    full = shell(f"\"$P\" call --root '{WIRE_ROOT}' echo text=x > /dev/full")
    same(full.code, [1])
    has(full.err, "cannot write to stdout: No space left on device")


tap.case("a reader that goes away is no crash, a full disk is an error", reader_gone)


def first_line():
    # More than a pipe holds, so that the program is writing when `head` leaves.
    lines = "code=local t = {} for i = 1, 50000 do t[i] = 'line ' .. i end return table.concat(t, '\\n')"
    for option in ("", "--verbose"):
        answer = shell(f'"$P" call --no-user-root run_lua "{lines}" {option} | head -1')
        same((answer.code, answer.out), ([141, 0], "line 1\n"), option)
        must(option or answer.err == "", answer.err)
        must("cannot write" not in answer.err and "error" not in answer.err, answer.err)
    numbers = "code=local t = {} for i = 1, 100000 do t[i] = i end return t"
    answer = shell(f'"$P" call --no-user-root run_lua "{numbers}" --json | head -c 9')
    same((answer.code, answer.out, answer.err), ([141, 0], '{"content', ""))


tap.case("`call BIG | head -1` ends quietly: 141", first_line)


def secrets():
    write("home/.env", "MY_KEY=opensesame123\n")
    answer = call("tells")
    same((answer.code, answer.err), (3, "the key is ***\n"))


tap.case("a value of .env does not show in a message", secrets)

def defaults():
    write("root/tools/t/filled.lua", """
local json = require "sys.json"
return {
  description = "Gives back its arguments.",
  inputSchema = { type = "object", properties = {
    n = { type = "integer", default = 7 },
    box = { type = "object", default = {}, properties = { z = { type = "integer", default = 3 } } },
    list = { type = "array", items = { type = "object", properties = { z = { type = "integer", default = 4 } } } } } },
  annotations = { readOnlyHint = true },
  run = function(args) return json.encode(args) end,
}""")
    for args, seen in (({}, {"n": 7, "box": {"z": 3}}),
                       ({"n": 1, "box": {}, "list": [{}, {"z": 0}]}, {"n": 1, "box": {"z": 3}, "list": [{"z": 4}, {"z": 0}]})):
        same(json.loads(perigee("call", "filled", "--root", ROOT, "--args", json.dumps(args)).out), seen)


tap.case("the default holds for an argument that is left out, even inside another default", defaults)
done()
