#!/usr/bin/env python3
"""Effects that tools report of a window of GTK 3, held against what its application was told: pages of a wizard, a dialog
that stays open, fields that the application writes anew, check marks in rows, a box with a field."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults                                     # noqa: E402
from lab import lab                                     # noqa: E402
from tap import Skip                                    # noqa: E402
from tools import has, run, same, until                 # noqa: E402

WINDOW = """
w, v = Gtk.Window(title="Bookings"), Gtk.VBox()
w.add(v)
def labelled(name, part):
    label = Gtk.Label(label=name)
    label.set_mnemonic_widget(part)
    for each in (label, part):
        v.pack_start(each, False, False, 0)
    return part
date = labelled("Date", Gtk.Entry(text="01.01.2020"))
def date_left(e, _):
    parts = e.get_text().split("-")
    if len(parts) == 3:
        e.set_text(".".join(reversed(parts)))
    log("date " + e.get_text())
date.connect("focus-out-event", date_left)
def formed(entry, form):
    def left(e, _):
        try:
            e.set_text(form(e.get_text()))
        except ValueError:
            pass
    entry.connect("focus-out-event", left)
formed(labelled("Price", Gtk.Entry()), lambda text: f"{float(text):,.2f} \u20ac")
formed(labelled("Due", Gtk.Entry()), lambda text: "/".join(reversed(text.split("-"))))
pays = Gtk.ListStore(str, str)
for each in ("Cash", "Card"):
    pays.append(("pm-" + each.lower(), each))
pay, icon, name = labelled("Payment", Gtk.ComboBox(model=pays)), Gtk.CellRendererPixbuf(), Gtk.CellRendererText()
for part, kind, column in ((icon, "icon-name", 0), (name, "text", 1)):
    pay.pack_start(part, False)
    pay.add_attribute(part, kind, column)
