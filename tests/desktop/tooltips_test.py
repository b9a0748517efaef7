#!/usr/bin/env python3
"""The tooltip of what the pointer rests on lies over what is below it. A click there was lost on it, and so was any other use of
the pointer."""

import contextlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import xlook                                                    # noqa: E402
from tap import Skip                                            # noqa: E402
from tools import OURS, bare_client, run, same, until           # noqa: E402

PYTHON = "/usr/bin/python3"     # the system's has gi and PyQt5

# GTK keeps what it knows of a tooltip for half a second after that was hidden. When that is over, it forgets a tooltip
# that has become due meanwhile, until the pointer moves again.
NOTES = """
import sys
kept = set()
def log(what): print(what, file=open(sys.argv[1], "a"))
def forgot(tip):
    kept.discard(tip)
    log("forgot")
def asked(_widget, _x, _y, _keyboard, tip):
    if hash(tip) not in kept:
        kept.add(hash(tip))
        log("asked")
        tip.weak_ref(forgot, hash(tip))
"""
# Each logs its clicks, double clicks and turns of the wheel on what is below, and its drags.
GTK_3 = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk
window, box = Gtk.Window(title="Tips"), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
above, below = Gtk.Button(label="Above", tooltip_text="The tooltip of what is above"), Gtk.Button(label="Below")
def pressed(_, event): log({Gdk.EventType.BUTTON_PRESS: "press", Gdk.EventType.DOUBLE_BUTTON_PRESS: "twice"}.get(event.type, ""))
above.connect("query-tooltip", asked)
below.add_events(Gdk.EventMask.SCROLL_MASK)
below.connect("button-press-event", pressed)
below.connect("button-release-event", lambda _, event: log("release"))
below.connect("clicked", lambda _: log("click"))
below.connect("scroll-event", lambda *_: log("scroll"))
box.add(above)
box.pack_start(below, True, True, 0)
window.add(box)
window.set_default_size(300, 200)
window.show_all()
Gtk.main()
"""
GTK_4 = """
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk
window, box = Gtk.Window(title="Tips"), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
above, below = Gtk.Button(label="Above", tooltip_text="The tooltip of what is above"), Gtk.Button(label="Below", vexpand=True)
above.connect("query-tooltip", asked)
below.connect("clicked", lambda _: log("click"))
box.append(above)
box.append(below)
window.set_child(box)
window.set_default_size(300, 200)
window.present()
GLib.MainLoop().run()
"""
QT_5 = """
from PyQt5.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
app, window = QApplication([]), QWidget(windowTitle="Tips")
box, above, below = QVBoxLayout(window), QPushButton("Above"), QPushButton("Below")
above.setToolTip("The tooltip of what is above")
below.setMinimumHeight(160)
below.clicked.connect(lambda: log("click"))
box.addWidget(above)
box.addWidget(below)
window.resize(300, 220)
window.show()
app.exec_()
"""


def pointer(desktop, *words):
    return subprocess.run(["xdotool", *map(str, words)], env=desktop.env, check=True, capture_output=True, text=True).stdout


class Tips:
    """The window, and its log. The server's own view costs little: Perigee is asked when that has changed."""

    def __init__(self, tools, desktop, process, path, look, others):
        self.tools, self.desktop, self.path, self.look = tools, desktop, path, look
        self.app = f"applications/{process.pid}"
        until(lambda: any(look.viewable(window) for window in look.order() if window not in others), "the window")
        self.above, self.below = (until(lambda name=name: self.element(name), name) for name in ("Above", "Below"))

    def element(self, name):
        result = self.tools.result("find_elements", application=self.app, text=name, role="button")
        found = [] if result.get("isError") else result["structuredContent"]["elements"]
        return found[0].get("bounds") if found else None

    def notes(self):
        return self.path.read_text(encoding="utf-8").split() if self.path.exists() else []

    def log(self):
        return [word for word in self.notes() if word not in ("asked", "forgot")]

    def forgotten(self):
        return self.notes().count("asked") == self.notes().count("forgot")

    def hover(self):
        """Shows the tooltip, and gives a point of what is below that it covers."""
        x, y = (int(self.above[at] + self.above[size] / 2) for at, size in (("x", "width"), ("y", "height")))

        pointer(self.desktop, "mousemove", 1, 1)
        until(lambda: not self.drawn(), "that no tooltip is shown")
        until(lambda: not self.popups(), "that no tooltip is in the list")
        until(self.forgotten, "that the last tooltip is forgotten")
        pointer(self.desktop, "mousemove", x - 3, y, "sleep", 0.05, "mousemove", x, y)
        until(self.drawn, "the tooltip")
        box = until(self.popups, "the tooltip in the list")[0]["bounds"]
        left, top = (max(box[at], self.below[at]) for at in ("x", "y"))
        right, bottom = (min(box[at] + box[size], self.below[at] + self.below[size]) for at, size in (("x", "width"), ("y", "height")))
        assert left < right and top < bottom, (box, self.below)
        return {"x": (left + right) / 2, "y": (top + bottom) / 2}

    def drawn(self):
        seen = (self.look.attributes(window) for window in reversed(self.look.order()))
        return any(it and it.override_redirect and it.map_state == xlook.VIEWABLE and it.height > 10 for it in seen)

    def popups(self):
        listed = self.tools("list_windows", all_kinds=True)["windows"]
        return [each for each in listed if each["kind"] == "popup" and each["bounds"]["height"] > 10]

    def told(self, does, *expected):
        """What the application was told of an action at a point that was covered."""
        at = self.hover()
        before = len(self.log())
        result = does(at)
        evidence = result.get("effect_evidence", result.get("evidence", ""))
        assert result.get("effect") != "confirmed" or "tooltip" not in evidence, result
        until(lambda: all(word in self.log()[before:] for word in expected), f"{expected}, of {self.log()[before:]}")
        return self.log()[before:]


