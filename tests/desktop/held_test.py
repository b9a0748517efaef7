#!/usr/bin/env python3
"""Applications of GTK 3 that run a dialog within what opened it: pressed by an action, they wait inside of that, and the next key
makes them hang for good."""

import json
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults                                     # noqa: E402
from lab import lab                                     # noqa: E402
from tap import Skip                                    # noqa: E402
from tools import Tools, has, run, same, until                # noqa: E402

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
x = Gtk.Expander(label="More")
x.add(Gtk.Label(label="hidden"))
x.connect("notify::expanded", lambda *_: log("expanded %s" % x.get_expanded()))
v.pack_start(x, True, True, 0)
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


def expanders_open(tools, desktop):
    """A click on the middle of an expander, beside its title, did nothing."""
    with lab(tools, desktop, RUNNING) as it:
        same(it.click('toggle "More"')["effect"], "confirmed")
        until(lambda: it.log() == ["expanded True"], "what it shows")


def items_are_clicked(tools, desktop):
    with lab(tools, desktop, RUNNING) as it:
        has(tools("select_menu_item", application=it.app, path="File > Save As")["route"], "pointer at")
        answered(it)
        has(it.click('menuitem "Save As"')["route"], "pointer at")
        answered(it)


def kept_notes(desktop):
    state = os.environ.get("XDG_STATE_HOME", os.path.join(desktop.env["HOME"], ".local/state"))
    return json.loads(pathlib.Path(state, "perigee/store/held.json").read_text(encoding="utf-8"))


def one_that_ended_is_forgotten(tools, desktop):
    """Each call with keys would look at the windows for it."""
    with lab(tools, desktop, RUNNING) as it:
        it.click('button "Ask"', method="action")
        asked(it)
        same(list(kept_notes(desktop)), [str(it.process.pid)])
    with lab(tools, desktop, RUNNING):
        tools("create_input", action="keys", keys="shift")
        same(kept_notes(desktop), {})


def keys_are_refused(tools, desktop):
    """A key into the dialog made the application hang, also for the pointer and for its window manager."""
    with lab(tools, desktop, RUNNING) as it:
        has(it.click('button "Ask"', method="action")["evidence"], "the application has not answered since")
        asked(it)
        for tool, arguments in (("create_input", {"action": "type", "text": "abc"}), ("create_input", {"action": "keys", "keys": "a"}),
                                ("create_input", {"action": "paste", "text": "abc"})):
            has(tools.fails("DIALOG_IN_FRONT", tool, **arguments), 'Nothing was sent: an action that opened dialog "Asking" still runs')
        other = Tools(desktop.env)      # another session of the user: an engine of its own
        for arguments in ({"action": "keys", "keys": "a"}, {"action": "type", "text": "abc"}):
            has(other.fails("DIALOG_IN_FRONT", "create_input", **arguments), 'that opened dialog "Asking" still runs')
        steps = tools.result("act", application=it.app, steps=[{"type": "abc"}])
        has(steps["content"][0]["text"], "Nothing was sent")
        dialog = next(each for each in tools("list_windows", parent=it.app)["windows"] if each["title"] == "Asking")
        tools("close_window", name=dialog["name"])
        until(lambda: it.log()[-1:] == ["answer -4"], "the end of the dialog")
        it.click("entry", method="pointer")
        has(other.text("create_input", action="keys", keys="shift"), "Pressed")
        other.close()
        has(tools.text("create_input", action="type", text="x"), "Typed 1 character")
        until(lambda: it.log()[-1:] == ["main x"], "the text")


