#!/usr/bin/env python3
"""Keys and text go to the window that a call is about, or to nobody: not to a dialog that came in front of it, and not to
another window. What arrived is read from the applications."""

import contextlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults     # noqa: E402
import server as servers    # noqa: E402
from lab import lab     # noqa: E402
from tap import Skip     # noqa: E402
from tools import PATIENCE, Tools, has, opened, run, same, until     # noqa: E402

SAVING = "ctrl+shift+s"


def windows(tools, app):
    return {each["title"]: each for each in tools("list_windows", parent=app)["windows"]}


def held(tools, selector, **place):
    """The value of one element; None: there is none."""
    found = tools("find_elements", selector=selector, **place)["elements"]
    return found[0].get("value", "") if found else None


class Editor:
    """A mousepad that shows a file."""

    def __init__(self, tools, app, title):
        self.tools, self.app, self.title = tools, app, title
        self.window = next(each["name"] for name, each in windows(tools, app).items() if title in name)

    def holds(self):
        return held(self.tools, "text", window=self.window)

    def stops(self, step, code, part, **more):
        """A first step that is refused, and says so."""
        result = self.tools("act", **{"application": self.app, **more}, steps=[step, {"verify": {"text": "default"}}])
        same((result["done"], result["stopped_at"], result["steps"][0].get("code")), (False, 1, code), result)
        has(result["steps"][0]["evidence"], part)

    def asks(self, chord, dialog):
        """Opens a dialog by keys."""
        self.tools("create_input", action="keys", keys=chord, window=self.window)
        return until(lambda: windows(self.tools, self.app).get(dialog), dialog)

    def forgets(self):
        """Ends the editor with its file saved, so that the next one does not ask what to restore."""
        if len(windows(self.tools, self.app)) > 1:
            self.tools("handle_dialog", application=self.app, button="Cancel")
        self.tools.result("act", window=self.window, steps=[
            {"keys": "ctrl+s"}, {"wait": {"window": "*", "condition": "gone", "timeout": 10}}])


@contextlib.contextmanager
def editor(tools, desktop, name="bound.txt"):
    path = desktop.folder / name
    path.write_text("", encoding="utf-8")
    with opened(tools, "mousepad", files=[str(path)]) as app:
        until(lambda: any(name in title and each["focused"] for title, each in windows(tools, app).items()), "its window")
        it = Editor(tools, app, name)
        try:
            yield it
        finally:
            it.forgets()


