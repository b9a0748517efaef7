#!/usr/bin/env python3
"""The stop and holds between processes that share nothing but the display and the user: other environments, processes
that are started later, and such as are killed. What a window gets tells what went through."""

import contextlib
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import server as servers    # noqa: E402
from tools import PATIENCE, Tools, has, run, same, until  # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xev", "xdotool")
HOLD = """local desktop, process = require "sys.desktop", require "sys.process"
print((desktop.hold(function()
  print "holds"
  process.run { "cat", "%s" }
  return "answered"
end)))"""


class Xev:
    """A window of xev, and the events that it printed."""

    def __init__(self, desktop, title):
        self.path = desktop.folder / f"{title}.events"
        self.desktop = desktop
        with open(self.path, "wb") as out:
            self.process = subprocess.Popen(["xev", "-name", title, "-geometry", "400x300+100+100"], env=desktop.env, stdout=out)
        with contextlib.closing(Tools(desktop.env)) as tools:
            frame = until(lambda: [w for w in tools("list_windows")["windows"] if w["title"] == title], title)[0]["bounds"]
        self.x, self.y = frame["x"] + 150, frame["y"] + 150

    def presses(self, button):
        return len(re.findall(rf"ButtonPress event.*\n.*\n.* button {button},", self.path.read_text(errors="replace")))

    def clicks(self):
        return self.presses(1)

    def barrier(self):
        """The clicks that arrived before one with another button, which another program does now."""
        seen = self.presses(2)
        subprocess.run(["xdotool", "mousemove", str(self.x), str(self.y), "click", "2"], env=self.desktop.env, check=True)
        until(lambda: self.presses(2) > seen, "a click of another program")
        return self.clicks()

    def close(self):
        self.process.kill()
        self.process.wait()


def perigee(desktop, *words, **env):
    return subprocess.run([servers.PERIGEE, *words], env=dict(desktop.env, **env), capture_output=True, text=True, check=False,
                          timeout=2 * PATIENCE, stdin=subprocess.DEVNULL)


def click(desktop, xev, **env):
    return perigee(desktop, "call", "create_input", "action=click", f"x={xev.x}", f"y={xev.y}", "--no-user-root", **env)


def stop(desktop, *words, **env):
    """`perigee stop`, again while a process has not answered: a busy machine may leave it no time."""
    while True:
        done = perigee(desktop, "stop", *words, **env)
        if "did not answer within" not in done.stderr:
            return done


def environments(desktop):
    """Returns variables by which a user's processes differ: a terminal of the session, ssh, a unit of systemd, a test bed."""
    elsewhere = desktop.folder / "elsewhere"
    elsewhere.mkdir(mode=0o700, exist_ok=True)
    return [{}, {"XDG_RUNTIME_DIR": ""}, {"XDG_RUNTIME_DIR": str(elsewhere)}, {"PERIGEE_RUNTIME_DIR": str(elsewhere)},
            {"PERIGEE_RUNTIME_DIR": "", "XDG_RUNTIME_DIR": ""}]


def stopped_before_it_starts(tools, desktop):
    """A call that was started after `perigee stop` clicked."""
    with contextlib.closing(Xev(desktop, "later")) as xev:
        for number, env in enumerate(environments(desktop)):
            others = environments(desktop)
            done = stop(desktop, **env)
            same((done.returncode, done.stderr), (0, ""))
            refused = click(desktop, xev, **others[-1 - number])
            same(refused.returncode, 3, refused.stdout + refused.stderr)
            has(refused.stderr, "the user stopped input with `perigee stop` (process ")
            has(tools.fails("INPUT_STOPPED", "create_input", action="click", x=xev.x, y=xev.y), "perigee stop --allow")
            tools.fails("INPUT_STOPPED", "write_clipboard", text="x")
            window = [w for w in tools("list_windows")["windows"] if w["title"] == "later"][0]
            tools.fails("INPUT_STOPPED", "minimize_window", name=window["name"])
            has(tools("engine_status")["stopped"], "the user stopped input with `perigee stop` (process ")
            same(xev.barrier(), number, "clicks in the window")
            done = stop(desktop, "--allow", **others[-1 - number])
            same((done.returncode, done.stderr), (0, ""))
            done = click(desktop, xev, **env)
            same((done.returncode, done.stderr), (0, ""))
            until(lambda wanted=number + 1: xev.clicks() == wanted, "the click that is allowed")
        same([w["title"] for w in tools("list_windows")["windows"] if w.get("minimized")], [])


def stopped_at_the_keyboard(_tools, desktop):
    """Ctrl+Alt+Esc stopped only those that listened."""
    with contextlib.closing(Xev(desktop, "keyboard")) as xev, contextlib.closing(Tools(desktop.env)) as own:
        own("create_input", action="move", x=xev.x, y=xev.y)       # from its first action on it listens
        subprocess.run(["xdotool", "key", "ctrl+alt+Escape"], env=desktop.env, check=True)
        try:
            until(lambda: "stopped with Ctrl+Alt+Esc" in perigee(desktop, "stop", "--status").stdout, "the stop")
            same(click(desktop, xev).returncode, 3)
            own.fails("INPUT_STOPPED", "create_input", action="click", x=xev.x, y=xev.y)
            same(xev.barrier(), 0)
        finally:
            same(stop(desktop, "--allow").returncode, 0)
        own("create_input", action="click", x=xev.x, y=xev.y)
        same(click(desktop, xev).returncode, 0)
        until(lambda: xev.clicks() == 2, "the clicks that are allowed")


