#!/usr/bin/env python3
"""execute_python_code: sessions and what ends them, cancelled calls, and ends of processes. Nothing is left of any."""

import contextlib
import os
import pathlib
import signal
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                                          # noqa: E402
from procs import alive, cpu, descendants, parents, words_of        # noqa: E402
from server import GUARD, perigee                                   # noqa: E402

TOOL = "execute_python_code"
GONE = "variables are gone"
BUSY = "while True: pass"
BLOCKED = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True: pass"


def opened():
    server = perigee("--root", str(TOP / "tests/wire/root"), env=dict(os.environ, PERIGEE_DESKTOP="fake"))
    server.initialize()
    return server


def begin(server, code, **more):
    return server.post("tools/call", {"name": TOOL, "arguments": {"code": code, **more}})


def members(answer):
    return answer["result"]["structuredContent"]


def run(server, code, **more):
    return members(server.answer(begin(server, code, **more)))


def until(condition, what):
    end = time.monotonic() + GUARD
    while not (value := condition()):
        assert time.monotonic() < end, what
        time.sleep(0.01)
    return value


def interpreters(server):
    """The processes of Python below it: the fork server, which is the first, and its guests."""
    found = [pid for pid in descendants(server.process.pid) if alive(pid) and b"runner.py" in words_of(pid)]
    tree = parents()
    return sorted(found, key=lambda pid: tree.get(pid) in found)


def at_work(server):
    """The guest that computes."""
    return until(lambda: next((pid for pid in interpreters(server)[1:] if cpu(pid) > 2), None), "no code computes")


# --- sessions -----------------------------------------------------------------------------------

def variables_stay():
    with opened() as server:
        first = run(server, "x = 41", session="s")
        assert first["status"] == "success" and "new" in first["message"] and GONE not in first["message"], first
        found = run(server, "x += 1\nprint(x)", session="s")
        assert found["stdout"] == "42\n" and "session" not in found["message"], found
        assert "NameError" in run(server, "print(x)")["message"]
        assert "NameError" in run(server, "print(x)", session="other")["message"]


def an_exception_and_a_timeout_keep_them():
    with opened() as server:
        run(server, "x = 1", session="s")
        assert run(server, "1/0", session="s")["status"] == "error"
        assert "timeout" in run(server, BUSY, session="s", timeout_seconds=1)["message"]
        assert run(server, "print(x)", session="s")["stdout"] == "1\n"


def each_loss_is_told_and_told_again():
    with opened() as server:
        for code in ("import os; os._exit(0)", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
                     "import faulthandler; faulthandler._sigsegv()", BLOCKED):
            run(server, "x = 1", session="s")
            lost = run(server, code, session="s", timeout_seconds=1)
            assert GONE in lost["message"], (code, lost)
            later = run(server, "print(2)", session="s")
            assert later["stdout"] == "2\n" and GONE in later["message"], (code, later)
            assert GONE not in run(server, "print(3)", session="s")["message"]


def a_process_that_is_killed_between_two_runs_is_told():
    with opened() as server:
        run(server, "import os; x = 1", session="s")
        before = interpreters(server)
        for pid in before[1:]:
            os.kill(pid, signal.SIGKILL)
        until(lambda: not any(alive(pid) for pid in before[1:]), "they live")
        found = run(server, "print(2)", session="s")
        if GONE not in found["message"]:        # its end came with the job
            found = run(server, "print(2)", session="s")
        assert GONE in found["message"], found


def a_fork_server_that_is_killed_is_replaced():
    with opened() as server:
        run(server, "x = 1", session="s")
        first = interpreters(server)
        os.kill(first[0], signal.SIGKILL)
        until(lambda: not any(alive(pid) for pid in first), "its guests live")
        found = run(server, "print(2)", session="s")
        if found["status"] == "error":
            assert GONE in found["message"], found
            found = run(server, "print(2)", session="s")
        assert found["stdout"] == "2\n" and GONE in found["message"], found


def four_are_kept():
    with opened() as server:
        for i in range(5):
            run(server, f"x = {i}", session=f"s{i}")
        found = run(server, "print(x)", session="s0")
        assert "NameError" in found["message"] and GONE in found["message"], found
        assert run(server, "print(x)", session="s4")["stdout"] == "4\n"


def a_session_runs_one_code_at_a_time():
    with opened() as server:
        run(server, "x = 1", session="s")
        held = begin(server, BUSY, session="s", timeout_seconds=60)
        pid = at_work(server)
        found = server.answer(begin(server, "print(1)", session="s"))
        assert members(found)["status"] == "error" and found["result"]["_meta"]["perigee/code"] == "BUSY", found
        os.kill(pid, signal.SIGKILL)
        assert GONE in members(server.answer(held))["message"]