def the_offline_agent(tools, desktop):
    """It typed into the file name, read it there, and said that all steps were done."""
    with editor(tools, desktop) as it:
        it.asks(SAVING, "Save As")
        before = held(tools, 'entry "Name"', window="Save As")
        said = subprocess.run(
            [servers.PERIGEE, "agent", "--root", servers.TRUSTING, "--no-user-root", "--log", str(desktop.folder / "agent.log"),
             "--journal", str(desktop.folder / "runs"), "--model", "offline", "--prompt", "desktop",
             'In Mousepad: type "abc", check "abc"'],
            env=desktop.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
        has(said.stdout, "Stopped at step 1 of 2")
        has(said.stdout, 'dialog "Save As" is in front')
        same((held(tools, 'entry "Name"', window="Save As"), it.holds()), (before, ""))


def behind_a_dialog(tools, desktop):
    """GTK passes keys on to a modal dialog, even if the window below has the focus."""
    with editor(tools, desktop) as it:
        it.asks(SAVING, "Save As")
        before = held(tools, 'entry "Name"', window="Save As")
        for step in ({"type": "abc"}, {"keys": "shift+x"}):
            it.stops(step, "DIALOG_IN_FRONT", 'Nothing was sent: dialog "Save As" is in front')
            it.stops(step, "DIALOG_IN_FRONT", "handle_dialog", window=it.window)
        for more in ({"action": "type", "text": "abc"}, {"action": "paste", "text": "abc"}, {"action": "keys", "keys": "a"}):
            has(tools.fails("DIALOG_IN_FRONT", "create_input", window=it.window, **more), 'dialog "Save As" is in front')
        same((held(tools, 'entry "Name"', window="Save As"), it.holds()), (before, ""))
        told = tools("act", window="Save As", steps=[{"keys": "ctrl+a"}, {"type": "named"}, {"verify": {"text": "named"}}])
        same((told["done"], held(tools, 'entry "Name"', window="Save As")), (True, "named"), told)


def a_dialog_on_the_way(tools, desktop):
    """A step opens it. Later ones are for it only if one works in it."""
    with editor(tools, desktop) as it:
        told = tools("act", application=it.app, steps=[{"type": "one"}, {"keys": SAVING}, {"wait": {"window": "Save As"}},
                                                       {"type": "lost"}])
        same((told["done"], told["stopped_at"], told["steps"][3]["code"]), (False, 4, "DIALOG_IN_FRONT"), told)
        told = tools("act", application=it.app, steps=[{"click": 'entry "Name"'}, {"keys": "ctrl+a"}, {"type": "mine"},
                                                       {"verify": {"text": "mine"}}])
        same((told["done"], held(tools, 'entry "Name"', window="Save As"), it.holds()), (True, "mine", "one"), told)
        tools("handle_dialog", application=it.app, button="Cancel")
        until(lambda: "Save As" not in windows(tools, it.app), "its end")
        it.tools("create_input", action="keys", keys="ctrl+q", window=it.window)
        until(lambda: len(windows(tools, it.app)) == 2, "the question about changes")
        it.stops({"type": "n"}, "DIALOG_IN_FRONT", "is in front")
        same(it.holds(), "one")


def another_window(tools, desktop):
    """It has the keyboard, or is at the point."""
    with editor(tools, desktop) as it:
        _app, window, _pid = tools.xterm("in the way")
        until(lambda: tools("get_window", name=window)["focused"], "its focus")
        for more in ({"action": "type", "text": "abc"}, {"action": "paste", "text": "abc"}, {"action": "hold", "keys": "a", "duration": 0.1}):
            has(tools.fails("FOCUS_LOST", "create_input", window=it.window, **more), 'window "in the way" of XTerm has the keyboard')
        tools("move_window", name=window, x=100, y=100)
        tools("move_window", name=it.window, x=100, y=100)
        at = {"x": 250, "y": 250}
        for more in ({"action": "click", **at}, {"action": "scroll", "scroll_y": 2, **at},
                     {"action": "drag", "to_x": 300, "to_y": 260, **at}):
            has(tools.fails("WINDOW_COVERED", "create_input", window=it.window, **more), "Nothing was sent")
        same(tools("act", window=it.window, steps=[{"type": "raised"}])["done"], True)
        same((it.holds(), tools("create_input", action="click", window=it.window, **at)["sent"] > 0), ("raised", True))
        same(tools("create_input", action="type", text="!", window=it.window)["settled"], True)


def text_of_another_window(tools, desktop):
    """It confirmed the check of the one that was typed into."""
    with editor(tools, desktop) as it:
        same(tools("act", window=it.window, steps=[{"type": "elsewhere"}, {"verify": {"text": "elsewhere"}}])["done"], True)
        tools("create_input", action="keys", keys="ctrl+shift+n", window=it.window)
        other = until(lambda: [each for name, each in windows(tools, it.app).items() if it.title not in name], "a new window")[0]
        until(lambda: tools("get_window", name=other["name"])["focused"], "its focus")
        for step in ({"verify": {"text": "elsewhere"}}, {"wait": {"text": "elsewhere", "timeout": 0}}):
            told = tools("act", window=other["name"], steps=[{"keys": "ctrl+home"}, step])
            same(told["done"], False, told)
            has(told["steps"][1]["evidence"], "in the window that the steps are about; elsewhere there is")
        told = tools("act", window=other["name"], steps=[{"verify": {"text": "elsewhere", "window": it.window}}])
        same(told["done"], True, told)
        tools("close_window", name=other["name"])
        until(lambda: len(windows(tools, it.app)) == 1, "its end")


def an_open_menu(tools, desktop):
    """It takes the text, and the step was done."""
    with editor(tools, desktop) as it:
        tools("click_element", application=it.app, element='menu "Help"')
        told = tools("act", application=it.app, steps=[{"type": "zz"}])
        same((told["done"], it.holds()), (False, ""), told)
        tools("create_input", action="keys", keys="escape")


POPS = """
w, e = Gtk.Window(title="Main"), Gtk.Entry()
w.add(e)
def ask(_entry):
    if len(e.get_text()) == 1 and not w.asked:
        w.asked = Gtk.Dialog(title="Asking", transient_for=w, modal=True)
        w.asked.inner = Gtk.Entry()
        w.asked.inner.connect("changed", lambda inner: log("asked " + inner.get_text()))
        w.asked.get_content_area().add(w.asked.inner)
        w.asked.show_all()
w.asked = None
e.connect("changed", ask)
w.show_all()
"""


def a_dialog_after_a_key(tools, desktop):
    """A field that opens a dialog takes no more: the next step does not go into the dialog."""
    if not click_faults.has_gtk():
        raise Skip("GTK 3 is not installed")
    with lab(tools, desktop, POPS) as it:
        told = tools("act", application=it.app, steps=[{"keys": "a"}, {"wait": {"window": "Asking"}}, {"keys": "b"}])
        same((told["stopped_at"], told["steps"][2]["code"]), (3, "DIALOG_IN_FRONT"), told)
        tools.fails("DIALOG_IN_FRONT", "write_element_value", application=it.app, element='entry in window "Main"', value="b")
        same(it.log(), [])


run((("the offline agent does not type into a dialog", the_offline_agent),
     ("keys for a window do not go to the dialog in front of it", behind_a_dialog),
     ("a dialog that opens on the way gets nothing that is not for it", a_dialog_on_the_way),
     ("a dialog that a key opens gets no later key", a_dialog_after_a_key),
     ("input for a window does not go to another one", another_window),
     ("text in another window proves nothing", text_of_another_window),
     ("text that an open menu takes is not done", an_open_menu)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "xterm"), lambda desktop: Tools(desktop.env))
