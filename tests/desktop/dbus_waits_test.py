#!/usr/bin/env python3
"""Calls over D-Bus whose effect comes after the answer: call_dbus waits for the program's signal, and reads once for each. The
number of reads tells that it does not ask over and over."""

import contextlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tools import PATIENCE, Tools, has, run, same, until     # noqa: E402

LIB = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
SINGLE = f"{sys.executable} {LIB}/single_instance.py"


class Late:
    """The double; done() are the calls of one property or action that reached it since the last look."""

    def __init__(self, desktop):
        self.process = subprocess.Popen(["/usr/bin/python3", f"{LIB}/dbus_late.py", "org.perigee.Late"], env=desktop.env,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        same(self.process.stdout.readline(), "ready\n")
        self.marks = 0

    def done(self, tools, name):
        self.marks += 1
        mark, found = f"mark {self.marks}", []
        call(tools, "Echo", args=[mark])
        for line in self.process.stdout:
            if mark in line:
                return found
            if name in line.split():
                found.append(line.split()[0])
        raise AssertionError("the double ended")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def late(desktop):
    return contextlib.closing(Late(desktop))


def call(tools, method, **more):
    return tools("call_dbus", app="org.perigee.Late", method=method, **more)


def properties(tools, desktop):
    """One read before, one at once, one after each signal; without a signal the last one when the time is up."""
    with late(desktop) as double:
        for name, reads in (("Told", 2), ("Untold", 2), ("Early", 1), ("Invalidated", 2), ("Twice", 3), ("Amid", 2)):
            done = call(tools, name, args=["two"])
            same([done["effect"], done["before"], done["after"], done.get("note")], ["changed", "one", "two", None], name)
            same(double.done(tools, name), ["get", "set"] + ["get"] * reads, name)


def actions(tools, desktop):
    with late(desktop) as double:
        for name in ("told", "untold"):
            done = call(tools, name)
            same([done["effect"], done["before"], done["after"]], ["changed", False, True], name)
            same(double.done(tools, name), ["Describe", "Activate", "Describe", "Describe"], name)
            done = call(tools, name, state=False)
            same([done["effect"], done["before"], done["after"]], ["changed", True, False], name)
            same(double.done(tools, name), ["Describe", "SetState", "Describe", "Describe"], name)
        same(call(tools, "told", state=False)["effect"], "unchanged")
        same(double.done(tools, "told"), ["Describe", "SetState", "Describe"], "a state that is there already")


def a_program_that_ends(tools, desktop):
    """It has answered: that it cannot be asked afterwards is no failure of the call."""
    with late(desktop):
        done = call(tools, "Deadly", args=["two"])
        same([done["effect"], done["before"]], ["unknown", "one"])
        has(done["note"], "the program answered, and could not be asked afterwards: ")


# --- windows ----------------------------------------------------------------------------------------

def session(desktop):
    """Writes the entry before the server looks at entries for the first time."""
    fifo, folder = desktop.folder / "handed", desktop.folder / "home/.local/share/applications"
    os.mkfifo(fifo)
    folder.mkdir(parents=True, exist_ok=True)
    actions_of = "".join(f"\n[Desktop Action {name}]\nName={name.title()}\nExec={SINGLE} {name} {fifo}\n"
                         for name in ("prompt", "busy", "nothing"))
    (folder / "single.desktop").write_text(f"[Desktop Entry]\nType=Application\nName=Single\nExec={SINGLE}\nStartupWMClass=Single\n"
                                           f"Actions=prompt;busy;nothing;\n{actions_of}")
    return Tools(desktop.env)


def of_an_instance_that_runs(tools, desktop):
    """A window that came later than the end of the started process was not seen, and one that had been there was said to have
    opened."""
    def act(name):
        return tools("call_dbus", app="single", method=f"desktop.{name}")
    first = tools("open_application", name="single", arguments=["run", str(desktop.folder / "handed"), "the first"], wait=PATIENCE)
    other = tools.xterm("another")
    try:
        for focused, name in ((other[1], "prompt"), (other[1], "busy"), (first["window"], "prompt")):
            tools("focus_window", name=focused)
            done = act(name)
            same(done["effect"], "seen", str(done))
            has(" ".join(done["seen"]), f'window "{name}" opened')
            shown = [each for each in tools("list_windows")["windows"] if each["title"] == name]
            tools("close_window", name=shown[0]["name"])
            until(lambda: not [each for each in tools("list_windows")["windows"] if each["title"] in ("prompt", "busy")], "the end")
        tools("focus_window", name=first["window"])
        done = act("nothing")
        same([done["effect"], done.get("seen")], ["unknown", None], str(done))
    finally:
        tools("quit_application", name=first["application"]["name"], force=True)
        tools("quit_application", name=other[0], force=True)


run((("a property is read after each signal about it, and last when the time is up", properties),
     ("so is the state of an action", actions),
     ("a program that ends after its answer", a_program_that_ends),
     ("actions of a desktop entry, by the instance that runs", of_an_instance_that_runs)),
    ["Xvfb", "openbox", "dbus-daemon", "xterm"], session)