class Holder:
    """Another process with a question to the user: a program that ends when there is an answer."""

    def __init__(self, desktop, **env):
        self.question = desktop.folder / "question"
        if not self.question.exists():
            os.mkfifo(self.question, 0o600)
        self.process = subprocess.Popen([servers.PERIGEE, "run", "-e", HOLD % self.question], env=dict(desktop.env, **env),
                                        stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        same(self.process.stdout.readline(), "holds\n")

    def answer(self):
        self.question.write_text("yes\n")
        same((self.process.stdout.read(), self.process.wait(PATIENCE)), ("answered\n", 0))

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def waits_for_an_answer(tools, desktop):
    with contextlib.closing(Xev(desktop, "asked")) as xev:
        for env in environments(desktop):
            before = xev.clicks()
            with contextlib.closing(Holder(desktop, **env)) as holder:
                posted = tools.server.post("tools/call", {"name": "create_input",
                                                          "arguments": {"action": "click", "x": xev.x, "y": xev.y}})
                later = subprocess.Popen([servers.PERIGEE, "call", "create_input", "action=click", f"x={xev.x}", f"y={xev.y}",
                                          "--no-user-root"], env=desktop.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                tools("list_windows")
                same(perigee(desktop, "call", "list_windows", "--no-user-root").returncode, 0)
                same(xev.barrier(), before, "clicks while the question is open")
                same(later.poll(), None, "a call that was started during the question")
                holder.answer()
            same(tools.server.answer(posted)["result"].get("isError"), None)
            same(later.wait(PATIENCE), 0)
            until(lambda wanted=before + 2: xev.clicks() == wanted, "the clicks after the answer")


CLICKS = 150


def clicks_at_once(_tools, desktop):
    """The X server drops the press of a button that is down: a click between the halves of another one was lost."""
    script = f"for _ = 1, {CLICKS} do assert(require('sys.input').click(%d, %d)) end"
    with contextlib.closing(Xev(desktop, "at once")) as xev:
        both = [subprocess.Popen([servers.PERIGEE, "run", "-e", script % (xev.x, xev.y)], env=desktop.env,
                                 stdin=subprocess.DEVNULL) for _ in range(3)]
        same([each.wait(PATIENCE) for each in both], [0, 0, 0])
        before = xev.barrier()
        same(before, 3 * CLICKS, "clicks that arrived")


def holder_killed(tools, desktop):
    with contextlib.closing(Xev(desktop, "killed")) as xev, contextlib.closing(Holder(desktop)) as holder:
        posted = tools.server.post("tools/call", {"name": "create_input",
                                                  "arguments": {"action": "click", "x": xev.x, "y": xev.y}})
        tools("list_windows")
        same(xev.barrier(), 0)
        holder.process.send_signal(signal.SIGKILL)      # and nobody asks how it ended: a zombie holds nothing
        same(tools.server.answer(posted)["result"].get("isError"), None)
        until(lambda: xev.clicks() == 1, "the click")


def no_answer_in_time(tools, desktop):
    """The call ends at its own time limit, and says what it waited for."""
    script = f"print(select(2, require('sys.input').click(%d, %d, {{ timeout = 0.2 }})))"
    with contextlib.closing(Xev(desktop, "late")) as xev, contextlib.closing(Holder(desktop)) as holder:
        done = perigee(desktop, "run", "-e", script % (xev.x, xev.y))
        has(done.stdout, "a question to the user is open on this display, so nothing was done")
        has(done.stdout, "\theld\t")
        holder.answer()
        same(xev.barrier(), 0)
    tools("create_input", action="move", x=5, y=5)


def stopped_while_it_waits(tools, desktop):
    with contextlib.closing(Xev(desktop, "both")) as xev, contextlib.closing(Holder(desktop)) as holder:
        posted = tools.server.post("tools/call", {"name": "create_input",
                                                  "arguments": {"action": "click", "x": xev.x, "y": xev.y}})
        tools("list_windows")
        try:
            stop(desktop, PERIGEE_RUNTIME_DIR=tools.runtime)
            same(tools.server.answer(posted)["result"]["_meta"]["perigee/code"], "INPUT_STOPPED")
            holder.answer()
            same(xev.barrier(), 0)
        finally:
            same(stop(desktop, "--allow", PERIGEE_RUNTIME_DIR=tools.runtime).returncode, 0)


CASES = [
    ("a process that is started after a stop does nothing, whatever its environment", stopped_before_it_starts),
    ("Ctrl+Alt+Esc stops even processes that are started later", stopped_at_the_keyboard),
    ("clicks of all processes wait for the answer to a question, and then happen", waits_for_an_answer),
    ("clicks of several processes at the same time are all there", clicks_at_once),
    ("a holder that is killed holds nothing", holder_killed),
    ("a click that waits too long for an answer fails and does nothing", no_answer_in_time),
    ("a stop ends clicks that wait for an answer", stopped_while_it_waits),
]


def session(desktop):
    runtime = str(desktop.folder / "run" / "perigee-test")
    tools = Tools(dict(desktop.env, PERIGEE_RUNTIME_DIR=runtime))
    tools.runtime = runtime
    return tools


if __name__ == "__main__":
    run(CASES, NEEDED, session)
