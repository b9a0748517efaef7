#!/usr/bin/env python3
"""perigee stop: every running engine of the user, on the desktop in memory."""

import contextlib
import ctypes
import fcntl
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import threading

from kit import FOLDER, PERIGEE, Running, done, environment, has, hasnt, perigee, same, soon, tap

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


def click(**env):
    return perigee("call", "create_input", "action=click", "x=1", "y=1", "--no-user-root", **dict(ENV, **env))


def refused(answer, *said):
    same(answer.code, 3, answer)
    has(answer.err, "the user stopped input", *said)


def under_way():
    """True if a process is acting: it locks this file meanwhile."""
    with contextlib.suppress(FileNotFoundError), open(RUNTIME / "fake.acts", "rb") as acts:
        try:
            fcntl.flock(acts, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def nothing_runs():
    answer = stop("--status")
    same((answer.code, answer.out), (0, "No perigee of this user is running.\n"))


def processes_that_are_started_later():
    """The stop reached only what was running: a call that was started afterwards clicked."""
    answer = stop()
    same(answer.code, 0)
    has(answer.out, "No perigee of this user is running.",
        "Input is refused on this desktop, also in processes that are started later, until `perigee stop --allow`.")
    for _ in range(2):
        refused(click(), "with `perigee stop` (process ", "Ask the user to allow it again with `perigee stop --allow`")
    for words in (("write_clipboard", "text=x"), ("clear_clipboard",)):
        refused(perigee("call", *words, "--no-user-root", **ENV))
    script = "for _, act in ipairs { function() return require('sys.app').open { name = 'x' } end, " \
             "function() return require('sys.window').focus { id = 1, pid = 1, started = 1 } end, " \
             "function() return require('sys.input').settle(0) end } do print((select(3, act()))) end"
    same(perigee("run", "-e", script, **ENV).out, "stopped\n" * 3)
    same(perigee("call", "list_displays", "--no-user-root", **ENV).code, 0)
    has(stop("--status").out, "fake: stopped with `perigee stop` (process ")
    row = json.loads(stop("--status", "--json").out)[0]
    same((row["pid"], row["desktop"], row["state"]), (None, "fake", "stopped"))
    has(row["by"], "`perigee stop` (process ")
    doctor = {c["id"]: c for c in json.loads(perigee("doctor", "--json", **ENV).out)["checks"]}["stop"]
    same(doctor["status"], "warning")
    has(doctor["text"], "the user stopped input with `perigee stop` (process ")
    with a_server() as running:
        failed(running.call("create_input", {"action": "click", "x": 1, "y": 1}), "stopped input with `perigee stop`")
        has(running.text("engine_status"), "the user stopped input with `perigee stop` (process ")
        has(stop("--status").out, "input is stopped")
        answer = stop("--allow")
        same(answer.code, 0)
        has(answer.out, "Input is allowed on this desktop.\n")
        has(running.text("create_input", {"action": "click", "x": 1, "y": 1}), "Clicked at 1,1.")
    same(click().code, 0)
    same(stop("--status").out, "No perigee of this user is running.\n")


def engines_that_nobody_told():
    """The file is the truth, in running engines, too: their sockets only make what is under way end at once."""
    with a_server() as running:
        sockets()[0].unlink()
        has(running.text("create_input", {"action": "click", "x": 1, "y": 1}), "Clicked at 1,1.")
        has(stop().out, "No perigee of this user is running.")
        failed(running.call("create_input", {"action": "click", "x": 1, "y": 1}), "stopped")
        stop("--allow")
        has(running.text("create_input", {"action": "click", "x": 1, "y": 1}), "Clicked at 1,1.")


def all_displays():
    same(stop("--all").code, 0)
    refused(click(), "`perigee stop --allow --all`")
    answer = stop("--allow")
    same(answer.code, 1)
    has(answer.err, "input is stopped on all displays", "perigee stop --allow --all")
    hasnt(answer.out, "is allowed")
    refused(click())
    has(stop("--status").out, "all displays: stopped with `perigee stop`")
    answer = stop("--allow", "--all")
    same(answer.code, 0)
    has(answer.out, "Input is allowed on all displays.\n")
    same(click().code, 0)


def a_file_that_cannot_be_written():
    """The command fails: it stops running processes, and says that it cannot stop later ones."""
    with a_server() as running:
        mark = RUNTIME / "fake.stop"
        mark.mkdir()
        try:
            answer = stop()
            same(answer.code, 1)
            has(answer.out, f"perigee serve (process {running.process.pid}): input stopped")
            hasnt(answer.out, "started later")
            has(answer.err, "only running processes are stopped, those that are started later are not: ", str(mark))
            failed(running.call("create_input", {"action": "click", "x": 1, "y": 1}), "stopped")
        finally:
            mark.rmdir()
        same(stop("--allow").code, 0)
        has(running.text("create_input", {"action": "click", "x": 1, "y": 1}), "Clicked at 1,1.")


def a_full_disk():
    """A file without room for its words stops all the same."""
    full = subprocess.run(["sh", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" stop", PERIGEE], env=environment(**ENV),
                          capture_output=True, text=True, check=False)
    same((full.returncode, full.stderr), (0, ""))
    same((RUNTIME / "fake.stop").stat().st_size, 0)
    refused(click(), "with `perigee stop`, 20")
    same(stop("--allow").code, 0)
    same(click().code, 0)


def a_mark_of_others():
    """The mark of an earlier run of the system, or one in a folder that others may enter, does not stop anything."""
    stop()
    mark = RUNTIME / "fake.stop"
    mark.write_text(re.sub("boot .*", "boot of-yesterday", mark.read_text()))
    same(click().code, 0)
    same(stop("--status").out, "No perigee of this user is running.\n")
    same(mark.exists(), False)
    stop()
    RUNTIME.chmod(0o777)
    same(click().code, 0)
    RUNTIME.chmod(0o700)
    refused(click())


def ends_what_is_under_way():
    with a_server() as running:
        pid = running.process.pid
        drag = running.post("tools/call", {"name": "create_input", "arguments": DRAG})
        soon(under_way, "a drag that is under way")
        has(stop().out, "1 action ended")
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
             "print((select(3, i.click(1, 1)))) while i.stopped() do t.sleep(0.005) end"
    runs = [Running("run", "-e", script, **ENV) for _ in range(2)]
    for run in runs:
        same(run.line(), "ready")
    with a_server():
        answer = stop()
        same(len(answer.out.splitlines()), 4, answer.out)
    for run in runs:
        same(run.line(), "stopped")
    stop("--allow")
    for run in runs:
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
    has(answer.err, f"process {running.process.pid} did not answer within 5 s; `kill {running.process.pid}` ends it")
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
    same(answer.code, 1)
    has(answer.err, f"{other} cannot be created, or is not a directory that only you can enter")
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
    one, two, three = ":7077", ":7078", ":7079"     # no server has these; a display's stop is the user's, not only this test's
    script = "print 'ready' require('sys.time').sleep(60)"
    runs = {name: Running("run", "-e", script, PERIGEE_RUNTIME_DIR=str(RUNTIME), DISPLAY=name) for name in (one + ".0", two)}
    for run in runs.values():
        same(run.line(), "ready")

    def ask(display, *words):
        return perigee("stop", *words, PERIGEE_RUNTIME_DIR=str(RUNTIME), DISPLAY=display)

    def engines(*words):
        return {e["desktop"]: e for e in json.loads(ask(three, "--status", "--json", *words).out) if e["pid"]}

    def states():
        return {place: e["state"] for place, e in engines().items()}

    try:
        answer = ask("unix" + one)
        has(answer.out, f"process {runs[one + '.0'].process.pid}): input stopped", "1 more acts on other desktops: add --all")
        same((answer.code, states()), (0, {"x11" + one: "stopped", "x11" + two: "allowed"}))
        # found whatever the environment says, and only on that display
        for env in ({}, {"XDG_RUNTIME_DIR": str(FOLDER)}, {"PERIGEE_RUNTIME_DIR": str(FOLDER / "elsewhere")}):
            refused(click(PERIGEE_DESKTOP="", DISPLAY=one, **env))
            has(click(PERIGEE_DESKTOP="", DISPLAY=two, **env).err, f"the X display \"{two}\" cannot be opened")
        reached = [e["reached"] for e in json.loads(ask(two, "--allow", "--json").out) if e["pid"] and e["desktop"] == "x11" + one]
        same(reached, [False])
        same(states(), {"x11" + one: "stopped", "x11" + two: "allowed"})
        has(ask(three).out, f"No perigee of this user acts on this desktop (x11{three}).", "2 more act on other desktops")
        # The word of one that acts on the desktop in memory: its file is in the tests' own folder.
        same(stop("--all").code, 0)
        same(states(), {"x11" + one: "stopped", "x11" + two: "stopped"})
        same(stop("--all", "--allow").code, 0)
        same(states(), {"x11" + one: "stopped", "x11" + two: "allowed"}, "the stop of the display stays")
    finally:
        for display in (one, two, three):
            same(ask(display, "--allow").code, 0)
    same(states(), {"x11" + one: "allowed", "x11" + two: "allowed"})
    for run in runs.values():
        run.signal(signal.SIGTERM)
        run.end()


def an_older_engine():
    """An older engine closes the connection at an unknown request, and names no desktop."""
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
        answer = perigee("stop", PERIGEE_RUNTIME_DIR=str(RUNTIME), DISPLAY=":7077")
        thread.join()
    path.unlink()
    perigee("stop", "--allow", PERIGEE_RUNTIME_DIR=str(RUNTIME), DISPLAY=":7077")
    has(answer.out, "perigee serve (process 4711): input stopped, 2 actions ended")
    same((answer.code, asked), (0, [b"stop x11:7077\n", b"stop\n"]))


def case(name, fn):
    """Runs the case and allows input again, so that a stop does not reach the next one."""
    def run():
        try:
            fn()
        finally:
            stop("--allow", "--all")
    tap.case(name, run)


def wrong_use():
    same(stop("now").code, 2)
    same(stop("--nonsense").code, 2)
    has(stop("--help").out, "usage: perigee stop")


case("says so when nothing runs", nothing_runs)
case("input of processes that are started later is refused as well", processes_that_are_started_later)
case("engines that were not told are stopped", engines_that_nobody_told)
case("stops all displays", all_displays)
case("says what it could not do", a_file_that_cannot_be_written)
case("stops on a full disk", a_full_disk)
case("a mark of an earlier run of the system stops nothing", a_mark_of_others)
case("ends the input that is under way, refuses what comes, and lets it through again", ends_what_is_under_way)
case("holds even if no input was under way", before_anything_was_sent)
case("an engine is found only when it listens", found_when_it_listens)
case("reaches several at once", several_at_once)
case("clears away what a killed one left", what_a_killed_one_left)
case("names one that hangs, and fails", one_that_hangs)
case("trusts no folder that others may write to", a_folder_of_others)
case("nonsense and silence harm nobody", nonsense_and_silence)
case("leaves the engines of other displays alone", of_other_displays)
case("stops an older engine", an_older_engine)
case("refuses wrong words", wrong_use)

done()
