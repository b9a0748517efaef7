#!/usr/bin/env python3
"""perigee log: the log of a running engine, as it comes."""

import json
import os
import signal
import subprocess
import time

from kit import PERIGEE, Running, Terminal, done, environment, has, hasnt, must, same, soon, tap, write

from engines import ENV, a_server, command, listed, modules, tool

modules("talk", "for i = 1, args.n or 3 do log.info('line', i) log.debug('deep', i) end log.warn('over') return 'ok'", "log")
modules("other", "log.info 'from another' return 'ok'", "log")
modules("secret", "log.info('the key is ' .. env.get 'TEST_TOKEN_VALUE') return 'ok'", "log", "env")
modules("inner", "log.info 'from within'", "log")
tool("echo", "return args.text", "{ type = 'object', properties = { text = { type = 'string' } } }", more="aliases = { 'say' },")
tool("prints", "print('a\\nb', 'c') return 'ok'")
modules("outer", "engine.call 'inner' log.info 'after it' return 'ok'", "engine", "log")


def lines_of(answer):
    return [json.loads(line) for line in answer.out.splitlines()]


def texts(answer):
    return [line["text"] for line in lines_of(answer)]


def last_lines():
    with a_server() as running:
        same(command("log").out, "")
        running.text("talk")
        running.text("other")
        lines = lines_of(command("log", "--json"))
        same([line["text"] for line in lines], ["line 1", "line 2", "line 3", "over", "from another"])
        same([line["level"] for line in lines], ["info", "info", "info", "warning", "info"])
        same([line["tool"] for line in lines], ["talk"] * 4 + ["other"])
        must(all(len(line["time"]) == 24 for line in lines), lines)
        same(texts(command("log", "--json", "--last", "2")), ["over", "from another"])
        same(texts(command("log", "--json", "--tool", "talk", "--last", "2")), ["line 3", "over"])
        same(texts(command("log", "--json", "--level", "warning")), ["over"])
        same(command("log", "--last", "0").out, "")
        has(command("log").out, " info    talk: line 1\n", " warning talk: over\n", " info    other: from another\n")


def what_a_tool_of_a_tool_logs():
    with a_server() as running:
        running.text("outer")
        same([(line["tool"], line["text"]) for line in lines_of(command("log", "--json"))],
             [("inner", "from within"), ("outer", "after it")])


def prints_in_order():
    with a_server() as running:
        running.text("prints")
        same(texts(command("log", "--json")), ["a\n    b\tc"])


def follows():
    with a_server() as running:
        running.text("other")
        follower = Running("log", "-f", "--json", "--last", "1", **ENV)
        same(json.loads(follower.line())["text"], "from another")
        running.text("talk")
        same([json.loads(follower.line())["text"] for _ in range(4)], ["line 1", "line 2", "line 3", "over"])
        calls = listed(running)["calls"]
        same([(call["name"], call["waits"]) for call in calls], [("console_log", "log lines")])
        follower.signal(signal.SIGINT)
        same(follower.end().code, 130)
        soon(lambda: not listed(running)["calls"], "the end of its call")


def one_tool_alone():
    with a_server() as running:
        follower = Running("log", "-f", "--json", "--tool", "other", "--last", "0", **ENV)
        soon(lambda: listed(running)["calls"], "the follower")
        running.text("talk")
        running.text("other")
        same(json.loads(follower.line())["text"], "from another")
        follower.signal(signal.SIGINT)
        same(follower.end().code, 130)
        for words in (("--tool", "othr"), ("-f", "--tool", "othr")):
            answer = command("log", *words)
            same(answer.code, 1)
            has(answer.err, 'There is no tool "othr"; did you mean other or outer?')


def debug_while_somebody_asks():
    """The engine's own log stays at its level even if `perigee log` asks for debug lines."""
    with a_server() as running:
        running.text("talk")
        hasnt(command("log", "--level", "debug").out, "deep")
        follower = Running("log", "-f", "--json", "--level", "debug", "--last", "0", **ENV)
        soon(lambda: listed(running)["calls"], "the follower")
        running.text("talk")
        seen = []
        while "deep 3" not in seen:
            seen.append(json.loads(follower.line())["text"])
        follower.signal(signal.SIGINT)
        follower.end()
        soon(lambda: not listed(running)["calls"], "its end")
        running.text("talk")
        has(" ".join(running.errors), "line 3")
        hasnt(" ".join(running.errors), "deep")


def a_quiet_engine_is_heard():
    with a_server(PERIGEE_LOG_LEVEL="off") as running:
        running.text("talk")
        has(command("log").out, "talk: line 1", "talk: over")
        same(running.errors, [])