@contextlib.contextmanager
def tips(tools, desktop, program):
    path = desktop.folder / f"tips.{os.urandom(4).hex()}"
    env = {**desktop.env, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
    with xlook.Look(desktop.env["DISPLAY"]) as look, subprocess.Popen([PYTHON, "-c", NOTES + program, str(path)], env=env) as process:
        try:
            yield Tips(tools, desktop, process, path, look, look.order())
        finally:
            process.kill()


def uses_of_the_pointer(tools, desktop):
    with tips(tools, desktop, GTK_3) as it:
        def send(**what):
            return lambda at: tools("create_input", **what, **at)
        same(it.told(send(action="click"), "click"), ["press", "release", "click"])
        same(it.told(send(action="double_click"), "twice").count("click"), 2)
        same(it.told(send(action="scroll", scroll_y=1), "scroll"), ["scroll"])
        same(it.told(lambda at: tools("create_input", action="drag", path=[at, {"x": at["x"] + 30, "y": at["y"]}]), "click"),
             ["press", "release", "click"])
        same(it.told(lambda _: tools("click_element", application=it.app, element='button "Below"', method="pointer"), "click"),
             ["press", "release", "click"])


def clicks_with(program, module):
    """It is clicked at once, and never twice."""
    def case(tools, desktop):
        if subprocess.run([PYTHON, "-c", module], check=False, capture_output=True).returncode:
            raise Skip(f"not installed: {module}")
        with tips(tools, desktop, program) as it:
            for _ in range(3):
                same(it.told(lambda at: tools("create_input", action="click", **at), "click"), ["click"])
    return case


def of_another_application(tools, desktop):
    """It was told to be covered, and to be moved away."""
    with tips(tools, desktop, GTK_3) as it, bare_client(tools, desktop) as client:
        tip = client.window("tip", at=(int(it.below["x"]), int(it.below["y"]), 400, 300), popup=True, kind="TOOLTIP")
        until(lambda: tools("list_windows", parent=OURS, all_kinds=True)["windows"], "the tooltip")
        asked = tools.server.post("tools/call", {"name": "click_element", "arguments": {
            "application": it.app, "element": 'button "Below"', "method": "pointer"}})
        x, y = (int(it.below[at] + it.below[size] / 2) for at, size in (("x", "width"), ("y", "height")))
        until(lambda: pointer(desktop, "getmouselocation").startswith(f"x:{x} y:{y} "), "the pointer")
        client.destroy(tip)
        same(tools.server.answer(asked)["result"].get("isError"), None)
        until(lambda: it.log() == ["press", "release", "click"], it.log())


run((("each use of the pointer (GTK 3)", uses_of_the_pointer), ("a tooltip of another application", of_another_application),
     ("clicks (GTK 4)", clicks_with(GTK_4, "import gi; gi.require_version('Gtk', '4.0')")),
     ("clicks (Qt 5)", clicks_with(QT_5, "import PyQt5.QtWidgets"))),
    ("Xvfb", "openbox", "dbus-daemon", "xdotool"))
