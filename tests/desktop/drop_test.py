#!/usr/bin/env python3
"""drop_files and the step `drop` of act in a window of GTK 3, which logs what was dropped on it."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
from tools import Tools, has, run, same, until         # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = tempfile.mkdtemp()
FILES = [os.path.join(FOLDER, name) for name in ("a b.txt", "zwei ü.txt")]

PROGRAM = applications.button_box("Drop lab") + """
shelf = button("Shelf")
shelf.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY | Gdk.DragAction.LINK)
shelf.drag_dest_add_uri_targets()

def got(_w, context, _x, _y, data, _i, _t):
    log(" ".join(context.get_selected_action().value_nicks + data.get_uris()))
    shelf.set_label("Holds %d" % len(data.get_uris()))

shelf.connect("drag-data-received", got)

menu = Gtk.Menu()
for text in ("Move Here", "Copy Here"):
    menu.append(Gtk.MenuItem(label=text))
menu.show_all()
menu.attach_to_widget(window)
question = button("Question")
question.drag_dest_set(Gtk.DestDefaults.MOTION | Gtk.DestDefaults.HIGHLIGHT, [], Gdk.DragAction.COPY)
question.drag_dest_add_uri_targets()
asked = []

def ask(widget, context, _x, _y, time):
    asked.append((context, time))
    menu.popup(None, None, None, None, 0, Gtk.get_current_event_time())
    return True

def choose(item):
    context, time = asked.pop()
    question.drag_get_data(context, Gdk.Atom.intern("text/uri-list", False), time)

def chosen(_w, context, _x, _y, data, _i, time):
    log("chose " + " ".join(data.get_uris()))
    Gtk.drag_finish(context, True, False, time)

question.connect("drag-drop", ask)
question.connect("drag-data-received", chosen)
menu.get_children()[1].connect("activate", choose)
button("Wall")
window.show_all()
"""


@contextlib.contextmanager
def lab(tools, desktop):
    log = desktop.folder / "drop.log"
    log.write_text("", encoding="utf-8")
    with applications.program(desktop, "/usr/bin/python3", os.path.join(HERE, "..", "lib", "lab_window.py"), str(log), PROGRAM):
        until(lambda: any(each["title"] == "Drop lab" for each in tools("list_windows")["windows"]), "the window")
        until(lambda: not tools.result("get_ui_tree", window="Drop lab", source="tree").get("isError"), "its elements")
        yield lambda: log.read_text(encoding="utf-8")


def uri(path):
    return "file://" + path.replace(" ", "%20").replace("ü", "%C3%BC")


def dropped(tools, desktop):
    with lab(tools, desktop) as log:
        has(tools.fails("DROP_REFUSED", "drop_files", files=FILES, element='button "Wall"', window="Drop lab"), "takes no files")
        result = tools("drop_files", files=FILES, element='button "Shelf"', window="Drop lab")
        same(result["effect"], "confirmed", result)
        has(result["evidence"], "the target took them (copy)")
        same(log(), "copy " + " ".join(map(uri, FILES)) + "\n")
        result = tools("act", window="Drop lab", steps=[{"drop": FILES[:1], "to": 'button "Holds 2"'}])
        same((result["done"], log().split("\n")[1]), (True, "copy " + uri(FILES[0])), result)
        has(tools.fails("NOT_FOUND", "drop_files", files=[FILES[0] + "x"], window="Drop lab"), "Nothing was dropped")
        same(tools.result("drop_files", files=["/etc/passwd"], window="Drop lab")["_meta"]["perigee/code"], "NOT_GRANTED")


def with_a_menu(tools, desktop):
    """The target reads the files, and answers, only once an item of its menu was chosen."""
    with lab(tools, desktop) as log:
        result = tools("drop_files", files=FILES[:1], element='button "Question"', window="Drop lab")
        same(result["effect"], "partial", result)
        has(result["evidence"], "has not said that it took them")
        item = re.search(r'(e\d+) menuitem "Copy Here"', "\n".join(result["changes"]))
        tools("click_element", element=item.group(1))
        until(lambda: log() == "chose " + uri(FILES[0]) + "\n", "the files of the choice")


def on_nothing(tools, desktop):
    with lab(tools, desktop) as log:
        window = tools("list_windows")["windows"][0]
        subprocess.run(["xprop", "-id", window["name"].split("/")[-1], "-remove", "XdndAware"], env=desktop.env, check=True)
        has(tools.fails("NO_DROP_TARGET", "drop_files", files=FILES, window="Drop lab"), "XdndAware")
        same(log(), "")


CASES = [("a drop arrives, and a target that takes nothing is told", dropped),
         ("a target that asks by a menu gets the files afterwards", with_a_menu),
         ("a window that takes no drops is told", on_nothing)]

if __name__ == "__main__":
    for path in FILES:
        with open(path, "w", encoding="utf-8") as file:
            file.write("cargo\n")
    try:
        run(CASES, ("Xvfb", "openbox", "dbus-daemon", "xprop"), lambda desktop: Tools(desktop.env, "--grant", FOLDER))
    finally:
        shutil.rmtree(FOLDER)
