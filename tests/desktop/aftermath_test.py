#!/usr/bin/env python3
"""create_input and the window tools tell what came of it in applications whose elements were looked at, and never more than was
seen."""

import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tools import PATIENCE, Tools, has, opened, run, same, until     # noqa: E402


def middle(bounds):
    return {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}


def not_looked_at(tools, _desktop):
    """An application whose elements no call has read is not read after input, unless `diff` asks for it."""
    opened_app = tools("open_application", name="mousepad", wait=PATIENCE)
    app = opened_app["application"]["name"]
    try:
        until(lambda: tools("get_window", name=opened_app["window"])["focused"], "the focus")
        told = tools("create_input", action="keys", keys="ctrl+a")
        same(("changes" in told, "effect" in told), (False, False), told)
        until(lambda: tools("create_input", action="keys", keys="F2", diff=True)["effect"] == "none_seen", "its elements")
    finally:
        tools("quit_application", name=app, force=True)


def clicks(tools, _desktop):
    """A click changes a check box, and one on an element that is off changes nothing. Without `diff` a busy machine may leave
    too little time to read the application: the effect is unknown then."""
    with opened(tools, "gtk3-widget-factory") as app:
        box = tools("find_elements", selector='checkbox "checkbutton" checked', application=app)["elements"][0]
        until(lambda: tools("get_element", element=box["ref"])["all_states"], "the element")
        tools("focus_window", name=box["window"])
        told = tools("create_input", action="click", diff=True, **middle(box["bounds"]))
        same(told["effect"] in ("confirmed", "partial"), True, told)
        same([line for line in told["changes"] if line.startswith(f"~ {box['ref']} ") and "unchecked" in line] != [], True, told)
        off = tools("find_elements", selector='checkbox "checkbutton" off', application=app)["elements"][0]
        told = tools("create_input", action="click", diff=True, **middle(off["bounds"]))
        same(told["effect"], "none_seen", told)
        told = tools("create_input", action="click", **middle(off["bounds"]))
        same(told["effect"] in ("none_seen", "unknown"), True, told)
        told = tools("create_input", action="click", diff=False, **middle(box["bounds"]))
        same("changes" in told, False, told)
        text = tools.text("create_input", action="click", diff=True, **middle(box["bounds"]))
        has(text, f"~ {box['ref']} checkbox")


def text(tools, _desktop):
    with opened(tools, "gtk3-widget-factory") as app:
        entry = tools("find_elements", role="entry", states=["enabled"], application=app)["elements"][0]
        tools("focus_window", name=entry["window"])
        tools("create_input", action="triple_click", **middle(entry["bounds"]))
        told = tools("create_input", action="type", text="hello", diff=True)
        same((told["effect"], told["effect_evidence"]), ("confirmed", "the text was read back"), told)
        same(any('="hello"' in line for line in told["changes"]), True, told)
        told = tools("create_input", action="type", text="hidden", secret=True)
        same("changes" in told, False, told)


def a_window_that_asks(tools, _desktop):
    """close_window of an unsaved document: the window stays, and the dialog is among the changes."""
    with opened(tools, "mousepad") as app:
        window = tools("list_windows", parent=app)["windows"][0]["name"]
        tools("create_input", action="type", text="unsaved")
        told = tools("close_window", name=window)
        same((told["done"], told["effect"]), (False, "partial"), told)
        has(told["effect_evidence"], "the window is still open")
        same(any(line.startswith("+ ") and "Save" in line for line in told["changes"]), True, told)
        same(tools("move_window", name=window, x=30, y=40)["effect"] in ("confirmed", "partial"), True)


def one_that_does_not_answer(tools, _desktop):
    """The effect is unknown while the application does not answer, and the result says so."""
    with opened(tools, "mousepad") as app:
        tools("get_ui_tree", application=app)
        pid = int(app.partition("/")[2])
        os.kill(pid, signal.SIGSTOP)
        try:
            point = middle(tools("list_windows", parent=app)["windows"][0]["bounds"])
            told = tools("create_input", action="click", **point)
            same((told["effect"], "changes" in told), ("unknown", False), told)
            told = tools("create_input", action="click", **point)
            same("effect" in told, False, told)     # it is spared for a while
        finally:
            os.kill(pid, signal.SIGCONT)


run((("an application that nobody looked at", not_looked_at),
     ("clicks", clicks),
     ("text", text),
     ("an application that does not answer", one_that_does_not_answer),
     ("a window that asks before it closes", a_window_that_asks)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "gtk3-widget-factory"), lambda desktop: Tools(desktop.env))