def calls_are_told():
    with a_server() as running:
        follower = Running("log", "-f", "--json", "--calls", "--last", "0", **ENV)
        soon(lambda: listed(running)["calls"], "the follower")
        running.call("say", {"text": "hi"})
        running.call("echo", {"text": 5})
        line = json.loads(follower.line())
        same((line["tool"], line["call"]), ("echo", True))
        has(line["text"], 'args={"text":"hi"} -> hi (')
        has(json.loads(follower.line())["text"], 'args={"text":5} -> refused: ')
        same(command("log", "--json").out, "", "the log itself has no such lines")
        follower.signal(signal.SIGINT)
        follower.end()
        soon(lambda: not listed(running)["calls"], "its end")
        running.call("echo", {"text": "unheard"})
        same(running.errors, [])


def secrets_are_hidden():
    """Values of the file .env are hidden, as in the log itself."""
    write("home/.env", "TEST_TOKEN_VALUE=abcdefghijkl\n")
    with a_server() as running:
        running.text("secret")
        has(command("log").out, "the key is ***")
        hasnt(command("log").out, "abcdefghijkl")


def a_slow_reader_loses_lines():
    """The engine counts the lines that are lost, and does not wait."""
    with a_server() as running:
        follower = Running("log", "-f", "--json", "--last", "0", **ENV)
        soon(lambda: listed(running)["calls"], "the follower")
        follower.signal(signal.SIGSTOP)
        begun = time.monotonic()
        for _ in range(10):
            running.call("talk", {"n": 5000})
        took = time.monotonic() - begun
        memory = listed(running)["memory"]["resident"]
        same([call["waits"] for call in listed(running)["calls"]], ["its client to read"])
        follower.signal(signal.SIGCONT)
        running.text("other")
        lost, got, line = 0, 0, {}
        while line.get("text") != "from another":
            line = json.loads(follower.line())
            lost += line.get("dropped", 0)
            got += "text" in line
        same(lost + got, 10 * 5001 + 1)
        must(lost > 10000, f"only {lost} lines were dropped")
        must(memory < 100 << 20, f"{memory} bytes")
        tap.note(f"{lost} of {lost + got} lines were dropped; the calls took {took:.1f} s")
        follower.signal(signal.SIGINT)
        follower.end()


def two_followers():
    with a_server() as running:
        followers = [Running("log", "-f", "--json", "--last", "0", **ENV) for _ in range(2)]
        soon(lambda: len(listed(running)["calls"]) == 2, "two followers")
        running.text("other")
        for follower in followers:
            same(json.loads(follower.line())["text"], "from another")
            follower.signal(signal.SIGKILL)
            follower.end()
        soon(lambda: not listed(running)["calls"], "their end")


def the_engine_ends():
    for number in (signal.SIGTERM, signal.SIGKILL):
        with a_server() as running:
            pid = running.process.pid
            follower = Running("log", "-f", **ENV)
            soon(lambda: listed(running)["calls"], "the follower")
            running.text("other")
            has(follower.line(), "other: from another")
            os.kill(pid, number)
            answer = follower.end()
            same((answer.code, answer.err), (1, f"perigee log: the engine {pid} has ended\n"))


def nobody_reads_stdout():
    with a_server() as running:
        with subprocess.Popen([PERIGEE, "log", "-f", "--last", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment(**ENV)) as follower:
            soon(lambda: listed(running)["calls"], "the follower")
            follower.stdout.close()
            while follower.poll() is None:
                running.text("other")
            same((follower.returncode, follower.stderr.read()), (141, b""))


def on_a_terminal():
    with a_server() as running, Terminal("log", "-f", **ENV) as terminal:
        soon(lambda: listed(running)["calls"], "the follower")
        running.text("talk")
        terminal.expect("talk: line 1", "talk: over")
        terminal.type("\x03")
        same(terminal.end().code, 130)


def problems_of_files():
    """A line that is logged before `perigee log` can connect still comes."""
    tool("broken", "return (")
    with a_server() as running:
        running.text("engine_status")
        soon(lambda: "broken.lua" in command("log").out, "the problem")
    os.unlink(tool("broken", ""))


tap.case("shows the last lines", last_lines)
tap.case("names the tool that logs, also within another", what_a_tool_of_a_tool_logs)
tap.case("shows what is printed", prints_in_order)
tap.case("goes on with what comes", follows)
tap.case("shows one tool alone", one_tool_alone)
tap.case("shows debug lines while it asks for them", debug_while_somebody_asks)
tap.case("hears an engine whose log is off", a_quiet_engine_is_heard)
tap.case("tells of calls", calls_are_told)
tap.case("hides secrets", secrets_are_hidden)
tap.case("a slow reader loses lines, and nobody waits for it", a_slow_reader_loses_lines)
tap.case("two follow at once", two_followers)
tap.case("says that the engine ended", the_engine_ends)
tap.case("ends when nobody reads stdout", nobody_reads_stdout)
tap.case("follows on a terminal", on_a_terminal)
tap.case("has what was logged at the start", problems_of_files)
done()
