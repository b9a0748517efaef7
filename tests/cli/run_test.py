#!/usr/bin/env python3
"""perigee run: scripts, what they return, what they may do, and how they are ended."""

import json
import os
import re
import signal
import time

from kit import (FOLDER, Running, Terminal, WIRE_ROOT, done, folder, has, hasnt, must, perigee, same, shell, tap,
                 write)
from http_peer import wait_for
from procs import alive


def run(code, *words, **options):
    return perigee("run", "-e", code, *words, **options)


def ends(answer, code, out="", *said):
    same(answer.code, code, f"exit status ({answer})")
    same(answer.out, out, "stdout")
    has(answer.err, *said)


# --- how a script is given ------------------------------------------------------------

def arguments():
    code = 'print(select("#", ...), ...) local a = require("perigee").args print(a[0], #a, a[1], a[2])'
    ends(run(code, "x y", "--verbose"), 0, "2\tx y\t--verbose\n(command line)\t2\tx y\t--verbose\n")
    path = write("here/args.lua", code)
    ends(perigee("run", path, "-h", "--", "-"), 0, f"3\t-h\t--\t-\n{path}\t3\t-h\t--\n")
    ends(perigee("run", "--", "args.lua"), 0, "0\nargs.lua\t0\tnil\tnil\n")


def from_stdin():
    ends(perigee("run", "-", "a", stdin="print(...)\n"), 0, "a\n")
    ends(perigee("run", "-", stdin=""), 0)
    ends(perigee("run", "-", stdin="error 'x'"), 1, "", "stdin:1: x")


def first_line():
    path = write("here/script", "#!/usr/bin/env perigee\nprint 'ran'\nerror 'here'\n")
    ends(perigee("run", path), 1, "ran\n", f"{path}:3: here")


def wrong_usage():
    ends(perigee("run"), 2, "", "which script?", "perigee help run")
    ends(perigee("run", "--nope", "x"), 2, "", "unknown option --nope")
    ends(perigee("run", "-e"), 2, "", "-e needs a value")
    ends(perigee("run", "--timeout", "0", "-e", ""), 2, "", "--timeout takes a number of seconds")
    ends(perigee("run", "no/such.lua"), 1, "", "no/such.lua", "No such file")
    ends(perigee("run", str(FOLDER)), 1, "", str(FOLDER))


def kept_from_the_processor():
    """A callback of C that cannot yield is stopped after 200 ms of work, not of waiting for its turn."""
    code = """local log = require "sys.log"
        local slow = setmetatable({}, { __tostring = function()
          log.error "begun"
          local n = 0
          for i = 1, 2000000 do n = n + i end
          return "done"
        end })
        print(tostring(slow))"""
    running = Running("run", "-e", code)
    line = running.process.stderr.readline()
    must(b"begun" in line, line)
    running.signal(signal.SIGSTOP)
    time.sleep(0.6)     # the time it is kept waiting is what this is about
    running.signal(signal.SIGCONT)
    ends(running.end(), 0, "done\n")


tap.case("being kept from the processor does not end a callback", kept_from_the_processor)
tap.case("arguments are ... and perigee.args; options after the file are the script's", arguments)
tap.case("a script may come from stdin", from_stdin)
tap.case("a first line may name the interpreter, and lines are still counted right", first_line)
tap.case("wrong usage is 2, a file that cannot be read 1", wrong_usage)


# --- how it ends ------------------------------------------------------------------------

