#!/usr/bin/env python3
"""drag_element and the step `drag` of act in a window of GTK 3, which logs what was dropped on it."""

import contextlib
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
from tools import run, same, until         # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))

PROGRAM = applications.button_box("Drag lab") + """
source = button("Source")
source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
source.drag_source_add_text_targets()
source.connect("drag-data-get", lambda _w, _c, data, _i, _t: data.set_text("cargo", -1))

def takes(text, taken):
    target = button(text)
    target.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
    target.drag_dest_add_text_targets()
    target.connect("drag-data-received", lambda _w, _c, _x, _y, data, _i, _t: taken(target, data.get_text()))

def label(target, text):
    log("got " + text)
    target.set_label("Holds " + text)

menu = Gtk.Menu()
for text in ("Move Here", "Copy Here"):
    item = Gtk.MenuItem(label=text)
    item.connect("activate", lambda item: log("chose " + item.get_label()))
    menu.append(item)
menu.show_all()
menu.attach_to_widget(window)

def ask(_target, _text):
    GLib.idle_add(lambda: menu.popup(None, None, None, None, 0, Gtk.get_current_event_time()) or False)

takes("Shelf", label)
takes("Question", ask)
button("Wall")
window.show_all()
"""


@contextlib.contextmanager
def lab(tools, desktop):
    log = desktop.folder / "drag.log"
    log.write_text("", encoding="utf-8")
    with applications.program(desktop, "/usr/bin/python3", os.path.join(HERE, "..", "lib", "lab_window.py"), str(log), PROGRAM):
        until(lambda: any(each["title"] == "Drag lab" for each in tools("list_windows")["windows"]), "the window")
        until(lambda: not tools.result("get_ui_tree", window="Drag lab", source="tree").get("isError"), "its elements")
        yield log


def drag(tools, to, **more):
    return tools("drag_element", element='button "Source"', to=to, window="Drag lab", **more)


def dropped(tools, desktop):
    with lab(tools, desktop) as log:
        result = drag(tools, 'button "Wall"')
        same(result["effect"], "none_seen", result)
        same(log.read_text(encoding="utf-8"), "", "what was dropped on a wall")
        result = drag(tools, 'button "Shelf"')
        same(result["effect"], "confirmed", result)
        same(log.read_text(encoding="utf-8"), "got cargo\n")
        bounds = tools("get_element", element='button "Holds cargo"', window="Drag lab")["bounds"]
        place = f'{bounds["x"] + 30},{bounds["y"] + 10}'
        result = tools("act", window="Drag lab", steps=[{"drag": 'button "Source"', "to": place}])
        same((result["done"], log.read_text(encoding="utf-8")), (True, "got cargo\ngot cargo\n"), result)


def with_a_menu(tools, desktop):
    with lab(tools, desktop) as log:
        result = drag(tools, 'button "Question"')
        same(result["effect"], "confirmed", result)
        item = re.search(r'(e\d+) menuitem "Copy Here"', "\n".join(result["changes"]))
        tools("click_element", element=item.group(1))
        until(lambda: log.read_text(encoding="utf-8") == "chose Copy Here\n", "the choice")


CASES = [("a drop arrives, and a target that takes nothing is told", dropped),
         ("the menu of a drop can be chosen from", with_a_menu)]

if __name__ == "__main__":
    run(CASES, ("Xvfb", "openbox", "dbus-daemon"))
