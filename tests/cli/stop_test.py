#!/usr/bin/env python3
"""perigee stop: every running engine of the user, on the desktop in memory."""

import ctypes
import json
import os
import pathlib
import signal
import socket
import struct
import sys
import threading

from kit import FOLDER, Running, done, has, perigee, same, soon, tap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import server  # noqa: E402

RUNTIME = FOLDER / "runtime"
ENV = {"PERIGEE_RUNTIME_DIR": str(RUNTIME), "PERIGEE_DESKTOP": "fake"}
DRAG = {"action": "drag", "x": 10, "y": 10, "to_x": 500, "to_y": 300, "duration": 60}


def stop(*words):
    return perigee("stop", *words, **ENV)


def failed(answer, *said):
    same(answer["result"].get("isError"), True, f"isError of {answer}")
    has(answer["result"]["content"][0]["text"], *said)


def sockets():
    return sorted(RUNTIME.glob("*.sock")) if RUNTIME.exists() else []


def a_server():
    running = server.perigee("--no-user-root", env=ENV)
    running.initialize()
    soon(lambda: RUNTIME / f"{running.process.pid}.sock" in sockets(), "a socket")
    return running


def nothing_runs():
    answer = stop()
    same(answer.code, 0)
    has(answer.out, "No perigee of this user is running.")


def ends_what_is_under_way():
    with a_server() as running:
        pid = running.process.pid
        drag = running.post("tools/call", {"name": "create_input", "arguments": DRAG})
        soon(lambda: "1 action ended" in stop().out, "a drag that was under way")
        failed(running.answer(drag), "stopped")
        failed(running.call("create_input", {"action": "click", "x": 1, "y": 1}), "stopped", "perigee stop --allow")
        has(stop("--status").out, f"perigee serve (process {pid}, fake): input is stopped")
        has(running.text("list_displays"), "displays/")
        answer = stop("--allow")
        same(answer.code, 0)
        has(answer.out, f"perigee serve (process {pid}): input is allowed")
        has(running.text("create_input", {"action": "click", "x": 1, "y": 1}), "Clicked at 1,1.")
    soon(lambda: sockets() == [], "the socket to go with the server")


def before_anything_was_sent():
    with a_server() as running:
        has(stop().out, "input stopped, nothing was under way")
        failed(running.call("create_input", {"action": "click", "x": 1, "y": 1}), "stopped")


def found_when_it_listens():
    """A socket that had its name before it listened was taken for a dead process's and removed."""
    if not hasattr(libc := ctypes.CDLL(None, use_errno=True), "inotify_init"):
        raise tap.Skip("needs inotify")
    created, moved = 0x100, 0x80
    watch = libc.inotify_init()
    RUNTIME.mkdir(mode=0o700, exist_ok=True)
    libc.inotify_add_watch(watch, os.fsencode(RUNTIME), created | moved)
    with a_server() as running:
        name = f"{running.process.pid}.sock".encode()
        events, seen = os.read(watch, 65536), []
        while events:
            mask, size = struct.unpack_from("4xI4xI", events)
            if events[16:16 + size].rstrip(b"\0") == name:
                seen.append(mask)
            events = events[16 + size:]
        same(seen, [moved], "how the socket got its name")
    os.close(watch)


def several_at_once():
    script = "local i, t = require 'sys.input', require 'sys.time' print 'ready' while not i.stopped() do t.sleep(0.005) end " \
             "print((select(3, i.click(1, 1))))"
    runs = [Running("run", "-e", script, **ENV) for _ in range(2)]
    for run in runs:
        same(run.line(), "ready")
    with a_server():
        answer = stop()
        same(len(answer.out.splitlines()), 4, answer.out)
    for run in runs:
        same(run.line(), "stopped")
        same(run.end().code, 0)


def what_a_killed_one_left():
    running = Running("run", "-e", "print 'ready' require('sys.time').sleep(60)", **ENV)
    same(running.line(), "ready")
    running.signal(signal.SIGKILL)
    running.end()
    same(len(sockets()), 1)
    has(stop().out, "No perigee of this user is running.")
    same(sockets(), [])


def one_that_hangs():
    running = Running("run", "-e", "print 'ready' require('sys.time').sleep(60)", **ENV)
    same(running.line(), "ready")
    running.signal(signal.SIGSTOP)
    answer = stop()
    same(answer.code, 1)
    has(answer.err, f"process {running.process.pid} did not answer within 2 s; `kill {running.process.pid}` ends it")
    running.signal(signal.SIGCONT)
    running.signal(signal.SIGTERM)
    running.end()