CHANGED = """
w = Gtk.Window(title="Main")
v = Gtk.VBox()
w.add(v)
def ask(*_):
    d = Gtk.Dialog(title="Asking", transient_for=w, modal=True)
    d.add_button("OK", 1)
    d.show_all()
    log("asks")
    log("answer %d" % d.run())
    d.destroy()
def named(field, name):
    field.get_accessible().set_name(name)
    v.pack_start(field, False, False, 0)
    return field
checked = named(Gtk.Entry(), "Checked")
checked.connect("focus-out-event", lambda *_: checked.get_text() == "bad" and ask() or False)
named(Gtk.Entry(), "Other")
named(Gtk.SpinButton.new_with_range(0, 100, 1), "Number").connect("value-changed", ask)
named(Gtk.CheckButton(label="Mark"), "Mark").connect("toggled", ask)
box = named(Gtk.ComboBoxText(), "Size")
for each in ("One", "Custom"):
    box.append_text(each)
box.set_active(0)
box.connect("changed", lambda box: box.get_active_text() == "Custom" and ask())
tabs = Gtk.Notebook()
for each in ("First", "Second"):
    tabs.append_page(Gtk.Label(label="in " + each), Gtk.Label(label=each))
tabs.connect("switch-page", lambda _tabs, _page, n: n == 1 and ask())
v.pack_start(tabs, False, False, 0)
w.show_all()
"""


def dismissed(it):
    """No key goes to the dialog, whose end lets its application go on."""
    asked(it)
    has(it.tools.fails("DIALOG_IN_FRONT", "create_input", action="keys", keys="a"), "Nothing was sent")
    dialog = next(each for each in it.tools("list_windows", parent=it.app)["windows"] if each["title"] == "Asking")
    it.tools("close_window", name=dialog["name"])
    until(lambda: it.log()[-1:] == ["answer -4"], "the end of the dialog")


def changes_wait(tools, desktop):
    """A number and a tab failed, without a word of what was done, and the next key made the application hang."""
    with lab(tools, desktop, CHANGED) as it:
        for tool, more in (("write_element_value", {"element": 'spin "Number"', "value": "7"}),
                           ("select_option", {"element": 'combobox "Size"', "option": "Custom"})):
            told = tools(tool, application=it.app, **more)
            same(told["effect"], "partial", told)
            has(told["evidence"], "it cannot be read back: dialog \"Asking\" came, and the application has not answered since")
            dismissed(it)
        has(it.click('tab "Second"')["evidence"], "the application has not answered since")
        dismissed(it)
        told = tools("write_element_value", application=it.app, element='checkbox "Mark"', value="true")
        same((told["effect"], told["evidence"]), ("confirmed", "it is checked now"), told)
        it.click('button "OK" in dialog "Asking"')
        until(lambda: it.log()[-1:] == ["answer 1"], "the answer")


def focus_waits(tools, desktop):
    """The field that lost the focus was bad, and the text for the next one was the key that made the application hang."""
    with lab(tools, desktop, CHANGED) as it:
        tools("write_element_value", application=it.app, element='entry "Checked"', value="good")
        it.click('entry "Checked"', method="pointer")
        tools("create_input", action="keys", keys="ctrl+a")
        tools("create_input", action="type", text="bad")
        has(tools.fails("DIALOG_IN_FRONT", "write_element_value", application=it.app, element='entry "Other"', value="x"),
            "Nothing was sent")
        dismissed(it)


def needs_gtk(case):
    def skipping(tools, desktop):
        if not click_faults.has_gtk():
            raise Skip("the system's Python has no GTK (vendor/install test)")
        case(tools, desktop)
    return skipping


run((("a button whose dialog runs within its action is clicked", needs_gtk(buttons_are_clicked)),
     ("an item of a menu whose dialog runs within its action is clicked", needs_gtk(items_are_clicked)),
     ("a value or a choice whose dialog runs within it is told, and keys are refused", needs_gtk(changes_wait)),
     ("a dialog that runs as a field loses the focus gets no keys", needs_gtk(focus_waits)),
     ("an expander is opened wherever its middle is", needs_gtk(expanders_open)),
     ("keys are refused while an application waits within an action", needs_gtk(keys_are_refused)),
     ("an application that waited and ended is forgotten", needs_gtk(one_that_ended_is_forgotten))),
    ("Xvfb", "openbox", "dbus-daemon"))
