#!/usr/bin/env python3
"""perigee repl --attach: Lua that is typed runs in an engine that runs already."""

import json
import os
import signal
import subprocess
import time

from kit import Running, Terminal, done, has, hasnt, must, same, soon, tap, write

from engines import ENV, a_server, calls_of, command, listed, modules, tool

modules("nap", "time.sleep(60)", "time")
modules("remember", "local mine = state.open 'mine' mine.n = (mine.n or 0) + 1 return mine.n", "state")
modules("talk", "log.info 'said' print 'printed' return 'ok'", "log")
tool("echo", "return args.text", "{ type = 'object', properties = { text = { type = 'string' } } }")
tool("question", "local got, err = call:ask { message = 'Your name?', schema = { type = 'object', properties = { name = { type = "
     "'string' } }, required = { 'name' } } } return got and 'Hello ' .. got.name or 'nobody: ' .. err")


def typed(text, *words):
    return command("repl", "--attach", *words, stdin=text)


def runs_there():
    with a_server() as running:
        running.text("remember")
        answer = typed("require('sys.state').open('mine').n\ntools.remember{}\nrequire('sys.console').engine().pid\n")
        same((answer.code, answer.out), (0, f"1\n2\n{running.process.pid}\n"), answer)
        same(running.text("remember"), "3")
        same(typed("x = 1\nx + 1\n_ * 2\nnil, 'a\\nb', {b=1}\n'c\\nd'\nfor i = 1, 2 do\nprint(i)\nend\n", str(running.process.pid)).out,
             "2\n4\nnil\n\"a\\nb\"\n{ b = 1 }\nc\nd\n1\n2\n")


def prints_come_back_in_order():
    with a_server():
        same(typed("print 'a' sys.time.sleep(0.05) print('b', 1) return 'c'\ntools.talk{}\n").out, 'a\nb\t1\n"c"\nprinted\n"ok"\n')
        many = typed("for i = 1, 20000 do print(i) if i % 100 == 0 then sys.time.sleep(0.001) end end return 'end'\n")
        same(many.out, "".join(f"{i}\n" for i in range(1, 20001)) + '"end"\n')


def prints_come_back_at_once():
    with a_server():
        attached = Running("repl", "--attach", stdin=subprocess.PIPE, **ENV)
        attached.process.stdin.write(b"print 'now' sys.time.sleep(60)\n")
        attached.process.stdin.flush()
        same(attached.line(), "now")
        attached.signal(signal.SIGTERM)
        same(attached.end().code, 143)


def errors_are_told():
    with a_server() as running:
        answer = typed("error 'first'\nx = = 1\nsys.window.mvoe\nprnt(1)\n'on'\nfor i = 1, 2 do\n")
        same((answer.code, answer.out), (1, '"on"\n'))
        has(answer.err, "error: repl:1: first\nstack traceback:\n", "error: repl:1: unexpected symbol near '='",
            'sys.window has no field "mvoe"; did you mean move?', "did you mean print?", "near <eof>")
        same(running.errors, [], "the engine's log")


def the_engine_goes_on():
    """Lines that compute, wait or print without end do not hold up other calls."""
    with a_server() as running:
        attached = []
        for text in (b"while true do end\n", b"while true do print 'x' end\n", b"sys.time.sleep(600)\n",
                     b"('x'):rep(100000):find(('.-'):rep(50) .. 'y')\n"):
            attached.append(Running("repl", "--attach", stdin=subprocess.PIPE, **ENV))
            attached[-1].process.stdin.write(text)
            attached[-1].process.stdin.flush()
        soon(lambda: len([c for c in listed(running)["calls"] if c["name"] == "console_evaluate"]) >= 3, "they run")
        for _ in range(20):
            same(running.text("echo", {"text": "hi"}), "hi")
        same(command("call", "--attach", str(running.process.pid), "echo", "text=ho").out, "ho\n")
        for each in attached:
            each.signal(signal.SIGKILL)
            each.end()
        soon(lambda: not listed(running)["calls"], "the end of what they ran")


def limits():
    with a_server():
        answer = typed("while true do end\n'on'\n", "--timeout", "0.2")
        same((answer.code, answer.out), (1, '"on"\n'))
        has(answer.err, "repl was stopped after 0.2 s, its time limit, at repl:1")
        answer = typed("t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end\nt = nil\n'on'\n")
        same(answer.out, '"on"\n')
        has(answer.err, "not enough memory: it may use 64 MB")


