#!/usr/bin/env python3
"""perigee call --attach: a tool, called in an engine that runs already."""

import json
import os
import signal

from kit import Running, Terminal, done, folder, has, must, same, soon, tap, write

from engines import ENV, a_server, calls_of, command, listed, modules, tool

modules("nap", "time.sleep(60)", "time")
modules("count", "local mine = state.open 'count' mine.n = (mine.n or 0) + 1 return { n = mine.n }", "state")
modules("steps", "for i = 1, 3 do call:progress(i, 3, 'step ' .. i) call:log('info', 'said ' .. i) time.sleep(0.01) end return 'done'",
        "time")
modules("wait", "task.await 'go' return 'went'", "task")
modules("go", "task.signal 'go' return 'gone'", "task")
tool("echo", "return args", "{ type = 'object', properties = { n = { type = 'integer' }, path = { type = 'string' } } }",
     more="aliases = { 'say' },")
tool("fails", "return nil, 'no luck', 'unlucky'")
tool("question", "local got, err = call:ask { message = 'Your name?', schema = { type = 'object', properties = { name = { type = "
     "'string' } }, required = { 'name' } } } return got and 'Hello ' .. got.name or 'nobody: ' .. err")


def attach(*words):
    return command("call", "--attach", *words)


def keeps_the_engine_s_state():
    with a_server() as running:
        same(json.loads(running.text("count")), {"n": 1})
        same(json.loads(attach("count").out), {"n": 2})
        same(json.loads(attach(str(running.process.pid), "count", "--json").out)["structuredContent"], {"n": 3})
        same(json.loads(running.text("count")), {"n": 4})


def reads_words_by_the_schema():
    with a_server():
        same(json.loads(attach("echo", "n=5").out), {"n": 5})
        same(json.loads(attach("say", "n:=6").out), {"n": 6})
        same(json.loads(attach("echo", "--args", '{"n": 7}').out), {"n": 7})
        here = os.path.realpath(folder("here"))
        same(json.loads(attach("echo", "path=x.png").out), {"path": f"{here}/x.png"})
        same(json.loads(attach("echo", "path=/tmp/x.png").out), {"path": "/tmp/x.png"})


def says_what_failed():
    with a_server() as running:
        answer = attach("fails")
        same((answer.code, answer.out, answer.err), (3, "", "no luck\n"))
        answer = attach("ecko")
        same(answer.code, 2)
        has(answer.err, f"the engine {running.process.pid} has no tool 'ecko'; did you mean echo?")
        answer = attach("echo", "n=x")
        same(answer.code, 3)
        has(answer.err, "Invalid arguments for echo: n: ")
        for words, said in [(("7", "echo"), "no engine of this user is process 7. Running: "),
                            (("--dry-run", "echo"), "--dry-run is for an engine that is started"),
                            (("--root", "/tmp", "echo"), "--root is for an engine that is started"),
                            ((str(running.process.pid),), "which tool?")]:
            answer = attach(*words)
            same(answer.code, 2, answer)
            has(answer.err, said)
    answer = attach("echo")
    same((answer.code, answer.err), (1, "perigee call: no engine of this user is running. `perigee serve` or `perigee service run` starts one\n"))


def tells_of_progress_and_log():
    with a_server():
        answer = attach("steps")
        same((answer.code, answer.out), (0, "done\n"))
        answer = attach("steps", "--verbose")
        for i in range(1, 4):
            has(answer.err, f"said {i}")


def cancels_with_the_command():
    with a_server() as running:
        for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
            caller = Running("call", "--attach", "nap", **ENV)
            soon(lambda: calls_of(running).get("nap"), "the call")
            same(calls_of(running)["nap"]["caller"], {"kind": "terminal", "name": "perigee call"})
            caller.signal(number)
            same(caller.end().code, code)
            soon(lambda: not calls_of(running), "the end of the call")


def has_a_time_limit():
    with a_server() as running:
        answer = attach("nap", "--timeout", "0.2")
        same(answer.code, 124)
        has(answer.err, "nap did not end within 0.2 s, and was cancelled")
        soon(lambda: not calls_of(running), "the end of the call")


def the_engine_is_killed():
    with a_server() as running:
        pid = running.process.pid
        caller = Running("call", "--attach", "nap", **ENV)
        soon(lambda: calls_of(running).get("nap"), "the call")
        os.kill(pid, signal.SIGKILL)
        answer = caller.end()
        same((answer.code, answer.err), (1, f"perigee call: the engine {pid} has ended\n"))


def several_at_once():
    with a_server() as running:
        callers = [Running("call", "--attach", "wait", **ENV) for _ in range(5)]
        soon(lambda: len(listed(running)["calls"]) == 5, "five calls")
        same(attach("go").out, "gone\n")
        same({caller.end().out for caller in callers}, {"went\n"})


def the_user_is_asked():
    with a_server():
        same(attach("question").out[:8], "nobody: ")
        with Terminal("call", "--attach", "question", **ENV) as terminal:
            terminal.expect("Your name?", "name")
            terminal.type("Ann\r")
            terminal.expect("Hello Ann")
            same(terminal.end().code, 0)


def the_policy_decides():
    write("strict/policy.lua", "return { rules = { { deny = 'not from here', caller = 'terminal', tool = 'count' }, "
                               "{ allow = 'else', tool = '*' } }, otherwise = 'deny' }")
    with a_server("--root", os.path.join(os.path.dirname(folder("strict")), "strict")):
        answer = attach("count")
        same(answer.code, 3)
        has(answer.err, "The policy denies count (not from here; rule 1 of the policy). Nothing was done.")
    must("terminal" in command("audit", "--tool", "count", "--json").out, "the audit log has who called")


tap.case("the call shares the engine's state", keeps_the_engine_s_state)
tap.case("words are read by the tool's schema", reads_words_by_the_schema)
tap.case("a call that fails says why", says_what_failed)
tap.case("progress and log messages come through", tells_of_progress_and_log)
tap.case("the call ends with the command", cancels_with_the_command)
tap.case("--timeout ends it", has_a_time_limit)
tap.case("an engine that is killed is said to have ended", the_engine_is_killed)
tap.case("several call at once", several_at_once)
tap.case("the tool may ask the user", the_user_is_asked)
tap.case("the engine's policy decides", the_policy_decides)
done()
