#!/usr/bin/env python3
"""An application of many thousand widgets: what is read of it is cut and says so, and others are answered meanwhile.

HUGE_TREE: the widgets, as tests/lib/huge_tree.py takes them. `make test-desktop` has a hundred thousand.
"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from applications import stopped                        # noqa: E402
from tap import Failure, Skip                           # noqa: E402
from tools import PATIENCE, Tools, has, opened, run, same, until     # noqa: E402

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "lib" / "huge_tree.py"
SHAPE = os.environ.get("HUGE_TREE", "30 10 100").split()
PYTHON = "/usr/bin/python3"     # the system's, which has GTK


def started(env, *shape):
    if subprocess.run([PYTHON, "-c", "import gi; gi.require_version('Gtk', '3.0')"], check=False, capture_output=True).returncode:
        raise Skip("the system's Python has no GTK (vendor/install test)")
    program = subprocess.Popen([PYTHON, "-u", str(PROGRAM), *shape], env=env, stdout=subprocess.PIPE, text=True)
    if program.stdout.readline() != "shown\n":
        raise Failure("the window was not shown")
    return program


def answered_meanwhile(tools, second, desktop, pid, other):
    """Whether both sessions read the other application's elements while the second one looked at this one, which is stopped.
    Such a look may end first, by its own time limit."""
    def reads(session):
        return "Calculator" in session.text("get_ui_tree", application=other)

    def is_looking():
        second.server.ask("ping")       # its answer comes behind the one of a look that has ended
        return not second.server.has_answered(look)

    with stopped(desktop, pid):
        look = second.server.post("tools/call", {"name": "get_ui_tree", "arguments": {"application": f"applications/{pid}"}})
        met = is_looking() and reads(tools) and reads(second) and is_looking()
    second.server.answer(look, PATIENCE)
    return met


def huge(tools, desktop):
    """GTK 3 builds a cache of all of them once somebody listens, and answers nothing meanwhile. Other applications are answered
    while it answers nothing, and then it is read in part."""
    with opened(tools, "gnome-calculator") as other:
        program = started(desktop.env, *SHAPE)
        app = f"applications/{program.pid}"
        second = Tools(desktop.env)
        try:
            until(lambda: answered_meanwhile(tools, second, desktop, program.pid, other), "an answer of the other application")
            until(lambda: not tools.result("get_ui_tree", application=app).get("isError"), "an answer")
            for _ in range(2):
                told = tools("get_ui_tree", application=app)
                same(told["cut"], True)
                same(100 < told["elements"] <= 3000, True, told["elements"])
                has(told["outline"], 'window "huge"')
                has(told["outline"], "more")
        finally:
            second.close()
            program.kill()
            program.wait()


def many_are_numbered(tools, desktop):
    """The table of the elements' numbers was full at 4096, and looking for one that it lacked never ended."""
    for _ in range(3):
        program = started(desktop.env, "10", "10", "25")
        app = f"applications/{program.pid}"
        try:
            until(lambda app=app: tools("get_ui_tree", application=app)["elements"] > 2000, "more elements than were numbered")
        finally:
            program.kill()
            program.wait()


run((("thousands of elements are numbered", many_are_numbered),
     ("a part of thousands of widgets is read, and other applications are answered meanwhile", huge)),
    ("Xvfb", "openbox", "dbus-daemon", "gnome-calculator", "xdotool"))
