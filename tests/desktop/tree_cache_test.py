#!/usr/bin/env python3
"""The kept interface of an application, read again as far as events name it, is the one that the application has: held
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

SCRIPT = pathlib.Path(__file__).resolve().parent / "lua" / "tree_cache.lua"


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


def menus_that_were_closed(tools, _desktop):
    """Only some entries of closed menus are asked for; all are told once the menu is open."""
    if not shutil.which("soffice"):
        raise Skip("soffice is not installed (vendor/install test)")

    def outline(app):
        return tools("get_ui_tree", application=app, max_tokens=50000)["outline"]

    def is_open(ref, app):
        """Opens the menu; False if the dialog that asks for a template, which may come late, was in front, and was closed."""
        result = tools.result("click_element", application=app, element=ref)
        if result.get("isError") and result["_meta"]["perigee/code"] == "DIALOG_IN_FRONT":
            tools("handle_dialog", application=app, button="cancel")
            return False
        same(result.get("isError"), None, result["content"][0]["text"])
        return True

    with opened(tools, "libreoffice-impress") as app:
        closed = until(lambda: outline(app) if 'menu "Slide Show"' in outline(app) else None, "the menus")
        refs = re.findall(r'(e\d+) menu "(Edit|Slide Show)"', closed)
        same([name for _, name in refs], ["Edit", "Slide Show"], "the menus of the bar that is drawn")
        for ref, name in refs:
            entry = {"Edit": '"Select All"', "Slide Show": '"Rehearse Timings"'}[name]
            if entry in outline(app):
                raise Failure(f"{entry} is told of a closed menu")
            until(lambda ref=ref: is_open(ref, app), f"the menu {name}")
            until(lambda entry=entry: entry in outline(app), f"{entry} of the open menu {name}")
            tools("create_input", action="keys", keys="escape")
            until(lambda entry=entry: entry not in outline(app), f"the end of {entry}")


def rows_that_scrolling_brought(tools, desktop):
    """No row of a list of more than 300 cells was told, because its header lies at the corner that was asked for."""
    if not shutil.which("thunar"):
        raise Skip("thunar is not installed (vendor/install test)")
    folder = desktop.folder / "many files"
    folder.mkdir()
    for number in range(150):
        (folder / f"file{number:03}").write_text("x", encoding="utf-8")
    with opened(tools, "thunar", files=[str(folder)]) as app:
        def table():
            return tools("find_elements", application=app, role="table", states=["focused"])["elements"]

        def names():
            found = tools("find_elements", application=app, role="cell", regex="^file[0-9]+$", page_size=200)["elements"]
            return sorted({e["name"] for e in found})

        until(lambda: "150 files" in tools("get_ui_tree", application=app)["outline"], "the files")
        tools("create_input", action="keys", keys="ctrl+2")     # one in each row
        box = until(table, "the list")[0]["bounds"]
        first = until(names, "the first rows")
        same((first[0], 10 < len(first) < 20), ("file000", True), first)
        for notches, came in ((10, lambda rows: first[-1] < rows[0]), (200, lambda rows: rows[-1] == "file149"),
                              (-200, lambda rows: rows == first)):
            tools("create_input", action="scroll", x=box["x"] + 100, y=box["y"] + 100, scroll_y=notches)
            until(lambda wanted=came: wanted(names()), f"the rows after {notches} notches")
            same(10 < len(names()) < 20, True, names())
        tools("create_input", action="keys", keys="end")
        until(lambda: "file149" in names(), "the last row")
        same(tools("click_element", application=app, element='cell "file145"')["effect"], "confirmed")


run((("GTK 3, which tells what happens: mousepad", kept("mousepad", 16, 3)),
     ("GTK 3: every kind of widget", kept("gtk3-widget-factory", 16, 3)),
     ("GTK 3: rows of a long list that scrolling brought into view (thunar)", rows_that_scrolling_brought),
     ("Qt 5, whose elements are new at each question", kept("featherpad", 8, 3)),
     ("LibreOffice: entries of a menu that was closed at the looks before", menus_that_were_closed),
     ("an application that ended and came again", one_that_came_again)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "gtk3-widget-factory"))
