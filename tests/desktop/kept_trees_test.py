#!/usr/bin/env python3
"""What is kept of the interface of an application, and read again as far as events name it, is what the application has: held
against looks that read everything, after each of many presses, in real applications."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from server import PERIGEE                                        # noqa: E402
from tap import Failure, Skip                                     # noqa: E402
from tools import has, opened, run, same, until                   # noqa: E402

SCRIPT = pathlib.Path(__file__).resolve().parent / "lua" / "kept_trees.lua"


def kept(name, turns, seed):
    def case(tools, desktop):
        if not shutil.which(name):
            raise Skip(f"{name} is not installed (vendor/install test)")
        with opened(tools, name) as app:
            done = subprocess.run([PERIGEE, "run", "--quiet", "--no-user-root", str(SCRIPT), app.partition("/")[2], str(turns),
                                   str(seed)], env=desktop.env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(done.stderr.strip()[-500:])
        told = re.search(r"^compared (\d+), kept (\d+)$", done.stdout, re.MULTILINE)
        same(told and told.groups(), (str(turns), str(turns)), done.stdout[-500:])
        if " differ" in done.stdout:
            raise Failure(done.stdout[-2000:])
    return case


def one_that_came_again(tools, _desktop):
    """Nothing of the first is shown of the second."""
    for n in range(2):
        with opened(tools, "gtk3-widget-factory") as app:
            until(lambda app=app: "checkbutton" in tools("get_ui_tree", application=app)["outline"], f"the elements of number {n}")
            for _ in range(2):
                has(tools("get_ui_tree", application=app)["outline"], "checkbutton")
        tools.fails("APP_NOT_FOUND", "get_ui_tree", application=app)


run((("GTK 3, which tells what happens: mousepad", kept("mousepad", 16, 3)),
     ("GTK 3: every kind of widget", kept("gtk3-widget-factory", 16, 3)),
     ("Qt 5, whose elements are new at each question", kept("featherpad", 8, 3)),
     ("an application that ended and came again", one_that_came_again)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "gtk3-widget-factory"))
