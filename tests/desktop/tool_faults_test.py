#!/usr/bin/env python3
"""Faults under the desktop's tools: windows and programs that vanish or hang, displays that go away."""

import contextlib
import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops  # noqa: E402
import server as servers    # noqa: E402
import tap                  # noqa: E402
import xclient              # noqa: E402
from tap import Failure     # noqa: E402
from tools import OURS, Tools, bare_client, has, run, same, until  # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xterm")
TRIES = 5       # for a call to be given the processor in time


def closed_in_between(tools, desktop):
    with bare_client(tools, desktop) as client:
        window = client.window("short lived")
        name = until(lambda: tools("list_windows", parent=OURS)["windows"], "the window")[0]["name"]
        client.destroy(window)
        for verb in ("focus_window", "minimize_window", "restore_window", "maximize_window", "close_window", "get_window"):
            has(tools.fails("WINDOW_NOT_FOUND", verb, name=name), f"{name} no longer exists. Call list_windows")
        has(tools.fails("WINDOW_NOT_FOUND", "capture_window_screenshot", window=name), f"{name} no longer exists")
        tools.fails("WINDOW_NOT_FOUND", "move_window", name=name, x=1, y=1)
        tools.fails("WINDOW_NOT_FOUND", "resize_window", name=name, width=100, height=100)


@contextlib.contextmanager
def stubborn(tools, desktop, title):
    """(its process, its window) of a program that does not close, and says when it is asked to."""
    with subprocess.Popen([sys.executable, xclient.__file__, title], env=desktop.env, stdout=subprocess.PIPE) as process:
        try:
            name = f"applications/{process.pid}"
            listed = until(lambda: [w for w in tools("list_windows")["windows"] if w["application"] == name and
                                    w["on_screen"]], title)
            yield process, listed[0]["name"]
        finally:
            process.kill()


def killed_when_asked(tools, desktop, tool, name_of):
    """The structured result of a call under which the application is killed."""
    with stubborn(tools, desktop, "to be killed") as (process, window):
        name = name_of(window)
        waiting = tools.server.post("tools/call", {"name": tool, "arguments": {"name": name}})
        same(process.stdout.readline(), b"asked\n")
        process.kill()
        result = tools.server.answer(waiting)["result"]
        same(result.get("isError", False), False, str(result))
        process.wait()
        tools.fails("WINDOW_NOT_FOUND", "get_window", name=window)
        tools.fails("APP_NOT_FOUND", "get_application", name=window.partition("/windows/")[0])
        return result["structuredContent"]


def killed_while_it_is_asked_to_quit(tools, desktop):
    same(killed_when_asked(tools, desktop, "quit_application", lambda w: w.partition("/windows/")[0])["done"], True)


def killed_while_its_window_closes(tools, desktop):
    same(killed_when_asked(tools, desktop, "close_window", lambda w: w)["gone"], True)


def killed_while_it_starts(tools, desktop):
    """A program that ends by a signal before it shows anything."""
    script = desktop.folder / "dies"
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    script.chmod(0o755)
    result = tools("open_application", name=str(script), wait=20)
    same((result["ended"], "window" in result), (True, False))
    has(result["note"], "exited without showing a window")


def one_hangs_others_answer(tools, _desktop):
    _, hung, pid = tools.xterm("hangs")
    name, other, _ = tools.xterm("answers")
    try:
        os.kill(pid, signal.SIGSTOP)
        waiting = None
        for verb, arguments in (("list_windows", {}), ("focus_window", {"name": other}), ("list_applications", {}),
                                ("move_window", {"name": other, "x": 30, "y": 40}), ("list_displays", {}),
                                ("get_window", {"name": hung})):
            for _ in range(TRIES):
                if waiting is None or tools.server.has_answered(waiting):
                    waiting = tools.server.post("tools/call", {"name": "close_window", "arguments": {"name": hung}})
                tools(verb, **arguments)
                if not tools.server.has_answered(waiting):
                    break
            else:
                raise Failure(f"{verb} waited for a window that hung")
        result = tools.server.answer(waiting)["result"]["structuredContent"]
        same((result["done"], result["gone"]), (False, False))
        has(result["note"], "may hang")
    finally:
        os.kill(pid, signal.SIGCONT)
    until(lambda: tools.result("get_window", name=hung).get("isError"), "the end of the one that hung")
    tools("quit_application", name=name, force=True)


def a_session_bus_that_hangs_costs_one_opening(_tools, desktop):
    """It is asked to switch accessibility on; each opening waited two seconds for its answer."""
    log, folder = desktop.folder / "hung-bus.log", desktop.folder
    with subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={folder}/hung-bus",
                           "--print-address=1"], stdout=subprocess.PIPE, text=True) as bus:
        try:
            env = dict(desktop.env, DBUS_SESSION_BUS_ADDRESS=bus.stdout.readline().strip(), PERIGEE_LOG_LEVEL="debug",
                       PERIGEE_LOG_FILE=str(log))
            bus.send_signal(signal.SIGSTOP)
            with contextlib.closing(Tools(env)) as tools:
                for title in ("on a hung bus", "on the same"):
                    name, _, _ = tools.xterm(title)
                    same(log.read_text().count("started without accessibility"), 1, title)
                    tools("quit_application", name=name, force=True)
        finally:
            bus.kill()


