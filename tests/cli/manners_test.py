#!/usr/bin/env python3
"""Manners that daily users notice: short messages, private files, safe terminals."""

import json
import os
import signal
import stat
import subprocess

from kit import FOLDER, PERIGEE, Running, Terminal, done, environment, folder, has, hasnt, must, perigee, same, tap, write

TOOL = """return { description = "Do something.", inputSchema = { type = "object" }, run = function() %s end }
"""


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def one_line_for_a_broken_file():
    write("broken/tools/x/bad.lua", "error('one\\ntwo\\nthree', 0)\n")
    write("broken2/tools/x/bad.lua", "return {")
    for root, said in (("broken", "bad.lua: one ... (`perigee check` says more)"), ("broken2", "bad.lua:1: ")):
        path = str(FOLDER / root / "tools/x/bad.lua")
        for words in (["call", "engine_status"], ["tools"], ["run", "-e", "return #require('sys.engine').tools() > 1"]):
            lines = perigee(*words, "--root", str(FOLDER / root)) if words[0] != "run" else \
                perigee("run", "--root", str(FOLDER / root), *words[1:])
            same((lines.code, len(lines.err.splitlines())), (0, 1), lines.err)
            has(lines.err, "cannot load " + path[:path.index("bad.lua")] + said)
            same(lines.err.count("bad.lua"), 1)


def a_byte_order_mark_is_skipped():
    root = FOLDER / "marked"
    write("marked/tools/x/marked.lua", "\ufeff" + TOOL % 'return "read"')
    same(perigee("call", "marked", "--root", str(root)).out, "read\n")
    same(perigee("run", write("marked/script.lua", "\ufeffprint 'ran'\n")).out, "ran\n")
    same(perigee("run", write("marked/script.lua", "\ufeff#!/usr/bin/env perigee\nprint 'named'\n")).out, "named\n")
    write("marked/lib/marked_lib.lua", "\ufeffreturn 'of a lib file'")
    write("marked/tools/x/requires.lua", TOOL % 'return require "marked_lib"')
    same(perigee("call", "requires", "--root", str(root)).out, "of a lib file\n")
    same(perigee("call", "run_lua", "code=return require 'marked_lib'", "--root", str(root)).out, "of a lib file\n")
    write("marked/beside.lua", "\ufeffreturn 'beside'")
    same(perigee("run", write("marked/asks.lua", "print(require 'beside')")).out, "beside\n")
    settings = write("marked/.luarc.json", '\ufeff{"mine": 1}')
    same(perigee("editor", str(root)).code, 0)
    has(open(settings, encoding="utf-8").read(), '"mine": 1', "runtime.version")
    write("marked/home/.env", "\ufeffFIRST_NAME=value-of-it\n")
    same(perigee("run", "-e", "return #require('sys.env').get 'FIRST_NAME'", PERIGEE_HOME=str(root / "home")).code, 11)


def the_configuration_is_where_xdg_says():
    root = folder("xdg/perigee")
    write("xdg/perigee/tools/x/here.lua", TOOL % 'return "found"')
    write("xdg/perigee/mcp.json", '{"mcpServers": {"listed": {"command": "x"}}}')
    env = {"PERIGEE_HOME": "", "XDG_CONFIG_HOME": str(root.parent), "HOME": str(folder("xdg-home"))}
    same(perigee("call", "here", **env).out, "found\n")
    has(perigee("mcp", **env).out, "listed")


def what_is_not_done_ends_with_3():
    write("undone/tools/x/half.lua", TOOL % "return { done = false, note = 'it asks whether to save' }")
    write("undone/tools/x/whole.lua", TOOL % "return { done = true }")
    for words in (["call", "half"], ["call", "half", "--json"]):
        answer = perigee(*words, "--root", str(FOLDER / "undone"))
        same(answer.code, 3, answer)
        has(answer.out, "it asks whether to save")
    same(perigee("call", "whole", "--root", str(FOLDER / "undone")).code, 0)