def one_that_does_not_read():
    """A client gets what it reads; the engine counts the rest, and does not wait."""
    with a_server() as running:
        attached = Running("repl", "--attach", stdin=subprocess.PIPE, **ENV)
        attached.process.stdin.write(b"print 'ready' for i = 1, 300000 do print(('x'):rep(100)) end return 'end'\n")
        attached.process.stdin.close()
        same(attached.line(), "ready")
        attached.signal(signal.SIGSTOP)
        soon(lambda: [c for c in listed(running)["calls"] if "its client to read" in c["waits"]], "it waits for its client")
        memory = listed(running)["memory"]["resident"]
        must(memory < 100 << 20, f"{memory} bytes")
        attached.process.stdin = None
        attached.signal(signal.SIGCONT)
        answer = attached.end()
        has(answer.out[-200:], '"end"\n')
        has(answer.out, " lines were dropped\n")


def two_at_once():
    """Each has globals of its own; what tools keep is the engine's."""
    with a_server():
        both = [Running("repl", "--attach", stdin=subprocess.PIPE, **ENV) for _ in range(2)]

        def ask(which, text):
            both[which].process.stdin.write(text.encode() + b"\n")
            both[which].process.stdin.flush()
            return both[which].line()
        same(ask(0, "x = 'first' return x"), '"first"')
        same(ask(1, "return x"), "nil")
        same(ask(1, "x = 'second' return x"), '"second"')
        same(ask(0, "return x"), '"first"')
        same([ask(i % 2, "return tools.remember{}") for i in range(4)], ["1", "2", "3", "4"])
        for each in both:
            each.process.stdin.close()
            each.process.stdin = None
            same(each.end().code, 0)
        same(typed("x\n").out, "nil\n")
        hasnt(command("state").out, "console")


def what_it_calls_is_listed_and_recorded():
    with a_server() as running:
        attached = Running("repl", "--attach", stdin=subprocess.PIPE, **ENV)
        attached.process.stdin.write(b"tools.nap{}\n")
        attached.process.stdin.flush()
        soon(lambda: calls_of(running).get("nap"), "the call")
        calls = calls_of(running)
        same(calls["nap"]["parent"], calls["console_evaluate"]["id"])
        same(calls["nap"]["caller"], {"kind": "terminal", "name": "perigee repl"})
        same(calls["console_evaluate"]["waits"], "the call of nap")
        attached.signal(signal.SIGKILL)
        attached.end()
    lines = [json.loads(line) for line in command("audit", "--json", "--tool", "nap").out.splitlines()]
    same(lines[0]["caller"], {"kind": "terminal", "name": "perigee repl", "via": ["console_evaluate"]})
    has(command("audit", "--json", "--tool", "console_evaluate").out, "tools.nap{}")


def the_policy_decides():
    write("strict/policy.lua", "return { rules = { { deny = 'no prompts', tool = 'console_evaluate' }, { allow = 'else', tool = '*' } "
                               "}, otherwise = 'deny' }")
    write("stricter/policy.lua", "return { rules = { { deny = 'not this', tool = 'echo' }, { allow = 'else', tool = '*' } }, "
                                 "otherwise = 'deny' }")
    home = os.path.dirname(ENV["PERIGEE_HOME"])
    with a_server("--root", f"{home}/strict"):
        answer = typed("1 + 1\n")
        same((answer.code, answer.out), (1, ""))
        has(answer.err, "The policy denies console_evaluate (no prompts; rule 1 of the policy). Nothing was done.")
    with a_server("--root", f"{home}/stricter"):
        answer = typed("1 + 1\ntools.echo { text = 'x' }\n")
        same(answer.out, "2\n")
        has(answer.err, "The policy denies echo (not this; rule 1 of the policy)")


def a_dry_run_stays_one():
    with a_server("--dry-run"):
        answer = typed("1 + 1\ntools.echo { text = 'x' }\nsys.process.run { 'true' }\n")
        has(answer.out, "2\n", 'dry_run = true, tool = "echo"', 'this is a dry run, which does not start')


def the_engine_ends():
    for number in (signal.SIGTERM, signal.SIGKILL):
        for text in (b"", b"sys.time.sleep(60)\n"):
            with a_server() as running:
                pid = running.process.pid
                attached = Running("repl", "--attach", stdin=subprocess.PIPE, **ENV)
                attached.process.stdin.write(b"print 'ready'\n" + text)
                attached.process.stdin.flush()
                same(attached.line(), "ready")
                if text:
                    soon(lambda: listed(running)["calls"], "the call")
                os.kill(pid, number)
                attached.process.wait(20)       # while stdin is open
                answer = attached.end()
                same((answer.code, answer.err), (1, f"error: the engine {pid} has ended\n"), (number, text))