def questions_do_not_stand_behind_waiting(tools, desktop):
    """Six programs that show no window, each waited for; more of them than a lane has threads for questions."""
    over, script = desktop.folder / "over", desktop.folder / "windowless"
    script.write_text(f"#!/bin/sh\nwhile [ ! -e '{over}' ]; do sleep 0.1; done\n")
    script.chmod(0o755)
    waiting = [tools.server.post("tools/call", {"name": "open_application", "arguments": {
        "name": str(script), "new": True, "wait": 60}}) for _ in range(6)]
    name, window, _ = tools.xterm("meanwhile")
    for verb, arguments in (("list_windows", {}), ("get_window", {"name": window}), ("focus_window", {"name": window})):
        tools(verb, **arguments)
        same([request for request in waiting if tools.server.has_answered(request)], [], f"answered before {verb}")
    tools("quit_application", name=name, force=True)
    over.touch()
    for request in waiting:
        opened = tools.server.answer(request)["result"]["structuredContent"]
        same(("window" in opened, opened["ended"]), (False, True))


def force_ends_one_that_hangs(tools, _desktop):
    name, _, pid = tools.xterm("hangs for ever")
    os.kill(pid, signal.SIGSTOP)
    result = tools("quit_application", name=name)
    same(result["done"], False)
    same("window" in result, False, "a window to answer in")
    has(result["note"], "it does not respond")
    text = tools.text("quit_application", name=name)
    has(text, "force=true")
    same("nswer" in text, False, f"{text!r} asks for an answer that cannot be given")
    result = tools("quit_application", name=name, force=True)
    same((result["done"], result["forced"]), (True, True))


def one_hangs_and_has_locked_the_server(tools, desktop):
    """One that stops inside XGrabServer(): the server answers nobody else until it goes on or ends."""
    name, window, _ = tools.xterm("beside it")
    calls = [("list_windows", {}, "Try again"), ("capture_screenshot", {}, "Try again"),
             ("get_clipboard", {}, "Try again"),
             ("focus_window", {"name": window}, "Whether this was done is unknown"),
             ("create_input", {"action": "click", "x": 5, "y": 5}, "Whether this was done is unknown")]
    with xclient.Client(desktop.env["DISPLAY"]) as client:
        with client.locked_server():
            waiting = [tools.server.post("tools/call", {"name": tool, "arguments": arguments})
                       for tool, arguments, _ in calls]
            results = [tools.server.answer(request)["result"] for request in waiting]
        for result, (tool, _, part) in zip(results, calls):
            same(result["_meta"]["perigee/code"], "TIMEOUT", tool)
            has(result["content"][0]["text"], "an application that hangs has locked it")
            has(result["content"][0]["text"], part)
    for tool, arguments, _ in calls:
        same(tools.result(tool, **arguments).get("isError", False), False, tool)
    tools("quit_application", name=name, force=True)


def a_cancelled_call_ends(tools, desktop):
    with stubborn(tools, desktop, "cancelled") as (process, window):
        waiting = tools.server.post("tools/call", {"name": "close_window", "arguments": {"name": window}})
        same(process.stdout.readline(), b"asked\n")
        tools.server.notify("notifications/cancelled", {"requestId": waiting, "reason": "changed my mind"})
        tools("list_windows")
        same(tools("get_window", name=window)["title"], "cancelled")
        same(tools("close_window", name=window)["done"], False)
        same(tools.server.has_answered(waiting), False, "an answer to the call that was cancelled")


def a_crash_lets_go_of_keys(tools, desktop):
    """The process ends by the signal of a fault; with a sanitizer by SIGABRT, because it reports SIGSEGV."""
    script = 'require("sys.input").key_down("ctrl+shift") print("held") require("sys.time").sleep(600)'
    with bare_client(tools, desktop) as client:
        for number in (signal.SIGABRT,) if os.environ.get("PERIGEE_ASAN") else (signal.SIGSEGV, signal.SIGABRT):
            with subprocess.Popen([servers.PERIGEE, "run", "--no-user-root", "-e", script], env=desktop.env,
                                  stdout=subprocess.PIPE) as crashing:
                try:
                    same(crashing.stdout.readline(), b"held\n")
                    same(client.keys_down(), 2)
                    crashing.send_signal(number)
                    same(crashing.wait(30), -number)
                    same(client.keys_down(), 0)
                finally:
                    crashing.kill()


# --- displays that are not there -----------------------------------------------------------

def no_display(_tools, desktop):
    for value, part in (("", "DISPLAY"), (":7654", ':7654')):
        env = dict(desktop.env, DISPLAY=value)
        with contextlib.closing(Tools(env)) as tools:
            text = tools.fails("NO_DISPLAY", "list_windows")
            has(text, part)
            has(tools.fails("NO_DISPLAY", "open_application", name="xterm"), "DISPLAY")
            tools.fails("NO_DISPLAY", "list_displays")
            same(tools.result("engine_status").get("isError", False), False)
            tap.note(text)


