#!/usr/bin/env python3
"""Applications of GTK 3 that run a dialog within what opened it: pressed by an action, they wait inside of that, and the next key
makes them hang for good."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults                                     # noqa: E402
from lab import lab                                     # noqa: E402
from tap import Skip                                    # noqa: E402
from tools import has, run, until                       # noqa: E402

RUNNING = """
w = Gtk.Window(title="Main")
bar, v, e = Gtk.MenuBar(), Gtk.VBox(), Gtk.Entry()
w.add(v)
def ask(*_):
    d = Gtk.Dialog(title="Asking", transient_for=w, modal=True)
    d.add_button("OK", 1)
    entry = Gtk.Entry()
    entry.connect("changed", lambda e: log("entry " + e.get_text()))
    d.get_content_area().add(entry)
    d.show_all()
    entry.grab_focus()
    log("asks")
    log("answer %d" % d.run())
    d.destroy()
file, menu = Gtk.MenuItem(label="File"), Gtk.Menu()
file.set_submenu(menu)
save = Gtk.MenuItem(label="Save As")
save.connect("activate", ask)
menu.append(save)
bar.append(file)
v.pack_start(bar, False, False, 0)
b = Gtk.Button(label="Ask")
b.connect("clicked", ask)
v.pack_start(b, False, False, 0)
e.connect("changed", lambda e: log("main " + e.get_text()))
v.pack_start(e, False, False, 0)
w.show_all()
"""


def asked(it):
    until(lambda: it.log()[-1:] == ["asks"], "the dialog")


def answered(it):
    """The dialog takes text, is read and closed, and its application lives on."""
    asked(it)
    has(it.tools.text("create_input", action="type", text="abc"), "Typed 3 characters")
    until(lambda: it.log()[-1:] == ["entry abc"], "the text")
    it.click('button "OK" in dialog "Asking"')
    until(lambda: it.log()[-1:] == ["answer 1"], "the answer")


def buttons_are_clicked(tools, desktop):
    with lab(tools, desktop, RUNNING) as it:
        for _ in range(2):
            has(it.click('button "Ask"')["route"], "pointer at")
            answered(it)


def items_are_clicked(tools, desktop):
    with lab(tools, desktop, RUNNING) as it:
        has(tools("select_menu_item", application=it.app, path="File > Save As")["route"], "pointer at")
        answered(it)
        has(it.click('menuitem "Save As"')["route"], "pointer at")
        answered(it)


def keys_are_refused(tools, desktop):
    """A key into the dialog made the application hang, also for the pointer and for its window manager."""
    with lab(tools, desktop, RUNNING) as it:
        has(it.click('button "Ask"', method="action")["evidence"], "the application has not answered since")
        asked(it)
        for tool, arguments in (("create_input", {"action": "type", "text": "abc"}), ("create_input", {"action": "keys", "keys": "a"}),
                                ("create_input", {"action": "paste", "text": "abc"})):
            has(tools.fails("DIALOG_IN_FRONT", tool, **arguments), 'Nothing was sent: an action that opened dialog "Asking" still runs')
        steps = tools.result("act", application=it.app, steps=[{"type": "abc"}])
        has(steps["content"][0]["text"], "Nothing was sent")
        dialog = next(each for each in tools("list_windows", parent=it.app)["windows"] if each["title"] == "Asking")
        tools("close_window", name=dialog["name"])
        until(lambda: it.log()[-1:] == ["answer -4"], "the end of the dialog")
        it.click("entry", method="pointer")
        has(tools.text("create_input", action="type", text="x"), "Typed 1 character")
        until(lambda: it.log()[-1:] == ["main x"], "the text")


def needs_gtk(case):
    def skipping(tools, desktop):
        if not click_faults.has_gtk():
            raise Skip("the system's Python has no GTK (vendor/install test)")
        case(tools, desktop)
    return skipping


run((("a button whose dialog runs within its action is clicked", needs_gtk(buttons_are_clicked)),
     ("an item of a menu whose dialog runs within its action is clicked", needs_gtk(items_are_clicked)),
     ("keys are refused while an application waits within an action", needs_gtk(keys_are_refused))),
    ("Xvfb", "openbox", "dbus-daemon"))