def wrong_use():
    answer = typed("1\n")
    same((answer.code, answer.out, answer.err), (1, "", "perigee repl: no engine of this user is running. `perigee serve` or `perigee service run` starts one\n"))
    with a_server() as running:
        for words, said in [(("12",), "no engine of this user is process 12. Running: "), (("x",), 'it takes no argument ("x")'),
                            ((str(running.process.pid), "13"), 'it takes no argument ("13")'),
                            (("--root", "/tmp"), "--attach takes one that runs")]:
            answer = typed("1\n", *words)
            must(answer.code in (1, 2), answer)
            has(answer.err, said)
        with a_server():
            has(typed("1\n").err, "2 engines are running. Name one by its process id: ")
    same(command("repl", "--timeout", "3", stdin="1\n").code, 2)
    has(command("repl", "--help").out, "--attach")


# --- on a terminal ------------------------------------------------------------------------------

def terminal(running, *words):
    t = Terminal("repl", "--attach", *words, **ENV)
    t.expect(f"what you type runs in the engine {running.process.pid} (serve, fake).", "> ")
    return t


def on_a_terminal():
    with a_server() as running, terminal(running) as t:
        t.type("{ 1, 2 }\r")
        t.expect("\n{ 1, 2 }\n", "> ")
        has(t.seen, "\x1b[32m{ 1, 2 }\x1b[0m")
        t.type("do\rprint 'in'\rend\r")
        t.expect("\nin\n", "> ")
        t.type("while true do end\r")
        soon(lambda: calls_of(running).get("console_evaluate"), "it runs")
        t.type("\x03")
        t.expect("interrupted", "> ")
        soon(lambda: not listed(running)["calls"], "it was cancelled there, too")
        t.type("'still'\r")
        t.expect('"still"\n', "> ")
        t.type("\x04")
        same(t.end().code, 0)
        same(running.text("echo", {"text": "hi"}), "hi")


def tab_asks_the_engine():
    with a_server() as running, terminal(running) as t:
        t.type("mine = { alpha = 1, beta = 2 }\r")
        t.expect("> ")
        for keys, shown in [("mine.al\t", "mine.alpha"), ("tools.reme\t", "tools.remember"), ("tools.echo{ te\t", "{ text = "),
                            ("sys.window.mov\t", "sys.window.move")]:
            t.type(keys)
            t.expect(shown)
            t.empty_line()
        t.type("mine.\tal\t + 1\r")         # keys behind Tab wait for what comes of it
        t.expect("alpha", "beta", "> mine.alpha + 1\n2\n", "> ")


def the_engine_ends_at_the_prompt():
    with a_server() as running, terminal(running) as t:
        t.type("half a li")
        t.expect("half a li")
        os.kill(running.process.pid, signal.SIGKILL)
        t.expect(f"error: the engine {running.process.pid} has ended")
        same(t.end().code, 1)


def tab_of_a_hanging_engine():
    with a_server() as running, terminal(running) as t:
        os.kill(running.process.pid, signal.SIGSTOP)
        try:
            begun = time.monotonic()
            t.type("tools.ech\t")
            t.type("o")
            t.expect("tools.echo")      # after the patience for Tab
            tap.note(f"Tab was given up after {time.monotonic() - begun:.1f} s")
        finally:
            os.kill(running.process.pid, signal.SIGCONT)
        t.type("{ text = 'x' }\r")
        t.expect('"x"\n', "> ")


def a_tool_may_ask():
    with a_server() as running, terminal(running) as t:
        t.type("tools.question{}\r")
        t.expect("Your name?", "name")
        t.type("Ann\r")
        t.expect('"Hello Ann"', "> ")


tap.case("typed lines run in the engine", runs_there)
tap.case("printed lines come back in order", prints_come_back_in_order)
tap.case("printed lines come back at once", prints_come_back_at_once)
tap.case("errors are told, and are none of the engine's", errors_are_told)
tap.case("the engine goes on meanwhile", the_engine_goes_on)
tap.case("time and memory are limited", limits)
tap.case("one that does not read holds up nobody", one_that_does_not_read)
tap.case("two are attached at once", two_at_once)
tap.case("the tools that a line calls are listed and recorded", what_it_calls_is_listed_and_recorded)
tap.case("the engine's policy decides", the_policy_decides)
tap.case("a dry run stays one", a_dry_run_stays_one)
tap.case("the end of the engine is said", the_engine_ends)
tap.case("wrong use is said", wrong_use)
tap.case("it works on a terminal", on_a_terminal)
tap.case("Tab asks the engine", tab_asks_the_engine)
tap.case("the end of the engine is said at the prompt", the_engine_ends_at_the_prompt)
tap.case("Tab gives up on an engine that hangs", tab_of_a_hanging_engine)
tap.case("a tool may ask the user", a_tool_may_ask)
done()