def a_folder_of_others():
    other = FOLDER / "open"
    other.mkdir()
    other.chmod(0o777)
    fake = socket.socket(socket.AF_UNIX)
    fake.bind(str(other / "1.sock"))
    fake.listen()
    answer = perigee("stop", **dict(ENV, PERIGEE_RUNTIME_DIR=str(other)))
    has(answer.out, "No perigee of this user is running.")
    same(pathlib.Path(other / "1.sock").exists(), True)
    fake.close()


def nonsense_and_silence():
    with a_server() as running:
        path = str(sockets()[0])
        callers = []
        for _ in range(20):
            callers.append(socket.socket(socket.AF_UNIX))
            callers[-1].connect(path)
        for text in (b"nonsense\n", b"x" * 5000, b"\0\n"):
            with socket.socket(socket.AF_UNIX) as caller:
                caller.connect(path)
                caller.settimeout(10)
                caller.sendall(text)
                try:
                    same(caller.recv(10), b"")
                except ConnectionResetError:
                    pass
        has(stop("--status").out, "input is allowed")
        for caller in callers:
            caller.close()
        has(running.text("list_displays"), "displays/")


def of_other_displays():
    """Two test beds of one user stopped each other's engines."""
    script = "print 'ready' require('sys.time').sleep(60)"
    runs = {name: Running("run", "-e", script, PERIGEE_RUNTIME_DIR=str(RUNTIME), DISPLAY=name) for name in (":77.0", ":78")}
    for run in runs.values():
        same(run.line(), "ready")

    def ask(display, *words):
        return perigee("stop", *words, PERIGEE_RUNTIME_DIR=str(RUNTIME), DISPLAY=display)

    def states():
        return {e["desktop"]: e["state"] for e in json.loads(ask("", "--status", "--json").out)}

    answer = ask("unix:77")
    has(answer.out, f"process {runs[':77.0'].process.pid}): input stopped", "1 more acts on other desktops: add --all")
    same((answer.code, states()), (0, {"x11:77": "stopped", "x11:78": "allowed"}))
    same([e["reached"] for e in json.loads(ask(":78", "--allow", "--json").out) if e["desktop"] == "x11:77"], [False])
    same(states(), {"x11:77": "stopped", "x11:78": "allowed"})
    has(ask(":79").out, "No perigee of this user acts on this desktop (x11:79).", "2 more act on other desktops")
    ask(":79", "--all")
    same(states(), {"x11:77": "stopped", "x11:78": "stopped"})
    ask("", "--allow")
    same(states(), {"x11:77": "allowed", "x11:78": "allowed"}, "without a display all are meant")
    for run in runs.values():
        run.signal(signal.SIGTERM)
        run.end()


def an_older_engine():
    """It hangs up on what it does not know, and names no desktop."""
    RUNTIME.mkdir(mode=0o700, exist_ok=True)
    path, asked = RUNTIME / "4711.sock", []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve():
            for _ in range(2):
                caller = listener.accept()[0]
                asked.append(caller.recv(100))
                if asked[-1] == b"stop\n":
                    caller.sendall(b"stopped 2 serve\n")
                caller.close()
        thread = threading.Thread(target=serve)
        thread.start()
        answer = perigee("stop", PERIGEE_RUNTIME_DIR=str(RUNTIME), DISPLAY=":77")
        thread.join()
    path.unlink()
    has(answer.out, "perigee serve (process 4711): input stopped, 2 actions ended")
    same((answer.code, asked), (0, [b"stop x11:77\n", b"stop\n"]))


def wrong_use():
    same(stop("now").code, 2)
    same(stop("--nonsense").code, 2)
    has(stop("--help").out, "usage: perigee stop")


tap.case("says so when nothing runs", nothing_runs)
tap.case("ends what is under way, refuses what comes, and lets it through again", ends_what_is_under_way)
tap.case("counts before anything was sent", before_anything_was_sent)
tap.case("an engine is found only when it listens", found_when_it_listens)
tap.case("reaches several at once", several_at_once)
tap.case("clears away what a killed one left", what_a_killed_one_left)
tap.case("names one that hangs, and fails", one_that_hangs)
tap.case("trusts no folder that others may write to", a_folder_of_others)
tap.case("nonsense and silence harm nobody", nonsense_and_silence)
tap.case("leaves the engines of other displays alone", of_other_displays)
tap.case("stops an older engine", an_older_engine)
tap.case("refuses wrong words", wrong_use)

done()
