#!/usr/bin/python3
"""A window of GTK 3 with a form whose parts are easily misread: form_window.py TITLE FILE

It keeps FILE a JSON object: "entry", "count" and "text" as they are, "kept" and "cleared" (boxes that begin inconsistent; a
press clears only the second), "colors" (those selected of a list that keeps several), "size" (of a combo box whose item L is
off) and "chosen" (every choice of it).
"""

import json
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402  (the version has to be said before)

SIZES = (("S", True), ("M", True), ("L", False), ("XL", True))
COLORS = ("Red", "Green", "Blue", "Gray", "Gray")


def sizes():
    store = Gtk.ListStore(str, bool)
    for row in SIZES:
        store.append(row)
    box, text = Gtk.ComboBox(model=store, active=0), Gtk.CellRendererText()
    box.pack_start(text, True)
    box.add_attribute(text, "text", 0)
    box.add_attribute(text, "sensitive", 1)
    return box


def colors():
    box = Gtk.ListBox(selection_mode=Gtk.SelectionMode.MULTIPLE)
    for name in COLORS:
        box.add(Gtk.Label(label=name))
    box.select_row(box.get_row_at_index(1))
    return box


class Form(Gtk.Window):
    def __init__(self, title, path):
        super().__init__(title=title, default_width=400)
        self.path, self.chosen = path, []
        self.entry, self.text, self.count = Gtk.Entry(), Gtk.TextView(), Gtk.SpinButton.new_with_range(0, 1e8, 1)
        self.kept = Gtk.CheckButton(label="Kept", inconsistent=True)
        self.cleared = Gtk.CheckButton(label="Cleared", inconsistent=True)
        self.colors, self.sizes = colors(), sizes()
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for name, part, signal in (("Entry", self.entry, "changed"), ("Text", self.text, None),
                                   ("Count", self.count, "value-changed"), (None, self.kept, "toggled"),
                                   (None, self.cleared, "toggled"), ("Colors", self.colors, "selected-rows-changed"),
                                   (None, self.sizes, "changed")):
            if name:
                part.get_accessible().set_name(name)
            (part if signal else part.get_buffer()).connect(signal or "changed", self.changed)
            box.pack_start(part, False, False, 0)
        self.add(box)
        self.connect("destroy", Gtk.main_quit)
        self.changed(None)

    def changed(self, part):
        if part is self.cleared:
            self.cleared.set_inconsistent(False)
        if part is self.sizes:
            self.chosen.append(SIZES[self.sizes.get_active()][0])
        lines = self.text.get_buffer()
        held = {"entry": self.entry.get_text(), "count": self.count.get_value(),
                "text": lines.get_text(*lines.get_bounds(), True), "kept": self.kept.get_active(),
                "cleared": self.cleared.get_active(), "size": SIZES[self.sizes.get_active()][0], "chosen": self.chosen,
                "colors": [COLORS[row.get_index()] for row in self.colors.get_selected_rows()]}
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(held, file)
        os.replace(self.path + ".new", self.path)


if __name__ == "__main__":
    Form(*sys.argv[1:3]).show_all()
    Gtk.main()