for name, code, status, out, said in [
    ("nothing returned", "local x = 1", 0, "", ""),
    ("true", "return true", 0, "", ""),
    ("nil", "return nil", 0, "", ""),
    ("an integer is the exit status", "return 7", 7, "", ""),
    ("an integer that is no exit status", "return 256", 1, "", "an exit status is 0 to 255"),
    ("false", "return false", 1, "", ""),
    ("nil and a message", "return nil, 'no luck'", 1, "", "perigee run: no luck\n"),
    ("false and a message", "return false, 'no luck'", 1, "", "perigee run: no luck\n"),
    ("a text is printed", "return 'a\\nb'", 0, "a\nb\n", ""),
    ("a table is printed as JSON", "return { b = 1, a = { 1, 'x' } }", 0, '{"a":[1,"x"],"b":1}\n', ""),
    ("a table that is no JSON", "return { print }", 1, "", "is not JSON"),
    ("a fraction is printed", "return 1.5", 0, "1.5\n", ""),
    ("an error value that is no text", "error({})", 1, "", "error value is a table"),
    ("a table that is an error", "error { code = 5, { 'x' } }", 1, "",
     "error value is a table: { { \"x\" }, code = 5 }\nstack traceback:"),
    ("a table for a message", "return nil, { why = 1 }", 1, "", "perigee run: { why = 1 }\n"),
    ("tables are printed as text", "print({ a = { 1 } }, {}, 'x')", 0, "{ a = { 1 } }\t{}\tx\n", ""),
    ("one with words of its own by them", "print(setmetatable({ 1 }, { __tostring = function() return 'me' end }))", 0, "me\n", ""),
    ("a table in the log", "require('sys.log').warn('seen', { b = 1 })", 0, "", "seen { b = 1 }\n"),
]:
    tap.case("returns: " + name, lambda code=code, status=status, out=out, said=said:
             ends(run(code), status, out, said))


def traceback():
    path = write("here/deep.lua", "local function inner()\n  local t = nil\n  return t.x\nend\n"
                 "local function outer()\n  local x = inner()\n  return x\nend\nprint 'before'\nouter()\n")
    answer = perigee("run", path)
    ends(answer, 1, "before\n", f"perigee run: {path}:3: attempt to index a nil value (local 't')", "stack traceback:",
         f"{path}:3: in", f"{path}:6: in", f"{path}:10: in main chunk")


def syntax():
    path = write("here/wrong.lua", "local x =\n\nprint(x))\n")
    answer = perigee("run", path)
    ends(answer, 1, "", f"{path}:3:", "near ')'")
    hasnt(answer.err, "traceback")


def secret():
    write("home/.env", "RUN_KEY=opensesame456\n")
    answer = run('error("with " .. require("sys.env").get("RUN_KEY"))')
    ends(answer, 1, "", "with ***")
    hasnt(answer.err, "opensesame456")
    write("home/.env", "")


tap.case("an error shows the message and a traceback with file and line", traceback)
tap.case("a syntax error shows file and line", syntax)
tap.case("a value of .env does not show in a traceback", secret)


def timeouts():
    ends(perigee("run", "--timeout", "0.2", "-e", "print 'a' require('sys.time').sleep(600)"), 124, "a\n", "0.2 s")
    ends(perigee("run", "--timeout=0.2", "-e", "while true do end"), 124, "", "0.2 s")
    ends(perigee("run", "--timeout=0.2", "-e", "while true do pcall(error) end"), 124, "", "0.2 s")


tap.case("--timeout stops what waits and what computes: 124", timeouts)

HOLDING = """
local held <close> = setmetatable({}, { __close = function() print "closed" end })
print "ready"
"""


def interrupted(number, code, how):
    running = Running("run", "--root", WIRE_ROOT, "-e", HOLDING + how)
    same(running.line(), "ready")
    running.signal(number)
    answer = running.end()
    same((answer.code, answer.out, answer.err), (code, "closed\n", ""))


WAITS = "require('sys.time').sleep(600)"

for name, how in [("waits", WAITS), ("computes", "while true do end"),
                  ("calls a tool that waits", "tools.sleep { seconds = 600 }")]:
    tap.case(f"Ctrl-C cancels a script that {name}, and what it holds is closed: 130", interrupted, signal.SIGINT, 130, how)
tap.case("SIGTERM cancels: 143", interrupted, signal.SIGTERM, 143, WAITS)
tap.case("SIGHUP cancels: 129", interrupted, signal.SIGHUP, 129, WAITS)


def closing_waits():
    running = Running("run", "-e", "local time = require 'sys.time' local held <close> = setmetatable({}, { __close = function() "
                      "print 'closing' time.sleep(0.5) print 'closed' end }) print 'ready' time.sleep(600)")
    same(running.line(), "ready")
    running.signal(signal.SIGINT)
    answer = running.end()
    same((answer.code, answer.out, answer.err), (130, "closing\nclosed\n", ""))


tap.case("a value that Ctrl-C closes may wait in its __close", closing_waits)