def an_agents_log_is_private():
    where = folder("agent-run")
    os.umask(0o022)
    answer = perigee("agent", "--model", "offline", "--server", "/no/such/server", "Draw.", cwd=where)
    same(answer.code, 1)
    for path in ("logs", "logs/runs"):
        same(oct(mode(where / path)), "0o700", path)
    files = [where / "logs/agent.log", *(where / "logs/runs").iterdir()]
    must(len(files) == 2 and all(mode(path) == 0o600 for path in files), [(p, oct(mode(p))) for p in files])


def nothing_turns_the_reading_direction():
    name = "safe\u202egnp.exe\u2066\u061c\u200f\u009b31m\u200b\U000e0041"
    write("odd/tools/x/odd.lua", TOOL % f'return "{name}"')
    write("odd/tools/x/fails.lua", TOOL % f'return nil, "{name}"')
    for words in (["call", "odd"], ["call", "fails"], ["run", "-e", f'error("{name}", 0)']):
        at = 1 if words[0] == "run" else len(words)
        with Terminal(*words[:at], "--root", str(FOLDER / "odd"), *words[at:], width=250, PERIGEE_DESKTOP="fake") as terminal:
            shown = terminal.end().out
        has(shown, "safe<202e>gnp.exe<2066><61c><200f><9b>31m<200b><e0041>")
        must(not any(c in shown for c in "\u202e\u2066\u061c\u200f\u009b\u200b\U000e0041"), repr(shown))
    with Terminal("image", "--window-title", name, width=250, PERIGEE_DESKTOP="fake") as terminal:
        shown = terminal.end().out
    has(shown, '"safegnp.exe31m"')
    must(not any(c in shown for c in "\u202e\u2066\u061c\u200f\u009b\u200b\U000e0041"), repr(shown))
    write("odd/tools/x/tells.lua", (TOOL % f'call:log("info", "{name}")').replace("function()", "function(_, call)"))
    with Terminal("call", "tells", "--root", str(FOLDER / "odd"), width=250) as terminal:
        shown = terminal.end().out
    has(shown, "safegnp.exe31m")
    must(not any(c in shown for c in "\u202e\u2066\u061c\u200f\u009b\u200b\U000e0041"), repr(shown))
    for words in (["run", "-e", f'print("{name}")'], ["run", "-e", f'return "{name}"'], ["run", "-e", f'return {{ "{name}" }}']):
        with Terminal(*words, width=250) as terminal:
            shown = terminal.end().out
        must("safe" in shown and not any(c in shown for c in "\u202e\u2066\u061c\u200f\u009b\u200b\U000e0041"), repr(shown))
    with Terminal("run", "-e", 'print("\\27[31mred\\27[0m")') as terminal:
        has(terminal.end().out, "\x1b[31mred\x1b[0m")      # a script may use colors,
    odd = "\\27]0;owned\\7\\27[2J\\27c \u00e9 \u4e16 \U0001f469\u200d\U0001f467 10%\\r20%\\27[K"
    with Terminal("run", "-e", f'print("{odd}")') as terminal:     # and what it prints may be of others
        has(terminal.end().out, "^[]0;owned\x07^[[2J^[c \u00e9 \u4e16 \U0001f469\u200d\U0001f467 10%\r20%\x1b[K")
    with Terminal("call", "odd", "--json", "--root", str(FOLDER / "odd"), width=250) as terminal:
        shown = terminal.end().out
    has(shown, r"safe\u202egnp.exe\u2066\u061c\u200f\u009b31m\u200b\udb40\udc41")
    same(json.loads(shown[shown.index("{"):])["content"][0]["text"], name)
    with Terminal("repl", "--root", str(FOLDER / "odd"), width=250) as terminal:
        terminal.expect("> ")
        terminal.type(f'print("{name}")\r')
        terminal.expect("safe<202e>gnp.exe<2066>")
        terminal.type("tools.odd()\r")
        terminal.expect("safe<202e>gnp.exe<2066>")
    same(perigee("call", "odd", "--root", str(FOLDER / "odd")).out, name + "\n")     # a file gets what it is