def no_display_names_the_fix_for_the_client(_tools, desktop):
    for client, part in (("claude-ai", "Run `perigee install claude-desktop`"), ("cursor-vscode", "perigee install cursor"),
                         ("Odd", 'Odd did not pass DISPLAY on. Add DISPLAY to this server\'s "env"')):
        with servers.perigee("--no-user-root", "--root", servers.TRUSTING, env=dict(desktop.env, DISPLAY="")) as server:
            server.initialize(client=client)
            for tool in ("list_windows", "image", "capture_screenshot"):
                has(server.call(tool, {})["result"]["content"][0]["text"], part)


def a_client_that_hands_no_display_on(_tools, desktop):
    # As clients do it: they have DISPLAY, and the server that they start does not.
    env = dict(desktop.env, OTHER=servers.PERIGEE)
    start = 'env -u DISPLAY -u DBUS_SESSION_BUS_ADDRESS "$OTHER" call --no-user-root '
    status = json.loads(subprocess.check_output(["sh", "-c", start + "engine_status; exit $?"], env=env))
    same(status["display"]["name"], desktop.env["DISPLAY"])
    has(status["display"]["from"], "(sh)")
    said = subprocess.run(["sh", "-c", start + "-v list_displays; exit $?"], env=env, capture_output=True, text=True, check=True)
    has(said.stderr, f"DISPLAY is not set: using {desktop.env['DISPLAY']}, the display of process")
    has(said.stdout, "displays/")


def wrong_kind_of_desktop(_tools, desktop):
    with contextlib.closing(Tools(dict(desktop.env, PERIGEE_DESKTOP="wayland"))) as tools:
        has(tools.fails("BAD_DESKTOP", "list_windows"), '"wayland". Set PERIGEE_DESKTOP to one of x11, fake')
    with contextlib.closing(Tools(dict(desktop.env, PERIGEE_DESKTOP="fake", DISPLAY=""))) as tools:
        same(tools("list_windows")["windows"][0]["title"], "draft.txt")


def the_server_dies_and_comes_back(_tools, _desktop):
    with desktops.Desktop(display=desktops.far_display()) as mine, contextlib.closing(Tools(mine.env)) as tools:
        same(len(tools("list_displays")["displays"]), 1)
        display = mine.servers[0]
        os.kill(display.pid, signal.SIGKILL)
        display.wait()
        codes = set()
        for verb in ("list_windows", "list_displays", "list_applications"):
            result = tools.result(verb)
            same(result.get("isError"), True, verb)
            codes.add(result["_meta"]["perigee/code"])
        if not codes <= {"DISPLAY_LOST", "NO_DISPLAY"}:
            raise Failure(f"codes {codes}")
        number = mine.env["DISPLAY"]
        with desktops.ready_pipe() as (reader, writer):
            again = mine._launch(["Xvfb", number, "-displayfd", str(writer), "-screen", "0", "1024x768x24", "-nolisten",
                                  "tcp", "-noreset", "-fbdir", str(mine.folder / "fb")], pass_fds=(writer,))
            os.close(writer)
            desktops.read_ready_line(reader, again, "Xvfb")
        same(tools("list_displays")["displays"][0]["bounds"]["width"], 1024)
        same(tools("list_windows")["windows"], [])
        mine._start_openbox()
        name, window, _ = tools.xterm("on the new one")
        same(tools("move_window", name=window, x=50, y=60)["done"], True)
        tools("quit_application", name=name, force=True)
        same(tools.server.faults, [])


CASES = [
    ("a window closed between list and act is WINDOW_NOT_FOUND", closed_in_between),
    ("an application killed while it is asked to quit has quit", killed_while_it_is_asked_to_quit),
    ("an application killed while its window is closed: it is gone", killed_while_its_window_closes),
    ("a program killed while it starts is told as ended", killed_while_it_starts),
    ("one application hangs, calls to others answer in time", one_hangs_others_answer),
    ("a session bus that hangs costs one opening its time, not each", a_session_bus_that_hangs_costs_one_opening),
    ("questions do not stand behind programs that are waited for", questions_do_not_stand_behind_waiting),
    ("force ends an application that hangs", force_ends_one_that_hangs),
    ("an application that hangs and has locked the server", one_hangs_and_has_locked_the_server),
    ("a cancelled call leaves the rest alone", a_cancelled_call_ends),
    ("a crash lets go of keys that are held down", a_crash_lets_go_of_keys),
    ("no display and a wrong one: an error that says what to do", no_display),
    ("no display: the error names the fix for the client in use", no_display_names_the_fix_for_the_client),
    ("a client that hands no DISPLAY on: its own is taken", a_client_that_hands_no_display_on),
    ("PERIGEE_DESKTOP takes the desktop in memory, or is refused", wrong_kind_of_desktop),
    ("the display server dies and comes back: the tools live on", the_server_dies_and_comes_back),
]


if __name__ == "__main__":
    run(CASES, NEEDED)