def killed():
    """Closing what a script holds, and leaving, may take a moment; the second Ctrl-C waits for neither, at any time."""
    running = Running("run", "-e", "local child = require('sys.process').start { 'sleep', '600' } "
                      "local held <close> = setmetatable({}, { __close = function() while true do end end }) "
                      "print(child.pid) require('sys.time').sleep(600)")
    child = int(running.line())
    running.signal(signal.SIGINT)
    while running.process.poll() is None:   # two that arrive as one count as one
        running.signal(signal.SIGINT)
        try:
            running.process.wait(0.05)
        except Exception:  # pylint: disable=broad-except
            continue
    same(running.end().code, 130)
    wait_for("the end of the script's child", lambda: not alive(child))


tap.case("a second Ctrl-C kills", killed)


def reader_gone():
    answer = shell("\"$P\" run -e 'local n = 0 while true do n = n + 1 print(n) end' | head -2")
    same((answer.code, answer.out, answer.err), ([141, 0], "1\n2\n", ""))
    waiting = shell("\"$P\" run -e 'local time = require \"sys.time\" while true do print(1) time.sleep(0.001) end' | head -1")
    same((waiting.code, waiting.out), ([141, 0], "1\n"))
    full = shell("\"$P\" run -e 'print(1)' > /dev/full")
    same(full.code, [1])
    has(full.err, "No space left on device")


tap.case("an endless script ends when nobody reads it any more: 141", reader_gone)


def prompt_output():
    running = Running("run", "-e", "print 'first' require('sys.time').sleep(600)")
    same(running.line(), "first")
    running.signal(signal.SIGINT)
    same(running.end().code, 130)


tap.case("printed lines are written before a script waits", prompt_output)


# --- what it can do ------------------------------------------------------------------------

def tools_as_functions():
    options = ["--root", WIRE_ROOT]
    ends(perigee("run", *options, "-e", "print(tools.echo { text = 'hi' }, tools.structured { id = 3 } ~= nil)"), 0, "hi\ttrue\n")
    ends(perigee("run", *options, "-e", "print(1)\ntools.fail { message = 'No window.' }"), 1, "1\n",
         "(command line):2: fail: No window.", "stack traceback")
    ends(perigee("run", *options, "-e", "print(require('perigee').call('fail', { message = 'No.' }))"), 0, "nil\tNo.\tno_window\n")
    ends(perigee("run", *options, "-e", "tools.echo { txt = 1 }"), 1, "", 'unknown property "txt"')
    ends(perigee("run", *options, "-e", "x = 1 print(x)"), 0, "1\n")


def tools_of_a_module():
    options = ["--root", WIRE_ROOT]
    code = "local t = require 'tools' "
    ends(perigee("run", *options, "-e", code + "print(t.echo { text = 'hi' }) print(t.fail { message = 'No.' })"), 0,
         "hi\nnil\tNo.\tno_window\n")
    ends(perigee("run", *options, "-e", code + "print(t.ecko {})"), 0,
         "nil\tthere is no tool 'ecko' (did you mean 'echo'?)\tunknown_tool\n")
    ends(perigee("run", *options, "-e", code + "print(select(3, t.sleep({ seconds = 60 }, { timeout = 0.05 })))"), 0, "timeout\n")
    ends(perigee("run", *options, "-e", code + "for name, fn in pairs(t) do if name == 'echo' then print(fn { text = 'x' }) end end"),
         0, "x\n")
    ends(perigee("run", *options, "-e", code + "t.echo('hi')"), 1, "", "(command line):1", "pass arguments by name, in a table")
    ends(perigee("run", *options, "-e", code + "t.new = 1"), 1, "", "the tools are read-only")
    write("root/lib/through.lua", "local t = require 'tools' return { say = function(x) return t.echo { text = x } end }")
    ends(perigee("run", *options, "--root", str(FOLDER / "root"), "-e", "print(require('through').say 'lib')"), 0, "lib\n")
    write("root/commands/through.lua", "local t = require 'tools' return { summary = 'Through.',\n"
                                       "run = function(_, io) io:print(t.echo { text = 'command' }) end }")
    ends(perigee("through", *options, "--root", str(FOLDER / "root")), 0, "command\n")