def files_of_a_session_come_once():
    with opened() as server:
        def names(code):
            content = server.answer(begin(server, code, session="s"))["result"]["content"]
            return [block["name"] for block in content if block["type"] == "resource_link"]
        assert names("open('a.txt', 'w').write('1')") == ["a.txt"]
        assert names("open('b.txt', 'w').write('1')") == ["b.txt"]
        assert names("print(open('a.txt').read())") == []


# --- ends -----------------------------------------------------------------------------------------

def a_cancelled_call_ends_its_process():
    with opened() as server:
        run(server, "print(1)")
        for more in ({}, {"session": "s"}):
            held = begin(server, BUSY, timeout_seconds=300, **more)
            pid = at_work(server)
            server.notify("notifications/cancelled", {"requestId": held})
            until(lambda: not alive(pid), "it computes on")
        found = run(server, "print(1)", session="s")
        assert found["stdout"] == "1\n" and GONE in found["message"], found


def tool_calls_end_with_the_call():
    with opened() as server:
        run(server, "print(1)")
        for ended, code in enumerate(("tools.sleep(3600)", "await _call_mcp_tool('sleep', {'seconds': 3600})"), 1):
            held = begin(server, code, timeout_seconds=300)
            until(lambda: server.text("slept", {}) == f"begun {ended}, closed {ended - 1}", "it is not called")
            server.notify("notifications/cancelled", {"requestId": held})
            until(lambda: server.text("slept", {}) == f"begun {ended}, closed {ended}", "the tool goes on")


def an_await_that_is_given_up_ends_its_call():
    with opened() as server:
        code = ("import asyncio\nsleeps = asyncio.ensure_future(_call_mcp_tool('sleep', {'seconds': 3600}))\n"
                "while (await _call_mcp_tool('slept', {}))['text'] != 'begun 1, closed 0': pass\nsleeps.cancel()\n"
                "while (await _call_mcp_tool('slept', {}))['text'] != 'begun 1, closed 1': pass")
        assert run(server, code)["status"] == "success"


def a_timeout_ends_its_calls():
    with opened() as server:
        found = run(server, "tools.sleep(3600)", timeout_seconds=1)
        assert "timeout" in found["message"], found
        until(lambda: server.text("slept", {}) == "begun 1, closed 1", "the tool goes on")


def a_killed_process_is_told():
    with opened() as server:
        run(server, "print(1)")
        held = begin(server, "print('so far', flush=True)\n" + BUSY, timeout_seconds=300)
        os.kill(at_work(server), signal.SIGKILL)
        answer = server.answer(held)
        assert answer["result"]["isError"] and answer["result"]["_meta"]["perigee/code"] == "GUEST_KILLED", answer
        assert members(answer)["stdout"] == "so far\n", answer


def nothing_outlives_the_engine():
    for number in (signal.SIGKILL, signal.SIGTERM):
        with opened() as server:
            run(server, "x = 1", session="s")
            begin(server, BUSY, timeout_seconds=300)
            at_work(server)
            left = interpreters(server)
            server.process.send_signal(number)
            until(lambda: not any(alive(pid) for pid in left), "code goes on without its engine")
            with contextlib.suppress(Exception):
                server.kill()


def nothing_is_left_of_a_run():
    with opened() as server:
        run(server, "print(1)")
        until(lambda: len(interpreters(server)) == 2, "no spare process")     # the fork server, and one that waits
        for code in ("print(1)", "1/0", "import os; os._exit(1)", BLOCKED, "import threading\nthreading.Thread(target=print).start()"):
            run(server, code, timeout_seconds=1)
            until(lambda: len(interpreters(server)) == 2, "a process is left")


for each in (variables_stay, an_exception_and_a_timeout_keep_them, each_loss_is_told_and_told_again,
             a_process_that_is_killed_between_two_runs_is_told, a_fork_server_that_is_killed_is_replaced, four_are_kept,
             a_session_runs_one_code_at_a_time, files_of_a_session_come_once, a_cancelled_call_ends_its_process,
             tool_calls_end_with_the_call, an_await_that_is_given_up_ends_its_call, a_timeout_ends_its_calls,
             a_killed_process_is_told, nothing_outlives_the_engine, nothing_is_left_of_a_run):
    tap.case(each.__name__, each)
tap.done()
