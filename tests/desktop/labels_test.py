#!/usr/bin/env python3
"""Fields of a real window of GTK 3 that has no name for any of them: what is written goes into the field whose label a reader
would take for it."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import click_faults     # noqa: E402
from lab import lab                       # noqa: E402
from tap import Skip                      # noqa: E402
from tools import Tools, has, run, same, until     # noqa: E402

FORM = """
window = Gtk.Window(title="Form")
column = Gtk.VBox(spacing=6, margin=12)
window.add(column)

def spin(key):
    field = Gtk.SpinButton.new_with_range(0, 100, 1)
    field.connect("value-changed", lambda field: log(f"{key}={field.get_value_as_int()}"))
    return field

def combo(key, *options):
    field = Gtk.ComboBoxText()
    for option in options:
        field.append_text(option)
    field.set_active(0)
    field.connect("changed", lambda field: log(f"{key}={field.get_active_text()}"))
    return field

def entry(key):
    field = Gtk.Entry()
    field.connect("focus-out-event", lambda field, _: log(f"{key}={field.get_text()}"))
    return field

def row(spacing, *items):
    box = Gtk.HBox()
    for i, item in enumerate(items):
        gap = spacing[i % len(spacing)] if i + 1 < len(items) else 0
        box.pack_start(Gtk.Label(label=item) if isinstance(item, str) else item, False, False, 0)
        box.pack_start(Gtk.Box(width_request=gap), False, False, 0)
    column.pack_start(box, False, False, 0)

row([6], spin("hours"), "hours", spin("minutes"), "minutes", spin("seconds"), "seconds")
row([14, 6], "Category:", combo("category", "None", "Work", "Home"), "Priority:", combo("priority", "Medium", "High", "Low"))
row([6], "Width:", spin("width"), "px")
row([6], "Rate", spin("rate"), "Level", spin("level"), "Total")
row([6], entry("first"), "Zoom", entry("second"))
row([6], "City:", entry("city"), "Street:", entry("street"))
window.show_all()
"""


def write(it, element, value):
    result = it.tools("write_element_value", application=it.app, element=element, value=value)
    same(result["effect"], "confirmed", result)
    return result


def told(it, *lines):
    until(lambda: it.log()[-len(lines):] == list(lines), f"{lines} in {it.log()}")


def units_behind(it):
    """Each took the label to its left: "hours" was the box of minutes, confirmed."""
    for n, unit in enumerate(("hours", "minutes", "seconds")):
        write(it, f'spin "{unit}"', str(10 + n))
        told(it, f"{unit}={10 + n}")
    write(it, 'spin near "minutes"', "40")
    told(it, "minutes=40")
    write(it, 'spin "Width"', "7")
    write(it, 'spin "px"', "8")
    told(it, "width=7", "width=8")


def boxes_named_by_value(it):
    """The nearer box, 6 pixels to the left, was taken for Priority's, which is 14 to the right."""
    write(it, 'combobox near "Priority:"', "High")
    told(it, "priority=High")
    write(it, 'combobox "Category"', "Work")
    told(it, "category=Work")
    outline = it.tools("get_ui_tree", application=it.app)["outline"]
    has(outline, 'combobox "Category" ="Work"')
    has(outline, 'combobox "Priority" ="High"')
    result = it.tools("select_option", application=it.app, element='combobox "High"', option="Low")
    same((result["effect"], result["value"]), ("confirmed", "Low"), result)
    told(it, "priority=Low")


def captions_before(it):
    write(it, 'entry near "Street:"', "Elm Street")
    told(it, "street=Elm Street")
    write(it, 'entry "City"', "Paris")
    told(it, "city=Paris")


def doubts_told(it):
    before = it.log()
    for element in ('spin "Level"', 'spin near "Level"', 'entry "Zoom"', 'entry near "Zoom"'):
        message = it.tools.fails("ELEMENT_AMBIGUOUS", "write_element_value", application=it.app, element=element, value="5")
        has(message, "may belong to each")
    same(it.log(), before)


def form(part):
    def case(tools, desktop):
        if not click_faults.has_gtk():
            raise Skip("the system's Python has no GTK (vendor/install test)")
        with lab(tools, desktop, FORM) as it:
            part(it)
    return case


run((("units behind fields are theirs (GTK 3)", form(units_behind)),
     ("combo boxes that are named by their value have their label (GTK 3)", form(boxes_named_by_value)),
     ("labels before fields, in a row of two (GTK 3)", form(captions_before)),
     ("a label that may belong to either of two fields is told (GTK 3)", form(doubts_told))),
    ("Xvfb", "openbox", "dbus-daemon"), lambda desktop: Tools(desktop.env))