def many_tools_as_text():
    """More than fits into a small buffer, which once grew in the wrong place when a line ended where it was full."""
    tool = "return { description = 'x', inputSchema = { type = 'object' }, run = function() return 'x' end }"
    names = [f"many_of_them_{n:03}" for n in range(150)]
    for name in names:
        write(f"many/tools/m/{name}.lua", tool)
    for length in range(1, len(names[0]) + 2):
        first = write(f"many/tools/m/{'a' * length}.lua", tool)
        shown = run("print(tools)", "--root", f"{FOLDER}/many", "--no-user-root").out.rstrip("\n").split("\n")
        same([name for name in shown if name.startswith("many_")], names)
        same([name for name in shown if not re.fullmatch("[a-z_0-9]+", name)], [])
        os.remove(first)


def result_is_printed_by_its_text():
    write("root/tools/r/noted.lua", "return { description = 'x', inputSchema = { type = 'object' }, run = function(_, call) "
                                    "return call:result { content = { { type = 'text', text = 'DONE' }, "
                                    "{ type = 'text', text = 'NOTE: late' } } } end }")
    options = ["--root", str(FOLDER / "root")]
    ends(perigee("run", *options, "-e", "print(tools.noted {})"), 0, "DONE\nNOTE: late\n")
    ends(perigee("run", *options, "-e", "print(#tools.noted {}.content, tostring(tools.noted().text))"), 0, "2\tDONE\nNOTE: late\n")
    ends(perigee("call", *options, "run_lua", "code=print(tools.noted {})"), 0, "DONE\nNOTE: late\n")
    whole = perigee("run", *options, "-e", "return tools.noted {}").out
    same([block["text"] for block in json.loads(whole)["content"]], ["DONE", "NOTE: late"])
    same(json.loads(perigee("call", *options, "run_lua", "code=return tools.noted {}").out), json.loads(whole))


def files():
    elsewhere = folder("elsewhere")
    write("elsewhere/data.txt", "far")
    write("here/data.txt", "near")
    (FOLDER / "beyond.txt").write_text("secret")
    code = ("local fs = require 'sys.fs' print(fs.read 'data.txt') print(fs.read(...) or select(3, fs.read(...))) "
            "print(select(3, fs.read '../beyond.txt'))")
    ends(run(code, str(elsewhere / "data.txt")), 0, "near\nnot_granted\nnot_granted\n")
    script = write("elsewhere/own.lua", code)
    ends(perigee("run", script, str(elsewhere / "data.txt")), 0, "near\nfar\nnot_granted\n")
    ends(perigee("run", "--grant", str(elsewhere), "-e", code, str(elsewhere / "data.txt")), 0, "near\nfar\nnot_granted\n")
    link = FOLDER / "here" / "link.lua"
    os.symlink(script, link)
    ends(perigee("run", str(link), str(elsewhere / "data.txt")), 0, "near\nfar\nnot_granted\n")


def modules():
    write("root/lib/mine.lua", "return { answer = 42 }")
    write("here/beside.lua", "return {}")
    root = ["--root", str(FOLDER / "root")]
    ends(perigee("run", *root, "-e", "print(require('mine').answer)"), 0, "42\n")
    ends(run("require 'beside'"), 1, "", "module 'beside' not found", "no root has lib/beside.lua")
    ends(run("return io"), 1, "", "'io' is not available")


def reloads():
    path = write("root/tools/r/now.lua", "")
    tool = "return {{ description = 'x', inputSchema = {{ type = 'object' }}, run = function() return '{}' end }}"
    write("root/tools/r/now.lua", tool.format("old"))
    running = Running("run", "--root", str(FOLDER / "root"), "-e",
                      "local time = require 'sys.time' local last "
                      "while last ~= 'new' do local now = tools.now {} if now ~= last then print(now) end last = now "
                      "time.sleep(0.01) end")
    same(running.line(), "old")
    write(os.path.relpath(path, FOLDER), tool.format("new"))
    same(running.line(), "new")
    same(running.end().code, 0)


tap.case("tools are functions; one that fails raises, perigee.call does not", tools_as_functions)
tap.case("all tools as a text, however many there are", many_tools_as_text)
tap.case("functions of require \"tools\" return a failure, in scripts, lib files and commands", tools_of_a_module)
tap.case("a result with a note was printed as an address", result_is_printed_by_its_text)
tap.case("files of the current folder, of its own, and granted ones are within reach", files)
tap.case("require finds lib files of roots", modules)
tap.case("a running script sees a tool that was edited", reloads)


def colours():
    with Terminal("run", "-e", "print 'x'") as terminal:
        same(terminal.end().out, "x\r\n")


tap.case("a script's output is its own, on a terminal too", colours)

done()
