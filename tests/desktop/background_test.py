#!/usr/bin/env python3
"""Actions in a window of GTK 3 behind the one that a person works in. tests/wide/background_test.py has twenty tasks of others."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from lab import lab                       # noqa: E402
from person import Person                 # noqa: E402
from tools import has, run, same, until   # noqa: E402

WINDOW = """
w, v = Gtk.Window(title="Behind"), Gtk.VBox()
w.add(v)
bar, file, menu, new = Gtk.MenuBar(), Gtk.MenuItem(label="File"), Gtk.Menu(), Gtk.MenuItem(label="New")
file.set_submenu(menu)
menu.append(new)
bar.append(file)
new.connect("activate", lambda *_: log("new"))
date = Gtk.Entry()
date.get_accessible().set_name("Date")
date.connect("focus-out-event", lambda e, _: log("left " + e.get_text()))
area = Gtk.DrawingArea()
area.set_size_request(100, 30)
area.get_accessible().set_name("Map")
area.get_accessible().set_role(26)
def ask(*_):
    d = Gtk.Dialog(title="Asking", transient_for=w, modal=True)
    d.add_button("OK", 1)
    d.show_all()
    log("answer %d" % d.run())
    d.destroy()
b = Gtk.Button(label="Ask")
b.connect("clicked", ask)
come = Gtk.Button(label="Come")
come.connect("clicked", lambda *_: w.get_window().focus(0))
for each in (bar, date, area, b, come):
    v.pack_start(each, False, False, 0)
w.show_all()
"""


def all_kinds(tools, desktop):
    person = Person(tools, desktop)
    with person.at_work(), lab(tools, desktop, WINDOW) as it:
        person.comes_back()

        def task(tool, **arguments):
            return person.task(it.app, tool, ("confirmed", "partial", "none_seen"), **arguments)
        begun = len(it.log())
        task("select_menu_item", path="File > New")
        has(task("write_element_value", element='entry "Date"', value="1.2.2026"), "not taken over until the field is left")
        same((it.log()[begun:], person.refused), (["new"], []))
        has(task("click_element", element='button "Come"'), "took the focus, which was given back")
        has(task("click_element", element='image "Map"'), "takes the pointer")
        has(task("click_element", element='button "Ask"', method="pointer"), "takes the pointer")
        has(task("perform_element_action", element='entry "Date"', action="focus"), "takes the focus")
        same(len(person.refused), 3)
        result = tools("act", application=it.app, background=True, steps=[{"set": 'entry "Date"', "value": "3"}, {"keys": "ctrl+a"}])
        same((result["stopped_at"], result["steps"][1]["code"]), (2, "NEEDS_FRONT"))
        has(task("click_element", element='button "Ask"'), "has not answered since")
        tools("close_window", name=next(w["name"] for w in tools("list_windows", parent=it.app)["windows"] if w["title"] == "Asking"))
        until(lambda: it.log()[-1:] == ["answer -4"], "the answer")


run([("actions and text reach a window behind, and the person's pointer and focus are left alone", all_kinds)],
    ("Xvfb", "openbox", "dbus-daemon", "xterm", "xdotool"))