pay.set_active(0)
pay.connect("changed", lambda c: log("pay %d" % c.get_active()))
minutes = labelled("Minutes", Gtk.SpinButton.new_with_range(0, 59, 1))
def rounded(s):
    log("minutes %d" % s.get_value())
    s.set_value(int(s.get_value()) // 5 * 5)
minutes.connect("value-changed", rounded)
city = labelled("City", Gtk.ComboBoxText.new_with_entry())
for each in ("Rome", "Oslo"):
    city.append_text(each)
city.connect("changed", lambda c: log("city " + c.get_active_text()))
store, tree, mark = Gtk.ListStore(bool, str), Gtk.TreeView(), Gtk.CellRendererToggle()
for each in ("Breakfast", "Parking"):
    store.append((False, each))
tree.set_model(store)
def toggled(_, path):
    store[path][0] = not store[path][0]
    log("%s %s" % (store[path][1], store[path][0]))
mark.connect("toggled", toggled)
tree.append_column(Gtk.TreeViewColumn("On", mark, active=0))
tree.append_column(Gtk.TreeViewColumn("Extra", Gtk.CellRendererText(), text=1))
v.pack_start(tree, False, False, 0)
def wizard(_):
    a = Gtk.Assistant(title="Trip", transient_for=w, modal=True)
    types = Gtk.AssistantPageType
    for title, part, kind in (("Start", Gtk.Label(label="Welcome"), types.INTRO),
                              ("Where", Gtk.Entry(text="Rome"), types.CONTENT),
                              ("End", Gtk.Label(label="All is set"), types.CONFIRM)):
        a.append_page(part)
        a.set_page_title(part, title)
        a.set_page_type(part, kind)
        a.set_page_complete(part, True)
    a.connect("prepare", lambda a, _: log("page %d" % a.get_current_page()))
    a.connect("cancel", lambda a: a.destroy())
    a.show_all()
def booking(_):
    d = Gtk.Dialog(title="New booking", transient_for=w)
    for name, answer in (("Close", Gtk.ResponseType.CLOSE), ("Add", 1), ("Idle", 2)):
        d.add_button(name, answer)
    e = Gtk.Entry(text="Anna")
    d.get_content_area().add(e)
    def answered(d, answer):
        log("answer %d" % answer)
        if answer == 1:
            store.append((False, e.get_text()))
            e.set_text("")
        elif answer != 2:
            d.destroy()
    d.connect("response", answered)
    d.show_all()
for name, act in (("Plan a trip...", wizard), ("New booking...", booking)):
    b = Gtk.Button(label=name)
    b.connect("clicked", act)
    v.pack_start(b, False, False, 0)
w.show_all()
"""

SEEN = ("confirmed", "partial")     # a busy machine shows an effect later than what comes at once


def window(case):
    def with_window(tools, desktop):
        if not click_faults.has_gtk():
            raise Skip("the system's Python has no GTK (vendor/install test)")
        with lab(tools, desktop, WINDOW) as it:
            case(it)
    return with_window


def dialog(it, **arguments):
    """The result and its text."""
    result = it.tools.result("handle_dialog", application=it.app, **arguments)
    return result["structuredContent"], result["content"][0]["text"]


def answers(it):
    return [line for line in it.log() if line.startswith("answer")]


def told(it, line):
    until(lambda: line in it.log(), f"{line} in {it.log()}")


def next_pages(it):
    """Each page was called no effect, after seconds, and not listed: Next was pressed once more."""
    it.click('button "Plan a trip..."')
    told(it, "page 0")
    for page, (title, fields) in enumerate((("Where", ['entry "Where" ="Rome" focused']), ("End", [])), 1):
        result, text = dialog(it, button="Next")
        same((result["effect"] in SEEN, it.log().count(f"page {page}")), (True, 1), text)
        same((result["next"]["title"], [field.split(" ", 1)[1] for field in result["next"]["fields"]]), (title, fields), text)
        has(text, "It shows now:")
    same(dialog(it, button="Cancel")[0]["effect"], "confirmed")


def dialogs_that_stay(it):
    """The effect of Add was called none. Idle has none."""
    it.click('button "New booking..."')
    result, text = dialog(it, button="Add")
    same((result["effect"] in SEEN, answers(it)), (True, ["answer 1"]), text)
    has(text, 'cell "Anna"')
    result, text = dialog(it, button="Idle")
    same((result["effect"], result.get("next"), answers(it)), ("none_seen", None, ["answer 1", "answer 2"]), text)
    same(dialog(it, button="Close")[0]["effect"], "confirmed")


def fields_written_anew(it):
    """They hold what the application made of it, and that is said: not "read-only". The same day in another form is the value,
    another number is not, and act goes on after a day that may be another."""
    for element, value, held, line, effect in (('entry "Date"', "2024-05-06", "06.05.2024", "date 06.05.2024", "confirmed"),
                                               ('spin "Minutes"', "33", "30", "minutes 33", "partial")):
        result = it.tools("write_element_value", application=it.app, element=element, value=value)
        told(it, line)
        same((result["effect"], result["value"]), (effect, held), result)
    for element, value, effect, form in (('entry "Price"', "1234.5", "confirmed", "1,234.50 €"),
                                         ('entry "Due"', "2026-03-05", "unknown", "05/03/2026")):
        steps = it.tools("act", application=it.app, steps=[{"set": element, "value": value}, {"find": element}])["steps"]
        same((steps[0]["effect"], [each["holds"] for each in steps]), (effect, [True, True]), steps)
        has(steps[0]["evidence"], f'"{form}"')
    it.tools("act", application=it.app, steps=[{"click": 'spin "Minutes"'}, {"keys": "ctrl+a"}])
    step = it.tools("act", application=it.app, steps=[{"keys": "Page_Up"}])["steps"][0]
    told(it, "minutes 40")
    same(step["effect"] in SEEN, True, step)


def marks_in_rows(it):
    """The second press was called none: "it was selected before", with the mark among the changes."""
    for on in ("True", "False", "True"):
        result = it.click('cell near "Breakfast"')
        told(it, f"Breakfast {on}")
        same(result["effect"], "confirmed", result)
        has(result["evidence"], "checked")


def boxes_of_ids(it):
    """GTK tells the name of the icon. It was something else, and act stopped, though the option was chosen."""
    steps = it.tools("act", application=it.app, steps=[{"set": 'combobox "Payment"', "value": "Card"},
                                                       {"set": 'combobox "Payment"', "value": "Card"}])["steps"]
    same([(each["effect"], each["holds"]) for each in steps], [("unknown", True)] * 2, steps)
    has(steps[0]["evidence"], 'it shows "pm-card", which names none of its options, but may stand for "Card"')
    same(it.log().count("pay 1"), 1)


def boxes_with_a_field(it):
    result = it.tools("select_option", application=it.app, element='combobox "City"', option="Oslo")
    told(it, "city Oslo")
    same((result["effect"], result["value"]), ("confirmed", "Oslo"), result)
    result = it.tools("write_element_value", application=it.app, element='entry in combobox', value="Bergen")
    told(it, "city Bergen")
    same((result["effect"], result["value"]), ("confirmed", "Bergen"), result)


COPIES = """
import subprocess
from gi.repository import Gdk
w = Gtk.Window(title="Main")
v = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
w.add(v)
clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
def other(_):
    subprocess.run(["xclip", "-selection", "clipboard"], input=b"other")
for name, act in (("Copy", lambda _: clipboard.set_text("same", -1)), ("Other", other), ("Idle", lambda _: None)):
    b = Gtk.Button(label=name)
    b.connect("clicked", act)
    v.pack_start(b, True, True, 0)
w.show_all()
"""


BRIEF = """
w = Gtk.Window(title="Main")
v = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
w.add(v)
work, field = Gtk.Button(label="Work"), Gtk.Entry(text="a")
def worked(_):
    field.set_sensitive(False)
    GLib.timeout_add(20, field.set_sensitive, True)
work.connect("clicked", worked)
for each in (work, field):
    v.pack_start(each, False, False, 0)
w.show_all()
"""


def brief_changes(tools, desktop):
    """An application that is soon done with its work was said to have done nothing: both looks show the same."""
    if not click_faults.has_gtk():
        raise Skip("the system's Python has no GTK (vendor/install test)")
    with lab(tools, desktop, BRIEF) as it:
        result = it.click('button "Work"')
        same(result["effect"] in SEEN, True, result)


def copies(tools, desktop):
    """A copy changes nothing in the tree. The same text once more is a copy too, and another program's proves less."""
    if not click_faults.has_gtk():
        raise Skip("the system's Python has no GTK (vendor/install test)")
    copied = "something was copied to the clipboard"
    with lab(tools, desktop, COPIES) as it:
        for name, effect, evidence in (("Idle", "none_seen", None), ("Copy", "confirmed", copied), ("Copy", "confirmed", copied),
                                       ("Other", "partial", copied + ", which may have another cause"), ("Idle", "none_seen", None)):
            result = it.click(f'button "{name}"')
            same((name, result["effect"], evidence and result["evidence"]), (name, effect, evidence), result)


NAMES = """
w, box = Gtk.Window(title="Names"), Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
for before in ("", "null", "Follow"):
    other = Gtk.Button(image=Gtk.Image(icon_name="edit-find"))
    other.get_accessible().set_name(before)
    pressed = Gtk.Button(label="By " + (before or "nothing"))
    pressed.connect("clicked", lambda _, other=other: other.get_accessible().set_name("Following"))
    box.add(other)
    box.add(pressed)
w.add(box)
w.show_all()
"""


def late_names(tools, desktop):
    """A toolbar that got its texts while a button was clicked was said to confirm the click."""
    if not click_faults.has_gtk():
        raise Skip("the system's Python has no GTK (vendor/install test)")
    with lab(tools, desktop, NAMES) as it:
        for before, effect in (("nothing", "partial"), ("null", "partial"), ("Follow", "confirmed")):
            result = it.click(f'button "By {before}"')
            same((before, result["effect"]), (before, effect), result)
            has(result["evidence"], '"Following" now')


LATE = """
import subprocess
w = Gtk.Window(title="Main")
def ask():
    d = Gtk.Dialog(title="Late", transient_for=w)
    d.add_button("Yes", 1)
    d.connect("response", lambda d, _: d.destroy())
    d.show_all()
    log("asks")
def clicked(_):
    subprocess.run(["xdotool", "search", "--name", "^taker$", "windowactivate", "--sync"])
    GLib.timeout_add(1000, ask)
b = Gtk.Button(label="Ask")
b.connect("clicked", clicked)
w.add(b)
w.show_all()
"""


def late_windows(tools, desktop):
    """The effect of a button was called none, while its dialog was on its way: Swing takes the focus from the window first."""
    if not click_faults.has_gtk():
        raise Skip("the system's Python has no GTK (vendor/install test)")
    with subprocess.Popen(["xev", "-name", "taker"], env=desktop.env, stdout=subprocess.DEVNULL) as taker, \
            lab(tools, desktop, LATE) as it:
        try:
            until(lambda: {"taker", "Main"} <= {each["title"] for each in tools("list_windows")["windows"]}, "both windows")
            tools("focus_window", name="Main")
            result = it.click('button "Ask"')
        finally:
            taker.kill()
        told(it, "asks")
        same(result["effect"], "partial", result)
        has(result["evidence"], 'dialog "Late" came')


run((("each page of a wizard is seen, once, and listed", window(next_pages)),
     ("a button of a dialog that stays open, and one that does nothing", window(dialogs_that_stay)),
     ("fields that the application writes anew", window(fields_written_anew)),
     ("check marks in rows that are selected already", window(marks_in_rows)),
     ("a box that shows IDs", window(boxes_of_ids)),
     ("a box with a field", window(boxes_with_a_field)),
     ("a change that is over before the look", brief_changes),
     ("a copy to the clipboard, which changes nothing else", copies),
     ("elements that only get their names meanwhile", late_names),
     ("a dialog that comes late, after its window gave up the focus", late_windows)),
    ("Xvfb", "openbox", "dbus-daemon", "xdotool", "xclip"))