def serve_at_a_terminal_says_what_it_waits_for():
    with Terminal("serve") as terminal:
        terminal.expect("waiting for an MCP client", "Ctrl-C or Ctrl-D leaves")
        terminal.type("\x04")
        same(terminal.end().code, 0)
    with Terminal("serve") as terminal:
        terminal.expect("leaves")
        terminal.type("\x03")
        same(terminal.end().code, 0)
    hasnt(perigee("serve").err, "waiting")


def serve_over_http_says_how_to_leave():
    with Terminal("serve", "--http", "0") as terminal:
        terminal.expect("http://127.0.0.1:", "waiting for MCP clients at this URL. Ctrl-C leaves.")
        terminal.type("\x03")
        same(terminal.end().code, 0)
    running = Running("serve", "--http", "0")
    has(running.line(), "http://127.0.0.1:")
    running.signal(signal.SIGTERM)
    hasnt(running.end().err, "leaves")


def a_file_that_was_removed_is_logged():
    good, bad = write("gone/tools/x/good.lua", TOOL % 'return "x"'), write("gone/tools/x/bad.lua", "return {")
    running = Running("run", "--root", str(FOLDER / "gone"), "-v", "-e",
                      "print(tools.good()) local e, t = require 'sys.engine', require 'sys.time' "
                      "repeat t.sleep(0.02) until #e.status().problems == 0 and not e.tool 'good' print 'both'")
    same(running.line(), "x")
    os.remove(bad)
    os.remove(good)
    same(running.line(), "both")
    said = running.end().err
    has(said, f"[info] removed {good}", f"[info] removed {bad}")


def a_closed_stdout_is_told():
    for words in (["version"], ["tools"], ["call", "engine_status"], ["run", "-e", "print(1)"]):
        ended = subprocess.run(["sh", "-c", '"$@" >&-', "sh", PERIGEE, *words], env=environment(), capture_output=True, text=True,
                               check=False)
        same((ended.returncode, ended.stderr), (1, f"perigee {words[0]}: cannot write to stdout: Bad file descriptor\n"))
    ended = subprocess.run(["sh", "-c", '"$@" >&-', "sh", PERIGEE, "run", "-e", "return 0"], env=environment(), check=False)
    same(ended.returncode, 0)       # it had nothing to print


def a_reload_that_worked_is_logged():
    write("hot/tools/x/hot.lua", TOOL % 'return "old"')
    running = Running("run", "--root", str(FOLDER / "hot"), "-v", "-e",
                      "print(tools.hot()) repeat require('sys.time').sleep(0.02) until tools.hot() ~= 'old' print(tools.hot())")
    same(running.line(), "old")
    write("hot/tools/x/hot.lua", TOOL % 'return "new"')
    same(running.line(), "new")
    ended = running.end()
    has(ended.err, "[info] reloaded " + str(FOLDER / "hot/tools/x/hot.lua"))


tap.case("one broken tool file is one line before a command", one_line_for_a_broken_file)
tap.case("a byte order mark before Lua or .env is skipped", a_byte_order_mark_is_skipped)
tap.case("XDG_CONFIG_HOME moves the configuration", the_configuration_is_where_xdg_says)
tap.case("a tool that says it is not done ends with 3", what_is_not_done_ends_with_3)
tap.case("an agent's log and journal are private", an_agents_log_is_private)
tap.case("characters that turn the reading direction never reach a terminal", nothing_turns_the_reading_direction)
tap.case("serve at a terminal says what it waits for, and is left with 0", serve_at_a_terminal_says_what_it_waits_for)
tap.case("serve over HTTP at a terminal says how it is left", serve_over_http_says_how_to_leave)
tap.case("output that a closed stdout did not take is an error", a_closed_stdout_is_told)
tap.case("a reload that worked is logged", a_reload_that_worked_is_logged)
tap.case("a file that was removed is logged, also one that did not load", a_file_that_was_removed_is_logged)
done()
